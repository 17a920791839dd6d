// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/engine/items/unmoved.hpp>
#include <onepass/engine/splits.hpp>
#include <onepass/extent.hpp>
#include <onepass/operators.hpp>

#include <algorithm>

namespace onepass::ONEPASS_ABI {

/// Does an item come before the place of a needle? The first that does not is where the needle belongs.
template <class Less>
struct before_lower_bound {
  Less less;
  template <class Item, class Needle>
  ONEPASS_FUNCTION bool operator()(Item const& item, Needle const& needle) const
  {
    return less(item, needle);
  }
};
template <class Less>
struct before_upper_bound {
  Less less;
  template <class Item, class Needle>
  ONEPASS_FUNCTION bool operator()(Item const& item, Needle const& needle) const
  {
    return !less(needle, item);
  }
};

/// The same of a needle that is no NaN, in the library's own order: one comparison.
struct before_number {
  template <class Item, class Needle>
  ONEPASS_FUNCTION bool operator()(Item const& item, Needle const& needle) const
  {
    return item < needle;
  }
};
struct before_number_or_equal {
  template <class Item, class Needle>
  ONEPASS_FUNCTION bool operator()(Item const& item, Needle const& needle) const
  {
    return needle >= item;
  }
};
inline before_number of_numbers(before_lower_bound<less> const&) { return {}; }
inline before_number_or_equal of_numbers(before_upper_bound<less> const&) { return {}; }

template <class Before, class Item, class Needle>
concept compares_numbers = std::is_same_v<Item, Needle> && std::is_arithmetic_v<Item> && requires(Before const& before)
{
  of_numbers(before);
};

/// positions(i) = where needle i belongs among the sorted items.
template <class Sorted, class Needles, class Positions, class Before>
struct search_each {
  using item_type     = typename Sorted::value_type;
  using needle_type   = typename Needles::value_type;
  using position_type = typename Positions::value_type;

  Sorted sorted;
  item_count items;
  Needles needles;
  item_count number;
  Positions positions;
  Before before;

  /// What a thread of a host takes at once: searches for several needles side by side need no branch that nobody could
  /// predict, and wait for memory together.
  static constexpr int side_by_side = 8;

  /// Needles [first, last), by one thread.
  [[gnu::always_inline]] inline void alone(extent first, extent last) const
  {
    last = std::min(last, number());
    if (last - first >= side_by_side) return find_many(first, last);
    for (extent const n = items(); first < last; ++first) find_one(n, first);
  }

  ONEPASS_FUNCTION void operator()(extent i) const
  {
    if (i >= number()) return;
    needle_type const needle = needles(i);
    positions(i) =
        static_cast<position_type>(partition_point(items(), [&](extent k) { return before(sorted(k), needle); }));
  }

private:
  static constexpr bool of_numbers_alone = compares_numbers<Before, typename Sorted::value_type, needle_type>;

  [[gnu::always_inline]] inline void find_one(extent n, extent i) const
  {
    needle_type const asked = needles(i);
    auto const is_less      = [&](std::uint64_t k) __attribute__((always_inline))
    {
      return before(sorted(extent(k)), asked);
    };
    positions(i) = static_cast<position_type>(partition_point(std::uint64_t(n), is_less));
  }

  [[gnu::noinline]] void find_many(extent first, extent last) const
  {
    search_each const here = *this;  // a copy, which no store can change
    extent const n         = here.items();
    if constexpr (lies_in_memory<Sorted> && sizeof(needle_type) <= 16)
      for (; n > 0 && first + side_by_side <= last; first += side_by_side) here.find_some(n, first);
    for (; first < last; ++first) here.find_one(n, first);
  }

  [[gnu::always_inline]] inline void find_some(extent n, extent first) const
  {
    needle_type asked[side_by_side];
    bool numbers = true;
    for (int k = 0; k < side_by_side; ++k) asked[k] = needles(first + k);
    if constexpr (of_numbers_alone) {
      for (int k = 0; k < side_by_side; ++k) numbers = numbers & (asked[k] == asked[k]);
      if (numbers) return find_some(n, first, asked, of_numbers(before));
    }
    find_some(n, first, asked, before);
  }
  template <class Is>
  [[gnu::always_inline]] inline void find_some(extent n, extent first, needle_type const (&asked)[side_by_side],
                                               Is const& is) const
  {
    extent low[side_by_side] = {};
    for (extent left = n, half; left > 1; left -= half) {
      half = extent(std::uint64_t(left) / 2);
      for (int k = 0; k < side_by_side; ++k) {
        extent const next = low[k] + half;
        low[k]            = is(sorted(next - 1), asked[k]) ? next : low[k];
      }
    }
    for (int k = 0; k < side_by_side; ++k)
      positions(first + k) = static_cast<position_type>(low[k] + extent(is(sorted(low[k]), asked[k])));
  }
};

}  // namespace onepass::ONEPASS_ABI
