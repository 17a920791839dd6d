// SPDX-License-Identifier: Apache-2.0
#include <onepass/packed/frame.hpp>

#include <Kokkos_Core.hpp>

#include <cstdio>

#ifdef XXH_INLINE_ALL
#error "onepass/packed leaves XXH_INLINE_ALL defined for whoever includes xxhash.h next"
#endif

int main(int argc, char** argv)
{
  Kokkos::ScopeGuard const kokkos(argc, argv);
  Kokkos::DefaultExecutionSpace const exec;
  alignas(16) std::uint8_t data[4096], back[4096];
  for (int i = 0; i < 4096; ++i) data[i] = std::uint8_t(i % 7 * (i % 3));

  namespace packed = onepass::packed;
  packed::frame_codec codec(exec);
  std::vector<std::uint8_t> frame;
  codec.encode(packed::frame_kind::bytes, data, frame);
  auto const header = packed::frame_header::read(frame);
  std::vector<std::uint8_t> const payload(frame.begin() + packed::frame_header::bytes_on_file, frame.end());
  codec.decode(header, payload, back);
  if (frame.size() >= sizeof data || std::memcmp(data, back, sizeof data) != 0) {
    std::printf("a frame of %zu bytes does not hold its data\n", frame.size());
    return 1;
  }
  std::printf("%zu bytes are a frame of %zu\n", sizeof data, frame.size());
}
