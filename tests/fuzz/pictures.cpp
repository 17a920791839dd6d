// SPDX-License-Identifier: Apache-2.0
// Fuzzes the reader of pictures: PNG, whose chunks get their checksums, and JPEG. scripts/fuzz builds and runs it.
#include "pictures.hpp"
#include "input.hpp"

#include <zlib.h>

namespace {

/// The bytes with the checksum of every chunk made right, as far as they are chunks.
std::vector<std::uint8_t> with_right_checksums(std::span<std::uint8_t const> in)
{
  std::vector<std::uint8_t> png(in.begin(), in.end());
  auto const number = [&](std::size_t at) {
    return std::size_t(png[at]) << 24 | std::size_t(png[at + 1]) << 16 | std::size_t(png[at + 2]) << 8 | png[at + 3];
  };
  for (std::size_t at = 8; at + 12 <= png.size();) {
    auto const bytes = number(at);
    if (bytes > png.size() - at - 12) break;
    auto const sum = crc32(0, png.data() + at + 4, uInt(bytes + 4));
    for (std::size_t k = 0; k < 4; ++k) png[at + 8 + bytes + k] = std::uint8_t(sum >> (24 - 8 * k));
    at += bytes + 12;
  }
  return png;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size)
{
  constexpr std::size_t bytes_a_pixel = std::size_t(1) << 20;  // so that no picture of many pixels is tried
  fuzzed_file const file(with_right_checksums({data, size}));
  for (auto const what : {tools::pixels_are::colours, tools::pixels_are::numbers}) {
    attempt([&] {
      try {
        auto const p = tools::read_picture(file.name(), what, bytes_a_pixel);
        if (p.numbers.size() != p.pixels() * std::size_t(p.channels)) std::abort();
      } catch (tools::machine_error const&) {}
    });
  }
  return 0;
}
