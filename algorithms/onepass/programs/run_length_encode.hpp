// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/columns.hpp>
#include <onepass/engine/items/inside.hpp>
#include <onepass/sequences.hpp>

namespace onepass::ONEPASS_ABI {

// Programs over runs of equal items. A run's result is written when the next run begins; that of the last run, at the
// end.

/// The number of runs that have begun, and where the latest one began.
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

  static constexpr auto shape         = output_shape::compacted;
  static constexpr int columns        = 2;
  static constexpr bool pure          = false;
  static constexpr bool commutes      = true;  // positions grow, so the latest is the largest
  static constexpr bool looks_behind  = true;
  static constexpr bool flags_changes = std::is_same_v<Equal, equal_to>;
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
  /// The length of a run is known at the head of the next one, so it goes one position before that head's own.
  template <int C>
  ONEPASS_FUNCTION extent position(extent, latest_run const& before) const
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

/// run_length_encode of rows: a column for each part of the symbol, then the lengths.
template <class In, class Equal, class Count, class Lengths, class... Symbols>
struct run_length_rows_program : run_length_program<In, Equal, Count, nothing, Lengths> {
  using base      = run_length_program<In, Equal, Count, nothing, Lengths>;
  using item_type = typename base::item_type;

  static constexpr int parts   = sizeof...(Symbols);
  static constexpr int columns = parts + 1;
  template <int>
  static constexpr bool copies = false;

  columns_of<Symbols...> outputs;

  template <int C>
  ONEPASS_FUNCTION auto column() const
  {
    if constexpr (C < parts) return outputs.template get<C>();
    else return this->lengths;
  }
  template <int C>
  ONEPASS_FUNCTION extent position(extent i, latest_run const& before) const
  {
    return base::template position<C == parts>(i, before);
  }
  template <int C>
  ONEPASS_FUNCTION auto value(extent i, item_type const& x, bool head, latest_run const& before) const
  {
    if constexpr (C < parts) return x.template get<C>();
    else return base::template value<1>(i, x, head, before);
  }
};

/// For runs longer than 1: the numbers of runs that have begun and that have ended, and where the latest begins.
struct long_runs {
  extent begun, ended, begin;
};

/// Every item paired with the one before it; item 0 with itself.
template <class In>
struct with_previous {
  using value_type = pair_item<typename In::value_type, typename In::value_type>;
  In in;
  extent size = in.size;
  ONEPASS_FUNCTION value_type operator()(extent i) const { return {in(i > 0 ? i - 1 : 0), in(i)}; }
};

/// non_trivial_runs: at the second item of a run it is known that the run is longer than 1; at the head of the next
/// one, how long it is.
template <class In, class Equal, class Count, class Offsets, class Lengths>
struct long_runs_program {
  using item_type      = typename with_previous<In>::value_type;
  using memo_type      = std::uint8_t;  ///< what an item and the two before it show; one of:
  using aggregate_type = long_runs;
  using offset         = typename Offsets::value_type;
  using length         = typename Lengths::value_type;

  static constexpr auto shape        = output_shape::compacted;
  static constexpr int columns       = 2;
  static constexpr bool pure         = false;
  static constexpr bool commutes     = true;  // positions grow, so the latest is the largest
  static constexpr bool looks_behind = true;

  static constexpr memo_type nothing_new = 0, run_begins = 1, run_ends = 2;

  In in;
  Equal equal;
  Count* runs;
  Offsets offsets;
  Lengths lengths;

  ONEPASS_FUNCTION with_previous<In> input() const { return {in}; }
  ONEPASS_FUNCTION memo_type evaluate(extent i, item_type const& x, item_type const& before) const
  {
    bool const joined = i > 0 && equal(x.first, x.second), joined_before = i > 1 && equal(before.first, before.second);
    return joined == joined_before ? nothing_new : joined ? run_begins : run_ends;
  }
  ONEPASS_FUNCTION long_runs lift(extent i, item_type const&, memo_type m) const
  {
    return {m == run_begins, m == run_ends, m == run_begins ? i - 1 : 0};
  }
  ONEPASS_FUNCTION long_runs combine(long_runs const& a, long_runs const& b) const
  {
    return {a.begun + b.begun, a.ended + b.ended, a.begin < b.begin ? b.begin : a.begin};
  }
  ONEPASS_FUNCTION static long_runs identity() { return {0, 0, 0}; }
  ONEPASS_FUNCTION long_runs initial() const { return identity(); }
  ONEPASS_FUNCTION void finish(long_runs const& all, extent n) const
  {
    if (all.begun > all.ended && all.ended < lengths.size) lengths(all.ended) = length(n - all.begin);
    *runs = Count(all.begun);
  }

  template <int C>
  ONEPASS_FUNCTION auto column() const
  {
    if constexpr (C == 0) return offsets;
    else return lengths;
  }
  template <int C>
  ONEPASS_FUNCTION static constexpr bool keeps(memo_type m)
  {
    return m == (C == 0 ? run_begins : run_ends);
  }
  template <int C>
  ONEPASS_FUNCTION extent position(extent, long_runs const& before) const
  {
    return C == 0 ? before.begun : before.ended;
  }
  template <int C>
  ONEPASS_FUNCTION auto value(extent i, item_type const&, memo_type, long_runs const& before) const
  {
    if constexpr (C == 0) return offset(i - 1);
    else return length(i - before.begin);
  }
};

}  // namespace onepass::ONEPASS_ABI
