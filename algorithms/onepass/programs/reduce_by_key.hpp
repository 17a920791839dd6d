// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/engine/items/inside.hpp>
#include <onepass/operators.hpp>
#include <onepass/programs/scan_by_key.hpp>

namespace onepass::ONEPASS_ABI {

// Programs over runs of equal keys. A run's result is written when the next run begins; that of the last run, at the
// end.

/// The number of runs that have begun, and the combination of the latest one so far.
template <class Aggregate>
struct latest_sum {
  extent heads;
  Aggregate sum;
};

/// Base of programs that combine Value{}(item) over each run, in the type T. The memo is whether the item is a head.
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

  static constexpr int columns        = 2;
  static constexpr bool looks_behind  = true;
  static constexpr bool flags_changes = std::is_same_v<Equal, equal_to>;

  In in;
  Equal equal;
  Count* runs;
  KeysOut keys_out;
  SumsOut sums_out;

  ONEPASS_FUNCTION In input() const { return in; }
  ONEPASS_FUNCTION auto changing() const { return in.first; }
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
  ONEPASS_FUNCTION extent position(extent, aggregate_type const& before) const
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

/// reduce_by_key with the last key of every run: the key before the next head.
template <class In, class Equal, class Op, class T, class Count, class KeysOut, class SumsOut>
struct reduce_by_last_key_program : reduce_by_key_program<In, Equal, Op, T, Count, KeysOut, SumsOut> {
  using base           = reduce_by_key_program<In, Equal, Op, T, Count, KeysOut, SumsOut>;
  using item_type      = typename base::item_type;
  using aggregate_type = typename base::aggregate_type;

  template <int C>
  ONEPASS_FUNCTION extent position(extent, aggregate_type const& before) const
  {
    return before.heads - 1;
  }
  template <int C>
  ONEPASS_FUNCTION auto value(extent i, item_type const& x, bool head, aggregate_type const& before) const
  {
    if constexpr (C == 0) return this->in.first(i - 1);
    else return base::template value<C>(i, x, head, before);
  }
  ONEPASS_FUNCTION void finish(aggregate_type const& all, extent n) const
  {
    if (n > 0 && all.heads <= this->keys_out.size) this->keys_out(all.heads - 1) = this->in.first(n - 1);
    base::finish(all, n);
  }
};

}  // namespace onepass::ONEPASS_ABI
