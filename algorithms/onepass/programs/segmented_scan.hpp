// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/engine/items/inside.hpp>
#include <onepass/operators.hpp>

namespace onepass::ONEPASS_ABI {

/// The combination since the last restart, and whether there was a restart.
template <class Aggregate>
struct since_restart {
  Aggregate value;
  bool restarted;
};

/// What a tile publishes of it.
template <class Aggregate>
struct word_form<since_restart<Aggregate>> {
  static constexpr int words = with_number<Aggregate>::words;

  ONEPASS_FUNCTION static void put(since_restart<Aggregate> const& x, std::uint32_t (&to)[words])
  {
    with_number<Aggregate>{x.value, x.restarted}.put(to);
  }
  ONEPASS_FUNCTION static since_restart<Aggregate> get(std::uint32_t const (&from)[words])
  {
    auto const made = with_number<Aggregate>::get(from);
    return {made.value, made.number != 0};
  }
};

template <class Memo>
struct with_head {
  Memo value;
  bool head;
};

/// Heads whose flags are in memory, one bit per item.
template <class H>
concept listed_heads = requires(H const h)
{
  h.words;
};

/// A base program that is restarted at every head, in one flat pass: the cost does not depend on the lengths of the
/// segments. `Heads` tells where: heads(i, item), or heads(i, item, previous), is true at a head; heads.words, if it
/// exists, is the array of these flags. If the base is pure, its memo is recomputed where it is needed, and only one
/// bit per item is carried. `HasInit`: the base has an initial value, with which every segment begins.
template <class Base, class Heads, bool HasInit>
struct segmented_scan_program {
  using item_type      = typename Base::item_type;
  using output_type    = typename Base::output_type;
  using memo_type      = std::conditional_t<Base::pure, bool, with_head<typename Base::memo_type>>;
  using aggregate_type = since_restart<typename Base::aggregate_type>;

  static constexpr auto shape    = Base::shape;
  static constexpr bool pure     = false;
  static constexpr bool commutes = false;

  /// What precedes an item that is no head is what the base says.
  static constexpr bool begins_as_base = HasInit || Base::begins_with_identity;

  static constexpr bool looks_behind = requires(Heads const h, extent i, item_type const& x) { h(i, x, x); };

  static constexpr bool flags_changes = Base::pure && requires { requires Heads::of_changes; };

  Base base;
  Heads heads;

  ONEPASS_FUNCTION auto input() const { return base.input(); }
  ONEPASS_FUNCTION auto changing() const requires(flags_changes) { return base.input().first; }
  ONEPASS_FUNCTION auto output() const { return base.output(); }

  template <class... Previous>
  ONEPASS_FUNCTION memo_type evaluate(extent i, item_type const& x, Previous const&... previous) const
  {
    if constexpr (Base::pure) return heads(i, x, previous...);
    else return {base.evaluate(i, x), heads(i, x, previous...)};
  }
  ONEPASS_FUNCTION std::uint32_t const* flag_words() const requires(listed_heads<Heads>&& Base::pure)
  {
    return heads.words;
  }
  ONEPASS_FUNCTION aggregate_type lift(extent i, item_type const& x, memo_type const& m) const
  {
    auto const own = base.lift(i, x, made(i, x, m));
    if constexpr (HasInit) return {flag_of(m) ? base.combine(base.initial(), own) : own, flag_of(m)};
    else return {own, flag_of(m)};
  }
  ONEPASS_FUNCTION aggregate_type combine(aggregate_type const& a, aggregate_type const& b) const
  {
    return {b.restarted ? b.value : base.combine(a.value, b.value), a.restarted || b.restarted};
  }
  ONEPASS_FUNCTION static aggregate_type identity() { return {Base::identity(), false}; }
  ONEPASS_FUNCTION aggregate_type initial() const { return identity(); }

  using inside = std::conditional_t<Base::pure, sums_since_flag<typename Base::algebra>, own_aggregates>;
  ONEPASS_FUNCTION auto const& sum_algebra() const { return base.sum; }
  ONEPASS_FUNCTION auto sum_of(item_type const& x, bool head) const { return lift(0, x, head).value; }
  ONEPASS_FUNCTION aggregate_type after(aggregate_type const& a,
                                        since_flag<typename Base::aggregate_type> const& b) const
  {
    return combine(a, {b.sum, b.flags > 0});
  }

  // What precedes an item, of which nobody asks whether there was a restart.
  ONEPASS_FUNCTION static bool holds(aggregate_type const& x) { return Base::holds(x.value); }
  ONEPASS_FUNCTION static auto held(aggregate_type const& x) requires(Base::pure) { return Base::held(x.value); }
  template <class T>
  ONEPASS_FUNCTION static aggregate_type holding(T const& x)
  {
    return {Base::holding(x), true};
  }
  template <class T>
  ONEPASS_FUNCTION void add_value(T& now, extent i, item_type const& x, memo_type const& m) const
  {
    now = flag_of(m) ? Base::held(lift(i, x, m).value) : base.sum.combine_values(now, made(i, x, m));
  }
  template <class T, class Put>
  ONEPASS_FUNCTION void step_value(T& now, extent i, item_type const& x, memo_type const& m, Put const& put) const
  {
    if constexpr (Base::inclusive) {
      add_value(now, i, x, m);
      put(now);
    } else if (!std::is_arithmetic_v<T> && begins_as_base && !flag_of(m))
      base.step_value(now, i, x, made(i, x, m), put);  // structs: by a branch, without copies
    else {
      output_type const before = result(x, m, holding(now));
      add_value(now, i, x, m);
      put(before);
    }
  }

  ONEPASS_FUNCTION output_type result(item_type const& x, memo_type const& m, aggregate_type const& before) const
  {
    return base.result(x, made(0, x, m), preceding(flag_of(m), before.value));
  }
  ONEPASS_FUNCTION void finish(aggregate_type const&, extent) const {}

private:
  ONEPASS_FUNCTION static bool flag_of(memo_type const& m)
  {
    if constexpr (Base::pure) return m;
    else return m.head;
  }
  /// What precedes an item in its segment; `before` is that unless the item is a head.
  ONEPASS_FUNCTION auto preceding(bool head, typename Base::aggregate_type const& before) const
  {
    if constexpr (HasInit) return head ? base.initial() : before;
    else if constexpr (Base::begins_with_identity) return head ? Base::identity() : before;
    else return base.combine(Base::initial_without_init(), head ? Base::identity() : before);
  }
  /// The base's memo of item i.
  ONEPASS_FUNCTION typename Base::memo_type made([[maybe_unused]] extent i, [[maybe_unused]] item_type const& x,
                                                 [[maybe_unused]] memo_type const& m) const
  {
    if constexpr (Base::pure) return base.evaluate(i, x);
    else return m.value;
  }
};

/// A head at the beginning of every row of `columns` items.
struct row_heads {
  extent columns;
  divisor by;

  row_heads(extent columns_, extent items)
      : columns(columns_)
      , by(columns_, items)
  {}
  template <class Item>
  ONEPASS_FUNCTION bool operator()(extent i, Item const&) const
  {
    return by.quotient(i) * columns == i;
  }
};

}  // namespace onepass::ONEPASS_ABI
