// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/extent.hpp>
#include <onepass/portability.hpp>

#include <type_traits>

namespace onepass::ONEPASS_ABI {

/// One thread's `x`, then at(first) to at(last - 1), by an operator that need only associate: combine(older, newer).
/// Not each waits for the one before: every four neighbours are combined by themselves, in pairs. Of small integers
/// four strips are, since compilers have vectors for those: short ones, which a processor fetches as one stream, or
/// such as are long enough to be fetched as four.
template <class T, class At, class Combine>
ONEPASS_FUNCTION T folded(T x, extent first, extent last, At const& at, Combine const& combine)
{
  if constexpr (std::is_integral_v<T> && sizeof(T) <= 4) {
    constexpr int strips  = 4;
    constexpr extent size = extent(sizeof(T)), least = 128 / size, near = 1024 / size, far = 4096 / size;
    if (last - first >= strips * least) [[unlikely]]
      do {
        extent const even = (last - first) / strips, strip = even > near && even < far ? near : even;
        T part[strips];
        for (int k = 0; k < strips; ++k) part[k] = at(first + k * strip);
        for (extent i = first + 1; i < first + strip; ++i)
          for (int k = 0; k < strips; ++k) part[k] = combine(part[k], at(i + k * strip));
        for (int k = 0; k < strips; ++k) x = combine(x, part[k]);
        first += strips * strip;
      } while (last - first >= strips * least);
  } else
    for (; first + 4 <= last; first += 4) {
      if constexpr (std::is_class_v<T>) KOKKOS_IF_ON_HOST((asm("");))  // else g++ shuffles parts of several
      x = combine(x, combine(combine(at(first), at(first + 1)), combine(at(first + 2), at(first + 3))));
    }
  for (; first < last; ++first) x = combine(x, at(first));
  return x;
}

}  // namespace onepass::ONEPASS_ABI
