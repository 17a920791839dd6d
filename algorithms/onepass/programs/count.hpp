// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/engine/items/program.hpp>
#include <onepass/operators.hpp>

namespace onepass::ONEPASS_ABI {

/// How many items a predicate wants. Nothing is written of an item, so a machine of one pass evaluates it once, and
/// none has to carry what that gave.
template <class In, class Predicate, class Count>
struct count_program {
  using item_type      = typename In::value_type;
  using memo_type      = extent;
  using aggregate_type = extent;
  using operation      = plus;

  static constexpr auto shape    = output_shape::none;
  static constexpr bool pure     = true;
  static constexpr bool commutes = true;
  static constexpr bool tallies  = true;  ///< memos are 0 or 1, and the total is their sum

  In in;
  Predicate predicate;
  Count* count;

  ONEPASS_FUNCTION In input() const { return in; }
  ONEPASS_FUNCTION extent evaluate(extent, item_type const& x) const { return predicate(x) ? 1 : 0; }
  ONEPASS_FUNCTION extent lift(extent, item_type const&, extent wanted) const { return wanted; }
  ONEPASS_FUNCTION extent combine(extent a, extent b) const { return a + b; }
  ONEPASS_FUNCTION static extent identity() { return 0; }
  ONEPASS_FUNCTION extent initial() const { return 0; }
  ONEPASS_FUNCTION void finish(extent all, extent) const { *count = static_cast<Count>(all); }
};

}  // namespace onepass::ONEPASS_ABI
