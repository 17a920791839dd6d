// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/backends/host/sort_in_vectors.hpp>
#include <onepass/engine/merge_alone.hpp>

#include <algorithm>
#include <bit>
#include <cstdint>

namespace onepass::ONEPASS_ABI::backends::host {

/// Sorts n items by merging, in memory for twice as many.
template <class T, class Less>
[[gnu::noinline]] void merge_in_cache(T* all, extent n, Less const& less)
{
  using column = cargo<contiguous<T>, nothing>;
  merged_cargo<cargo<contiguous<T const>, nothing>, column, column, Less> const goes{
      {{all, n}, {}}, {{all, n}, {}}, {{all + n, n}, {}}, less};
  goes.sort(0, n, false);
}

struct by_number {
  template <class T>
  bool operator()(T const& a, T const& b) const
  {
    return a < b;
  }
};

/// So many numbers are sorted in the registers of a vector unit at once, whichever it has.
template <class T>
constexpr extent sorted_at_once = 512 / extent(sizeof(T));

#ifdef ONEPASS_HIGHWAY_SORT
/// Some runs that are sorted at once, then merged, which takes less than to cut them before: so many, as measured.
template <class T>
constexpr extent merged_runs = sizeof(T) == 4 ? 4 : 16;
template <class T>
[[gnu::noinline]] void sort_runs(T* all, extent n)
{
  constexpr extent run = sorted_at_once<T>;
  alignas(64) T spare[merged_runs<T> * run];
  using column = cargo<contiguous<T>, nothing>;
  merged_cargo<column, column, column, by_number> const goes{{{all, n}, {}}, {{all, n}, {}}, {{spare, n}, {}}, {}};
  bool in_spare = std::bit_width(std::uint64_t(n - 1) / std::uint64_t(run)) % 2 != 0;
  if (in_spare) std::copy_n(all, n, spare);
  for (extent begin = 0; begin < n; begin += run)
    sort_in_vectors((in_spare ? spare : all) + begin, std::size_t(std::min(run, n - begin)));
  for (extent length = run; length < n; length *= 2) {
    in_spare = !in_spare;
    for (extent begin = 0; begin < n; begin += 2 * length) {
      extent const middle = std::min(begin + length, n), end = std::min(middle + length, n);
      goes.merge({begin, middle, end}, begin, end, in_spare);
    }
  }
}
#endif

/// Sorts numbers of 1 to 8 bytes. Without vectors there is memory for twice as many.
template <class T>
void sort_numbers(T* all, extent n)
{
#ifdef ONEPASS_HIGHWAY_SORT
  if constexpr (sizeof(T) > 1) {
    if (sorted_at_once<T> < n && n <= merged_runs<T> * sorted_at_once<T>) return sort_runs(all, n);
    return sort_in_vectors(all, std::size_t(n));
  }
#endif
  merge_in_cache(all, n, by_number{});
}

}  // namespace onepass::ONEPASS_ABI::backends::host
