// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/sequences.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <thread>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace onepass::ONEPASS_ABI {

/// Bytes of the cache that all cores share, as far as we can count on them. Linux reports the size correctly, the C
/// library not on every processor. A virtual machine with a few cores of a large host sees the whole cache but gets a
/// part of it; hence the limit of 16 MiB per core.
inline std::size_t shared_cache_bytes()
{
  static std::size_t const bytes = [] {
    std::ifstream file("/sys/devices/system/cpu/cpu0/cache/index3/size");
    std::size_t kib        = 0;
    std::size_t const most = (std::size_t(16) << 20) * std::max(std::thread::hardware_concurrency(), 1u);
    return file >> kib ? std::min(kib * 1024, most) : std::size_t(32) << 20;
  }();
  return bytes;
}

/// Whether output is to be written past the caches: if a call's bytes do not fit them, since a line is then not read
/// before it is written.
inline bool worth_streaming(std::size_t bytes) { return bytes > shared_cache_bytes(); }

/// Prefetches items into the second-level cache, if they are contiguous in memory; addresses after the last item do no
/// harm. Inlined, since GCC drops calls of functions that do nothing but this.
template <class Sequence>
[[gnu::always_inline]] inline void fetch_ahead([[maybe_unused]] Sequence const& items, [[maybe_unused]] extent first,
                                               [[maybe_unused]] extent count)
{
  if constexpr (is_contiguous<Sequence>::value) {
    auto const at = reinterpret_cast<std::uintptr_t>(items.data) + std::uintptr_t(first) * sizeof(*items.data);
    for (std::uintptr_t i = 0; i < std::uintptr_t(count) * sizeof(*items.data); i += 64)
      __builtin_prefetch(reinterpret_cast<void const*>(at + i), 0, 2);
  }
}

/// Inputs of fewer bytes are mostly in a cache already, where to ask for a line takes as long as to read it.
inline constexpr std::size_t fewest_bytes_fetched = std::size_t(1) << 22;

/// The same for items that are read later, one line for each line of `count` items that are read now. It goes through
/// the next eight pages in turn, since a core keeps more reads under way to several pages than to one (a tenth faster
/// than all of it 2 KiB ahead).
template <class Sequence>
[[gnu::always_inline]] inline void fetch_pages_ahead([[maybe_unused]] Sequence const& items,
                                                     [[maybe_unused]] extent first, [[maybe_unused]] extent count)
{
  if constexpr (is_contiguous<Sequence>::value) {
    if (std::size_t(items.size) * sizeof(*items.data) < fewest_bytes_fetched) return;
    constexpr std::uintptr_t line = 64, lines = 4096 / line, pages = 8;  // lines of a page; pages in turn
    auto const from = reinterpret_cast<std::uintptr_t>(items.data + first),
               to   = reinterpret_cast<std::uintptr_t>(items.data + first + count);
    for (auto at = (from + line - 1) / line; at < (to + line - 1) / line; ++at) {
      auto const k = at % lines, ahead = 1 + k % pages;
      __builtin_prefetch(reinterpret_cast<void const*>(
                             (at - k + ahead * lines + (pages - ahead) * (lines / pages) + k / pages) * line),
                         0, 2);
    }
  }
}

#if defined(__x86_64__)
/// Streams whole lines, with one store each (AVX-512).
[[gnu::target("avx512f")]] inline void stream_whole_lines(std::byte* to, std::byte const* from, std::size_t bytes)
{
  for (std::size_t i = 0; i < bytes; i += 64)
    _mm512_stream_si512(reinterpret_cast<__m512i*>(to + i), _mm512_loadu_si512(from + i));
}
inline void stream_parts_of_lines(std::byte* to, std::byte const* from, std::size_t bytes)
{
  for (std::size_t i = 0; i < bytes; i += 16)
    _mm_stream_si128(reinterpret_cast<__m128i*>(to + i), _mm_loadu_si128(reinterpret_cast<__m128i const*>(from + i)));
}
#endif

/// Copies a cached buffer past the caches. Call release_streams() before publishing it to another thread.
inline void stream_out(void* to, void const* from, std::size_t bytes)
{
#if defined(__x86_64__)
  static auto const lines = __builtin_cpu_supports("avx512f") ? stream_whole_lines : stream_parts_of_lines;
  auto* target            = static_cast<std::byte*>(to);
  auto const* source      = static_cast<std::byte const*>(from);
  std::size_t const head  = (64 - reinterpret_cast<std::uintptr_t>(to) % 64) % 64;
  if (bytes > head) {
    std::size_t const whole = (bytes - head) / 64 * 64, done = head + whole;
    std::memcpy(target, source, head);
    lines(target + head, source + head, whole);
    std::memcpy(target + done, source + done, bytes - done);
    return;
  }
#endif
  std::memcpy(to, from, bytes);
}

/// Orders everything that this thread has streamed before anything that it stores from here on.
inline void release_streams()
{
#if defined(__x86_64__)
  _mm_sfence();
#endif
}

}  // namespace onepass::ONEPASS_ABI
