// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/engine/items/inside.hpp>
#include <onepass/engine/items/unmoved.hpp>
#include <onepass/operators.hpp>

namespace onepass::ONEPASS_ABI {

/// A value given on the host, or read on the device when the kernel runs.
template <class T>
struct given {
  T value{};
  T const* device = nullptr;
  ONEPASS_FUNCTION T operator()() const
  {
    if (device) return *device;  // to choose by ?: g++ takes the address of the value, and with it all around
    return value;
  }
};

/// Scan and reduce. The aggregate is the combination of transformed items.
///   exclusive: out(i) = init · f(in(0)) · … · f(in(i-1))
///   inclusive: out(i) = init · f(in(0)) · … · f(in(i))
///   nothing:   only the total
enum class scan_kind { exclusive, inclusive, total_only };

template <scan_kind Kind, class In, class Out, class T, class Op, class Transform>
struct scan_program {
  using item_type      = typename In::value_type;
  using output_type    = typename Out::value_type;
  using memo_type      = T;
  using algebra        = monoid<Op, T>;
  using aggregate_type = typename algebra::type;
  using operation      = Op;

  static constexpr auto shape     = Kind == scan_kind::total_only ? output_shape::none : output_shape::mapped;
  static constexpr bool pure      = repeatable<Transform, item_type>;
  static constexpr bool inclusive = Kind == scan_kind::inclusive;
  static constexpr bool commutes  = commuting<Op>;

  /// Without an init, nothing precedes the first item of an inclusive scan; others begin as the operator says.
  static constexpr bool begins_with_identity = Kind == scan_kind::inclusive || !algebra::has_initial;

  In in;
  Out out;
  algebra sum;
  Transform transform;
  given<T> init;
  bool has_init;
  T* total;

  ONEPASS_FUNCTION In input() const { return in; }
  ONEPASS_FUNCTION Out output() const { return out; }
  /// The item itself where it lies in memory and nothing is made of it: a struct that a loop copies passes through the
  /// stack.
  using evaluated_type =
      std::conditional_t<std::is_same_v<Transform, unchanged> && std::is_same_v<item_type, T> && of_objects<In>,
                         T const&, T>;
  ONEPASS_FUNCTION evaluated_type evaluate(extent, item_type const& x) const
  {
    return static_cast<evaluated_type>(transform(x));
  }
  ONEPASS_FUNCTION aggregate_type lift(extent, item_type const&, memo_type const& x) const { return algebra::lift(x); }
  ONEPASS_FUNCTION aggregate_type combine(aggregate_type const& a, aggregate_type const& b) const
  {
    return sum.combine(a, b);
  }
  ONEPASS_FUNCTION static aggregate_type identity() { return algebra::identity(); }
  ONEPASS_FUNCTION aggregate_type initial() const { return has_init ? algebra::lift(init()) : initial_without_init(); }
  ONEPASS_FUNCTION static aggregate_type initial_without_init()
  {
    if constexpr (begins_with_identity) return identity();
    else return algebra::initial();
  }

  ONEPASS_FUNCTION static bool holds(aggregate_type const& x) { return algebra::has_value(x); }
  ONEPASS_FUNCTION static T const& held(aggregate_type const& x) { return algebra::value(x); }
  ONEPASS_FUNCTION static aggregate_type holding(T const& x) { return algebra::lift(x); }
  ONEPASS_FUNCTION void add_value(T& now, extent, item_type const&, memo_type const& x) const
  {
    now = sum.combine_values(now, x);
  }
  template <class Put>
  ONEPASS_FUNCTION void step_value(T& now, extent, item_type const&, memo_type const& x, Put const& put) const
  {
    if constexpr (inclusive) put(now = sum.combine_values(now, x));
    else {
      T const before = now;
      now            = sum.combine_values(now, x);  // before x is overwritten in place
      put(before);
    }
  }

  ONEPASS_FUNCTION output_type result(item_type const&, memo_type const& x, aggregate_type const& before) const
  {
    if constexpr (Kind == scan_kind::inclusive)
      return static_cast<output_type>(algebra::value(combine(before, algebra::lift(x))));
    else return static_cast<output_type>(algebra::value(before));
  }

  ONEPASS_FUNCTION void finish(aggregate_type const& all, extent) const
  {
    if (total) *total = algebra::value(all);
  }
};

}  // namespace onepass::ONEPASS_ABI
