// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/engine/items/reduce_alone.hpp>
#include <onepass/programs/extremes_alone.hpp>

#include <type_traits>

namespace onepass::ONEPASS_ABI {

template <class Less>
struct first_smallest {
  static constexpr bool last = false;
  Less less;
  template <class T>
  ONEPASS_FUNCTION bool beyond(T const& a, T const& b) const
  {
    return less(a, b);
  }
};
template <class Less>
struct first_largest {
  static constexpr bool last = false;
  Less less;
  template <class T>
  ONEPASS_FUNCTION bool beyond(T const& a, T const& b) const
  {
    return less(b, a);
  }
};
template <class Less>
struct last_largest {
  static constexpr bool last = true;
  Less less;
  template <class T>
  ONEPASS_FUNCTION bool beyond(T const& a, T const& b) const
  {
    return less(b, a);
  }
};

namespace detail {
/// The extreme one of two items. Positions tell which is older, so extremes may be combined in any order.
template <class Rule, class T>
ONEPASS_FUNCTION placed_item<T> more_extreme(Rule const& rule, placed_item<T> const& a, placed_item<T> const& b)
{
  if (b.at < 0) return a;
  if (a.at < 0) return b;
  bool const a_is_older  = a.at < b.at;
  bool const is_replaced = replaces(rule, a_is_older ? b.item : a.item, a_is_older ? a.item : b.item);
  return is_replaced == a_is_older ? b : a;
}

/// The extreme one of N items in their order, which are compared without branches. Distances of their positions are
/// short.
template <class Rule, class Item, int N>
ONEPASS_FUNCTION auto most_extreme(Rule const& rule, Item const& item, std::integral_constant<int, N>)
{
  auto most       = item(0);
  auto const from = most.at;
  int past        = 0;
  ONEPASS_UNROLL for (int k = 1; k < N; ++k)
  {
    auto const next    = item(k);
    bool const further = replaces(rule, next.item, most.item);
    most.item          = further ? next.item : most.item;
    past               = further ? int(next.at - from) : past;
  }
  most.at = from + past;
  return most;
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

  static constexpr int items_at_once = 8;  ///< what is the extreme one of all is asked once for so many

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
  template <int N>
  ONEPASS_FUNCTION aggregate_type combine_all(aggregate_type const& older, aggregate_type const (&newer)[N]) const
  {
    return combine(older, detail::most_extreme(
                              rule, [&](int k) { return newer[k]; }, std::integral_constant<int, N>()));
  }
  ONEPASS_FUNCTION static aggregate_type identity() { return {item_type{}, -1}; }
  ONEPASS_FUNCTION aggregate_type initial() const { return identity(); }
  [[gnu::always_inline]] inline aggregate_type reduce(extent first, extent last) const
  {
    return extreme_alone(rule, in, first, last);
  }
  [[gnu::always_inline]] inline aggregate_type reduce_few(extent first, extent last) const
  {
    return extreme_of_few(rule, in, first, last);
  }
  ONEPASS_FUNCTION void finish(aggregate_type const& all, extent) const
  {
    *index = static_cast<Index>(all.at < 0 ? 0 : all.at);
  }
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

  static constexpr int items_at_once = 8;  ///< what is the extreme one of all is asked once for so many

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
  template <int N>
  ONEPASS_FUNCTION aggregate_type combine_all(aggregate_type const& older, aggregate_type const (&newer)[N]) const
  {
    using placed   = placed_item<item_type>;
    using all      = std::integral_constant<int, N>;
    auto const low = detail::most_extreme(
        first_smallest<Less>{less},
        [&](int k) {
          return placed{newer[k].smallest, newer[k].smallest_at};
        },
        all());
    auto const high = detail::most_extreme(
        last_largest<Less>{less},
        [&](int k) {
          return placed{newer[k].largest, newer[k].largest_at};
        },
        all());
    return combine(older, {low.item, high.item, low.at, high.at});
  }
  ONEPASS_FUNCTION static aggregate_type identity() { return {item_type{}, item_type{}, -1, -1}; }
  ONEPASS_FUNCTION aggregate_type initial() const { return identity(); }
  [[gnu::always_inline]] inline aggregate_type reduce(extent first, extent last) const
  {
    if constexpr (extreme_in_lanes<first_smallest<Less>, In>) {
      auto const low  = extreme_alone(first_smallest<Less>{less}, in, first, last);
      auto const high = extreme_alone(last_largest<Less>{less}, in, first, last);
      return {low.item, high.item, low.at, high.at};
    } else return extremes_of_few(less, in, first, last);
  }
  [[gnu::always_inline]] inline aggregate_type reduce_few(extent first, extent last) const
  {
    return extremes_of_few(less, in, first, last);
  }
  ONEPASS_FUNCTION void finish(aggregate_type const& all, extent) const
  {
    *smallest = static_cast<Smallest>(all.smallest_at < 0 ? 0 : all.smallest_at);
    *largest  = static_cast<Largest>(all.largest_at < 0 ? 0 : all.largest_at);
  }
};

}  // namespace onepass::ONEPASS_ABI
