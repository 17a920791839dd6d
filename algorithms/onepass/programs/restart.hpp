// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/engine/program.hpp>
#include <onepass/operators.hpp>

namespace onepass {

/// What came together since the last restart, and whether there was one.
template <class Aggregate>
struct since_restart {
  Aggregate value;
  bool      restarted;
};

template <class Memo>
struct with_head {
  Memo value;
  bool head;
};

/// A program begun anew at every head, in one flat pass: the cost does not depend on how long the stretches are.
/// `Heads` says where: heads(i, item), or heads(i, item, previous), is true.
template <class Base, class Heads>
struct restarting_program {
  using item_type      = typename Base::item_type;
  using output_type    = typename Base::output_type;
  using memo_type      = with_head<typename Base::memo_type>;
  using aggregate_type = since_restart<typename Base::aggregate_type>;

  static constexpr auto shape    = Base::shape;
  static constexpr bool pure     = Base::pure && repeatable<Heads, item_type>;
  static constexpr bool commutes = false;

  static constexpr bool looks_behind = requires(Heads const h, extent i, item_type const& x) { h(i, x, x); };

  Base  base;
  Heads heads;

  ONEPASS_FUNCTION auto input() const { return base.input(); }
  ONEPASS_FUNCTION auto output() const { return base.output(); }

  template <class... Previous>
  ONEPASS_FUNCTION memo_type evaluate(extent i, item_type const& x, Previous const&... previous) const
  {
    return {base.evaluate(i, x), heads(i, x, previous...)};
  }
  ONEPASS_FUNCTION aggregate_type lift(extent i, item_type const& x, memo_type const& m) const
  {
    const auto own = base.lift(i, x, m.value);
    return {m.head ? base.combine(base.initial(), own) : own, m.head};
  }
  ONEPASS_FUNCTION aggregate_type combine(aggregate_type const& a, aggregate_type const& b) const
  {
    return {b.restarted ? b.value : base.combine(a.value, b.value), a.restarted || b.restarted};
  }
  ONEPASS_FUNCTION static aggregate_type identity() { return {Base::identity(), false}; }
  ONEPASS_FUNCTION aggregate_type initial() const { return identity(); }

  ONEPASS_FUNCTION output_type result(item_type const& x, memo_type const& m, aggregate_type const& before) const
  {
    return base.result(x, m.value, m.head ? base.initial() : before.value);
  }
  ONEPASS_FUNCTION void finish(aggregate_type const&, extent) const {}
};

/// A head at the beginning of every row of `columns` items.
struct row_heads {
  extent columns;

  template <class Item>
  ONEPASS_FUNCTION bool operator()(extent i, Item const&) const
  {
    if (i < extent(1) << 32 && columns < extent(1) << 32) return std::uint32_t(i) % std::uint32_t(columns) == 0;  // the cheaper division
    return i % columns == 0;
  }
};

template <class T>
constexpr bool repeatable<row_heads, T> = true;

/// Over {key, value} pairs: a head wherever the key differs from the one before.
template <class Equal>
struct key_heads {
  Equal equal;
  template <class Item>
  ONEPASS_FUNCTION bool operator()(extent i, Item const& x, Item const& previous) const { return i == 0 || !equal(previous.first, x.first); }
};

/// The values of {key, value} pairs.
template <class T>
struct second_of {
  template <class Pair>
  ONEPASS_FUNCTION T operator()(Pair const& x) const { return static_cast<T>(x.second); }
};

template <class Equal, class Key, class Value>
constexpr bool repeatable<key_heads<Equal>, pair_item<Key, Value>> = repeatable<Equal, Key>;
template <class T, class Key, class Value>
constexpr bool repeatable<second_of<T>, pair_item<Key, Value>> = std::is_arithmetic_v<Value> && std::is_arithmetic_v<T>;

}  // namespace onepass
