// SPDX-License-Identifier: Apache-2.0
// The reference of speed on the host: each thread copies its part of the same number of bytes, once by memcpy and once
// with streaming stores, which avoid reading the lines that are overwritten. The faster of the two counts.
#include "race.hpp"

#include <algorithm>
#include <cstring>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace perf {

namespace {

void plain(char* out, char const* in, std::size_t n) { std::memcpy(out, in, n); }

/// Divides the bytes among the threads, by whole cache lines.
template <void Copy(char*, char const*, std::size_t)>
call enter(race const& r)
{
  auto const* in     = static_cast<char const*>(r.in[0]);
  auto* out          = static_cast<char*>(r.out[0]);
  auto const n       = r.bytes / 2;
  auto const threads = std::size_t(space().concurrency()), part = (n / threads / 64 + 1) * 64;
  return [=] {
    Kokkos::parallel_for("copy", Kokkos::RangePolicy<space, Kokkos::Schedule<Kokkos::Static>>(0, long(threads)),
                         [=](long p) {
                           auto const first = std::min(n, part * std::size_t(p)), last = std::min(n, first + part);
                           Copy(out + first, in + first, last - first);
                         });
  };
}

entry const copy{"copy", enter<plain>};

#ifdef __SSE2__
void streaming(char* out, char const* in, std::size_t n)
{
  std::size_t i = 0;
  for (; i + 16 <= n; i += 16)
    _mm_stream_si128(reinterpret_cast<__m128i*>(out + i), _mm_loadu_si128(reinterpret_cast<__m128i const*>(in + i)));
  std::memcpy(out + i, in + i, n - i);
  _mm_sfence();
}

entry const streaming_copy{"copy.streaming", enter<streaming>};
#endif

}  // namespace

}  // namespace perf
