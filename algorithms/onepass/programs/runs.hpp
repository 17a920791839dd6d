// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/columns.hpp>
#include <onepass/engine/inside.hpp>
#include <onepass/operators.hpp>
#include <onepass/programs/restart.hpp>

namespace onepass {

// Programs over runs: stretches of items with equal keys. A run is written when the next one begins; the last at the
// end.

/// How many runs have begun, and where the latest did.
struct latest_run {
  extent heads, begin;
};

/// Run-length encoding: symbols(k) and lengths(k) of the k-th run.
template <class In, class Equal, class Count, class Symbols, class Lengths>
struct run_length_program {
  using item_type      = typename In::value_type;
  using memo_type      = bool;
  using aggregate_type = latest_run;
  using inside         = flag_counts;
  using length         = typename Lengths::value_type;

  static constexpr auto shape        = output_shape::compacted;
  static constexpr int columns       = 2;
  static constexpr bool pure         = false;
  static constexpr bool commutes     = true;  // positions grow, so the latest is the largest
  static constexpr bool looks_behind = true;
  template <int C>
  static constexpr bool copies = C == 0;

  In in;
  Equal equal;
  Count* runs;
  Symbols symbols;
  Lengths lengths;

  ONEPASS_FUNCTION In input() const { return in; }
  ONEPASS_FUNCTION bool evaluate(extent i, item_type const& x, item_type const& previous) const
  {
    return i == 0 || !equal(previous, x);
  }
  ONEPASS_FUNCTION latest_run lift(extent i, item_type const&, bool head) const { return {head, head ? i : 0}; }
  ONEPASS_FUNCTION latest_run after(latest_run const& before, extent heads, extent latest) const
  {
    return {before.heads + heads, heads ? latest : before.begin};
  }
  ONEPASS_FUNCTION latest_run combine(latest_run const& a, latest_run const& b) const
  {
    return {a.heads + b.heads, a.begin < b.begin ? b.begin : a.begin};
  }
  ONEPASS_FUNCTION static latest_run identity() { return {0, 0}; }
  ONEPASS_FUNCTION latest_run initial() const { return {0, 0}; }
  ONEPASS_FUNCTION void finish(latest_run const& all, extent n) const
  {
    if (all.heads > 0 && all.heads <= lengths.size) lengths(all.heads - 1) = length(n - all.begin);
    *runs = Count(all.heads);
  }

  template <int C>
  ONEPASS_FUNCTION auto column() const
  {
    if constexpr (C == 0) return symbols;
    else return lengths;
  }
  template <int C>
  ONEPASS_FUNCTION static constexpr bool keeps(bool head)
  {
    return head;
  }
  /// The length of a run is known at the head of the next: one place later in the items, one earlier in the column.
  template <int C>
  ONEPASS_FUNCTION extent place(extent, latest_run const& before) const
  {
    return C == 0 ? before.heads : before.heads - 1;
  }
  template <int C>
  ONEPASS_FUNCTION auto value(extent i, item_type const& x, bool, latest_run const& before) const
  {
    if constexpr (C == 0) return x;
    else return length(i - before.begin);
  }
};

/// How many runs have begun, and what the latest has combined.
template <class Aggregate>
struct latest_sum {
  extent heads;
  Aggregate sum;
};

/// What programs share that combine Value{}(item) of the items from every head on, in the type T. The memo says: a
/// head.
template <class Op, class T, class Value>
struct sums_of_runs {
  using memo_type      = bool;
  using algebra        = monoid<Op, T>;
  using aggregate_type = latest_sum<typename algebra::type>;

  static constexpr auto shape    = output_shape::compacted;
  static constexpr bool pure     = false;
  static constexpr bool commutes = false;

  algebra sum;

  template <class Item>
  ONEPASS_FUNCTION static aggregate_type lift(extent, Item const& x, bool head)
  {
    return {head, sum_of(x, head)};
  }
  ONEPASS_FUNCTION aggregate_type combine(aggregate_type const& a, aggregate_type const& b) const
  {
    return {a.heads + b.heads, b.heads ? b.sum : sum.combine(a.sum, b.sum)};
  }
  ONEPASS_FUNCTION static aggregate_type identity() { return {0, algebra::identity()}; }
  ONEPASS_FUNCTION static aggregate_type initial() { return identity(); }

  using inside = sums_since_flag<algebra>;
  ONEPASS_FUNCTION algebra const& sum_algebra() const { return sum; }
  template <class Item>
  ONEPASS_FUNCTION static auto sum_of(Item const& x, bool)
  {
    return algebra::lift(static_cast<T>(Value{}(x)));
  }
  ONEPASS_FUNCTION aggregate_type after(aggregate_type const& a, since_flag<typename algebra::type> const& b) const
  {
    return combine(a, {extent(b.flags), b.sum});
  }
};

/// reduce_by_key: the k-th run's key and the combination of its values.
template <class In, class Equal, class Op, class T, class Count, class KeysOut, class SumsOut>
struct reduce_by_key_program : sums_of_runs<Op, T, second_of<T>> {
  using item_type = typename In::value_type;  // {first: key, second: value}
  using sums      = sums_of_runs<Op, T, second_of<T>>;
  using typename sums::aggregate_type;
  using typename sums::algebra;
  using sum_type = typename SumsOut::value_type;

  static constexpr int columns       = 2;
  static constexpr bool looks_behind = true;

  In in;
  Equal equal;
  Count* runs;
  KeysOut keys_out;
  SumsOut sums_out;

  ONEPASS_FUNCTION In input() const { return in; }
  ONEPASS_FUNCTION bool evaluate(extent i, item_type const& x, item_type const& previous) const
  {
    return i == 0 || !equal(previous.first, x.first);
  }
  ONEPASS_FUNCTION void finish(aggregate_type const& all, extent) const
  {
    if (all.heads > 0 && all.heads <= sums_out.size) sums_out(all.heads - 1) = sum_type(algebra::value(all.sum));
    *runs = Count(all.heads);
  }

  template <int C>
  ONEPASS_FUNCTION auto column() const
  {
    if constexpr (C == 0) return keys_out;
    else return sums_out;
  }
  template <int C>
  ONEPASS_FUNCTION static constexpr bool keeps(bool head)
  {
    return head;
  }
  template <int C>
  ONEPASS_FUNCTION extent place(extent, aggregate_type const& before) const
  {
    return C == 0 ? before.heads : before.heads - 1;
  }
  template <int C>
  ONEPASS_FUNCTION auto value(extent, item_type const& x, bool, aggregate_type const& before) const
  {
    if constexpr (C == 0) return x.first;
    else return sum_type(algebra::value(before.sum));
  }
};

}  // namespace onepass
