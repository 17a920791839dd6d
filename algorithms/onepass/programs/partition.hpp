// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/programs/select.hpp>

namespace onepass::ONEPASS_ABI {

/// Two parts, each in input order: the kept items and the others. `others_from` is where the second part begins: 0 in
/// an output of its own, the number of kept items if both parts share an output.
template <class In, class Keep, class Count, class Kept, class Others>
struct partition_program : select_program<In, Keep, Count> {
  using base      = select_program<In, Keep, Count>;
  using item_type = typename base::item_type;

  static constexpr int columns = 2;
  template <int>
  static constexpr bool copies = true;

  Kept kept;
  Others others;
  Count const* others_from;

  template <int C>
  ONEPASS_FUNCTION auto column() const
  {
    if constexpr (C == 0) return kept;
    else return others;
  }
  template <int C>
  ONEPASS_FUNCTION static constexpr bool keeps(bool is_kept)
  {
    return is_kept == (C == 0);
  }
  template <int C>
  ONEPASS_FUNCTION extent position(extent i, extent before) const
  {
    if constexpr (C == 0) return before;
    else return i - before + (others_from ? extent(*others_from) : 0);
  }
  template <int C>
  ONEPASS_FUNCTION item_type const& value(extent, item_type const& x, bool, extent) const
  {
    return x;
  }
};

/// The numbers of items in the first and the second of three parts.
struct two_counts {
  extent first, second;
};

/// Three parts, each in input order, each with an output of its own: `Classify` gives 0, 1 or 2.
template <class In, class Classify, class Counts, class... Parts>
struct three_way_program {
  using item_type      = typename In::value_type;
  using memo_type      = std::uint8_t;
  using aggregate_type = two_counts;
  using inside         = part_counts;

  static constexpr auto shape    = output_shape::compacted;
  static constexpr int columns   = 3;
  static constexpr bool pure     = false;
  static constexpr bool commutes = true;
  template <int>
  static constexpr bool copies = true;

  In in;
  Classify classify;
  Counts counts;  ///< the sizes of the first, the second and the third part
  columns_of<Parts...> parts;

  ONEPASS_FUNCTION In input() const { return in; }
  ONEPASS_FUNCTION memo_type evaluate(extent, item_type const& x) const { return memo_type(classify(x)); }
  ONEPASS_FUNCTION two_counts lift(extent, item_type const&, memo_type part) const { return {part == 0, part == 1}; }
  ONEPASS_FUNCTION two_counts combine(two_counts const& a, two_counts const& b) const
  {
    return {a.first + b.first, a.second + b.second};
  }
  ONEPASS_FUNCTION static two_counts identity() { return {0, 0}; }
  ONEPASS_FUNCTION two_counts initial() const { return {0, 0}; }
  ONEPASS_FUNCTION two_counts after(two_counts const& before, extent first, extent second) const
  {
    return {before.first + first, before.second + second};
  }
  ONEPASS_FUNCTION void finish(two_counts const& all, extent n) const
  {
    using count = typename Counts::value_type;
    counts(0)   = count(all.first);
    counts(1)   = count(all.second);
    counts(2)   = count(n - all.first - all.second);
  }

  template <int C>
  ONEPASS_FUNCTION auto column() const
  {
    return parts.template get<C>();
  }
  template <int C>
  ONEPASS_FUNCTION static constexpr bool keeps(memo_type part)
  {
    return part == C;
  }
  template <int C>
  ONEPASS_FUNCTION extent position(extent i, two_counts const& before) const
  {
    return C == 0 ? before.first : C == 1 ? before.second : i - before.first - before.second;
  }
  template <int C>
  ONEPASS_FUNCTION item_type const& value(extent, item_type const& x, memo_type, two_counts const&) const
  {
    return x;
  }
};

}  // namespace onepass::ONEPASS_ABI
