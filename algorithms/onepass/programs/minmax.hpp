// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/engine/items/program.hpp>

namespace onepass::ONEPASS_ABI {

/// An item and its position; nothing yet where that is negative.
template <class T>
struct placed_item {
  T item;
  extent at;
};

/// Which of two items is the extreme one: whether the newer replaces the older, whichever is found before. Of equal items
/// positions decide, so extremes may be combined in any order.
template <class Less>
struct first_smallest {
  Less less;
  template <class T>
  ONEPASS_FUNCTION bool replaces(placed_item<T> const& newer, placed_item<T> const& older) const
  {
    return less(newer.item, older.item) || (newer.at < older.at && !less(older.item, newer.item));
  }
};
template <class Less>
struct first_largest {
  Less less;
  template <class T>
  ONEPASS_FUNCTION bool replaces(placed_item<T> const& newer, placed_item<T> const& older) const
  {
    return less(older.item, newer.item) || (newer.at < older.at && !less(newer.item, older.item));
  }
};
template <class Less>
struct last_largest {
  Less less;
  template <class T>
  ONEPASS_FUNCTION bool replaces(placed_item<T> const& newer, placed_item<T> const& older) const
  {
    return less(older.item, newer.item) || (newer.at > older.at && !less(newer.item, older.item));
  }
};

namespace detail {
template <class Rule, class T>
ONEPASS_FUNCTION placed_item<T> more_extreme(Rule const& rule, placed_item<T> const& older, placed_item<T> const& newer)
{
  if (newer.at < 0) return older;
  return older.at < 0 || rule.replaces(newer, older) ? newer : older;
}
}  // namespace detail

/// Where the extreme item is. Item and position travel together, so that nothing is read twice.
template <class In, class Rule, class Index>
struct extreme_program {
  using item_type      = typename In::value_type;
  using memo_type      = bool;
  using aggregate_type = placed_item<item_type>;

  static constexpr auto shape    = output_shape::none;
  static constexpr bool pure     = true;
  static constexpr bool commutes = true;

  In in;
  Rule rule;
  Index* index;

  ONEPASS_FUNCTION In input() const { return in; }
  ONEPASS_FUNCTION bool evaluate(extent, item_type const&) const { return false; }
  ONEPASS_FUNCTION aggregate_type lift(extent i, item_type const& x, bool) const { return {x, i}; }
  ONEPASS_FUNCTION aggregate_type combine(aggregate_type const& a, aggregate_type const& b) const
  {
    return detail::more_extreme(rule, a, b);
  }
  ONEPASS_FUNCTION static aggregate_type identity() { return {item_type{}, -1}; }
  ONEPASS_FUNCTION aggregate_type initial() const { return identity(); }
  ONEPASS_FUNCTION void finish(aggregate_type const& all, extent) const
  {
    *index = static_cast<Index>(all.at < 0 ? 0 : all.at);
  }
};

/// The smallest and the largest.
template <class T>
struct placed_extremes {
  T smallest, largest;
  extent smallest_at, largest_at;
};

/// Both at once.
template <class In, class Less, class Smallest, class Largest>
struct extremes_program {
  using item_type      = typename In::value_type;
  using memo_type      = bool;
  using aggregate_type = placed_extremes<item_type>;

  static constexpr auto shape    = output_shape::none;
  static constexpr bool pure     = true;
  static constexpr bool commutes = true;

  In in;
  Less less;
  Smallest* smallest;
  Largest* largest;

  ONEPASS_FUNCTION In input() const { return in; }
  ONEPASS_FUNCTION bool evaluate(extent, item_type const&) const { return false; }
  ONEPASS_FUNCTION aggregate_type lift(extent i, item_type const& x, bool) const { return {x, x, i, i}; }
  ONEPASS_FUNCTION aggregate_type combine(aggregate_type const& a, aggregate_type const& b) const
  {
    using placed    = placed_item<item_type>;
    auto const low  = detail::more_extreme(first_smallest<Less>{less}, placed{a.smallest, a.smallest_at},
                                           placed{b.smallest, b.smallest_at});
    auto const high = detail::more_extreme(last_largest<Less>{less}, placed{a.largest, a.largest_at},
                                           placed{b.largest, b.largest_at});
    return {low.item, high.item, low.at, high.at};
  }
  ONEPASS_FUNCTION static aggregate_type identity() { return {item_type{}, item_type{}, -1, -1}; }
  ONEPASS_FUNCTION aggregate_type initial() const { return identity(); }
  ONEPASS_FUNCTION void finish(aggregate_type const& all, extent) const
  {
    *smallest = static_cast<Smallest>(all.smallest_at < 0 ? 0 : all.smallest_at);
    *largest  = static_cast<Largest>(all.largest_at < 0 ? 0 : all.largest_at);
  }
};

}  // namespace onepass::ONEPASS_ABI
