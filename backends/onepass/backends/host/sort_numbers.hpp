// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/backends/host/sort_in_vectors.hpp>
#include <onepass/engine/merge_alone.hpp>

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

/// Sorts numbers of 1 to 8 bytes. Without vectors there is memory for twice as many.
template <class T>
void sort_numbers(T* all, extent n)
{
#ifdef ONEPASS_HIGHWAY_SORT
  if constexpr (sizeof(T) > 1) return sort_in_vectors(all, std::size_t(n));
#endif
  merge_in_cache(all, n, by_number{});
}

}  // namespace onepass::ONEPASS_ABI::backends::host
