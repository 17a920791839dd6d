// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/engine/splits.hpp>
#include <onepass/extent.hpp>

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

/// positions(i) = where needle i belongs among the sorted items.
template <class Sorted, class Needles, class Positions, class Before>
struct search_each {
  Sorted sorted;
  item_count items;
  Needles needles;
  item_count number;
  Positions positions;
  Before before;

  ONEPASS_FUNCTION void operator()(extent i) const
  {
    if (i >= number()) return;
    typename Needles::value_type const needle = needles(i);
    positions(i)                              = static_cast<typename Positions::value_type>(
        partition_point(items(), [&](extent k) { return before(sorted(k), needle); }));
  }
};

}  // namespace onepass::ONEPASS_ABI
