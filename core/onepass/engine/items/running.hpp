// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/engine/items/program.hpp>

namespace onepass::ONEPASS_ABI {

/// A program whose aggregates hold a value once an item was there:
///   holds(aggregate)                  whether it does; static
///   held(aggregate)                   that value; static
///   holding(value)                    such an aggregate; static
///   add_value(value&, i, x, m)        adds item i
///   step_value(value&, i, x, m, put)  where it is mapped: the same, and calls put(what is written for the item)
/// A loop over items that are there keeps the value alone: a flag beside it, even if it never changes, is copied with
/// it through memory.
template <class P>
concept holds_values = requires(P const p, typename P::aggregate_type const& a)
{
  P::holding(P::held(a));
};

/// What a loop keeps of everything so far: an aggregate.
template <class P>
struct running_aggregate {
  using type = typename P::aggregate_type;
  using item = typename P::item_type;
  using memo = typename P::memo_type;

  static bool holds(type const&) { return true; }
  static type const& of(type const& a) { return a; }
  static type const& whole(type const& now) { return now; }
  [[gnu::always_inline]] static void add(P const& p, type& now, extent i, item const& x, memo const& m)
  {
    now = p.combine(now, p.lift(i, x, m));
  }
  template <class Put>
  [[gnu::always_inline]] static void step(P const& p, type& now, extent i, item const& x, memo const& m, Put const& put)
  {
    auto own = p.lift(i, x, m);  // before x is overwritten in place
    put(p.result(x, m, now));
    now = p.combine(now, own);
  }
};

/// The same behind its first item.
template <class P>
struct running : running_aggregate<P> {};
template <holds_values P>
struct running<P> {
  using aggregate = typename P::aggregate_type;
  using type      = std::remove_cvref_t<decltype(P::held(std::declval<aggregate const&>()))>;
  using item      = typename P::item_type;
  using memo      = typename P::memo_type;

  static bool holds(aggregate const& a) { return P::holds(a); }
  static type of(aggregate const& a) { return P::held(a); }
  static aggregate whole(type const& now) { return P::holding(now); }
  [[gnu::always_inline]] static void add(P const& p, type& now, extent i, item const& x, memo const& m)
  {
    p.add_value(now, i, x, m);
  }
  template <class Put>
  [[gnu::always_inline]] static void step(P const& p, type& now, extent i, item const& x, memo const& m, Put const& put)
  {
    p.step_value(now, i, x, m, put);
  }
};

}  // namespace onepass::ONEPASS_ABI
