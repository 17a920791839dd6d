// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/engine/items/walk.hpp>
#include <onepass/operators.hpp>

namespace onepass::ONEPASS_ABI {

namespace detail {

/// Items that user code makes, as an input. Of a whole tile a thread makes some at a time, since they read memory.
template <class Calls>
struct made_items {
  using value_type = typename Calls::value_type;

  Calls const* calls;
  extent size;

  ONEPASS_FUNCTION value_type operator()(extent i) const { return calls->make(i); }

  template <int Items, class Team>
  ONEPASS_FUNCTION void stage_in(Team const& team, value_type* stage, extent first, int valid) const
  {
    constexpr int each = Items / Team::threads, most = sizeof(value_type) <= 8 ? 8 : 2;
    constexpr int together = each < most ? each : most, step = together * Team::threads;
    int done = 0;
    if (valid == Items)
      for (; done + step <= Items; done += step) {
        value_type made[together];
        int const at                                              = done + team.rank();
        ONEPASS_UNROLL for (int k = 0; k < together; ++k) made[k] = calls->make(first + at + k * Team::threads);
        ONEPASS_UNROLL for (int k = 0; k < together; ++k) stage[at + k * Team::threads] = made[k];
      }
    for (int i = done + team.rank(); i < valid; i += Team::threads) stage[i] = calls->make(first + i);
  }
};

/// Results that user code uses, as an output: it is called with what is assigned to an item.
template <class Calls, class Result>
struct used_results {
  using value_type = Result;

  struct item {
    Calls const* calls;
    extent i;
    ONEPASS_FUNCTION void operator=(Result const& result) const { calls->use(i, result); }
  };

  Calls const* calls;
  extent size;

  ONEPASS_FUNCTION item operator()(extent i) const { return {calls, i}; }
};

}  // namespace detail

/// A scan whose items are made and whose results are used by user code: there is neither an input nor an output array.
/// An item is what user code makes of its position, so it is made once in a pass, and by neighbouring threads for
/// neighbouring positions. Calls are
///   value_type, operation              what is combined, and the operator
///   operation combining()              the operator itself
///   aggregate first()                  what precedes item 0
///   value_type make(i)                 user code: what item i contributes
///   value_type shown(before, own)      what user code is shown of it: of everything before the item, or up to it
///   void use(i, shown)                 user code
///   value_type total(all)
///   kept, read, write, walk            as those of engine/items/walk.hpp
template <class Calls>
struct calls_program {
  using item_type      = typename Calls::value_type;
  using memo_type      = item_type;
  using output_type    = item_type;
  using algebra        = monoid<typename Calls::operation, item_type>;
  using aggregate_type = typename algebra::type;
  using kept           = typename Calls::kept;

  static constexpr auto shape     = output_shape::mapped;
  static constexpr bool pure      = true;
  static constexpr bool commutes  = algebra::commutes;
  static constexpr int bytes_read = Calls::bytes_read;  ///< by user code, of an item

  Calls calls;
  extent n;
  item_type* total;

  ONEPASS_FUNCTION detail::made_items<Calls> input() const { return {&calls, n}; }
  ONEPASS_FUNCTION detail::used_results<Calls, output_type> output() const { return {&calls, n}; }
  ONEPASS_FUNCTION memo_type evaluate(extent, item_type const& x) const { return x; }
  ONEPASS_FUNCTION aggregate_type lift(extent, item_type const&, memo_type const& x) const { return algebra::lift(x); }
  ONEPASS_FUNCTION aggregate_type combine(aggregate_type const& a, aggregate_type const& b) const
  {
    return algebra{calls.combining()}.combine(a, b);
  }
  ONEPASS_FUNCTION static aggregate_type identity() { return algebra::identity(); }
  ONEPASS_FUNCTION aggregate_type initial() const { return calls.first(); }
  ONEPASS_FUNCTION output_type result(item_type const& own, memo_type const&, aggregate_type const& before) const
  {
    return calls.shown(before, own);
  }
  ONEPASS_FUNCTION void finish(aggregate_type const& all, extent) const
  {
    if (total) *total = calls.total(all);
  }

  ONEPASS_FUNCTION aggregate_type read(extent first, extent last, kept* keep) const
  {
    return calls.read(first, last, keep);
  }
  ONEPASS_FUNCTION aggregate_type write(extent first, extent last, aggregate_type const& before, kept const* keep) const
  {
    return calls.write(first, last, before, keep);
  }
  ONEPASS_FUNCTION aggregate_type walk(extent first, extent last, aggregate_type const& before) const
  {
    return calls.walk(first, last, before);
  }
};

}  // namespace onepass::ONEPASS_ABI
