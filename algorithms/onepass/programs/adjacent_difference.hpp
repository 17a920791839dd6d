// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/engine/items/program.hpp>
#include <onepass/operators.hpp>

namespace onepass::ONEPASS_ABI {

/// out(i) = op(in(i), in(i - 1)). What travels is the latest item, so that no tile reads an item of the tile before,
/// which may be overwritten: the output may be the input.
template <class In, class Out, class Op>
struct differences_program {
  using item_type      = typename In::value_type;
  using output_type    = typename Out::value_type;
  using memo_type      = bool;
  using aggregate_type = maybe<item_type>;

  static constexpr auto shape    = output_shape::mapped;
  static constexpr bool pure     = true;
  static constexpr bool commutes = false;

  In in;
  Out out;
  Op op;

  ONEPASS_FUNCTION In input() const { return in; }
  ONEPASS_FUNCTION Out output() const { return out; }
  ONEPASS_FUNCTION bool evaluate(extent, item_type const&) const { return false; }
  ONEPASS_FUNCTION aggregate_type lift(extent, item_type const& x, bool) const { return {x, true}; }
  ONEPASS_FUNCTION aggregate_type combine(aggregate_type const& a, aggregate_type const& b) const
  {
    return b.present ? b : a;
  }
  ONEPASS_FUNCTION static aggregate_type identity() { return {item_type{}, false}; }
  ONEPASS_FUNCTION aggregate_type initial() const { return identity(); }
  ONEPASS_FUNCTION output_type result(item_type const& x, bool, aggregate_type const& before) const
  {
    return before.present ? static_cast<output_type>(op(x, before.value)) : static_cast<output_type>(x);
  }
  ONEPASS_FUNCTION void finish(aggregate_type const&, extent) const {}
};

}  // namespace onepass::ONEPASS_ABI
