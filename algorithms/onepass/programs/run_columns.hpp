// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/programs/runs.hpp>
#include <onepass/programs/select.hpp>
#include <onepass/sequences.hpp>

namespace onepass {

// Runs of keys that are made of several columns, runs that are longer than 1, and runs that give their last key.

/// One item of several columns. Equal where all columns are.
template <class... Ts>
struct row_of {
  ONEPASS_FUNCTION friend bool operator==(row_of const&, row_of const&) { return true; }
};
template <class First, class... Rest>
struct row_of<First, Rest...> {
  First first;
  row_of<Rest...> rest;

  template <int C>
  ONEPASS_FUNCTION auto const& get() const
  {
    if constexpr (C == 0) return first;
    else return rest.template get<C - 1>();
  }
  ONEPASS_FUNCTION friend bool operator==(row_of const& a, row_of const& b)
  {
    return a.first == b.first && a.rest == b.rest;
  }
};

/// Sequences side by side, as a sequence of rows.
template <class... Columns>
struct rows_of;
template <>
struct rows_of<> {
  using value_type = row_of<>;
  ONEPASS_FUNCTION value_type operator()(extent) const { return {}; }
};
template <class First, class... Rest>
struct rows_of<First, Rest...> {
  using value_type = row_of<typename First::value_type, typename Rest::value_type...>;
  First first;
  rows_of<Rest...> rest;
  extent size = first.size;
  ONEPASS_FUNCTION value_type operator()(extent i) const { return {first(i), rest(i)}; }
};

inline rows_of<> make_rows() { return {}; }
template <class First, class... Rest>
rows_of<First, Rest...> make_rows(First const& first, Rest const&... rest)
{
  return {first, make_rows(rest...)};
}

/// Column C of a kept row.
template <int C>
struct write_part {
  template <class Row>
  ONEPASS_FUNCTION auto operator()(extent, Row const& x) const
  {
    return x.template get<C>();
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
  ONEPASS_FUNCTION extent place(extent i, latest_run const& before) const
  {
    return base::template place<C == parts>(i, before);
  }
  template <int C>
  ONEPASS_FUNCTION auto value(extent i, item_type const& x, bool head, latest_run const& before) const
  {
    if constexpr (C < parts) return x.template get<C>();
    else return base::template value<1>(i, x, head, before);
  }
};

/// Runs longer than 1: how many have begun and ended, and where the latest begins.
struct long_runs {
  extent begun, ended, begin;
};

/// Every item with the one before it; item 0 with itself.
template <class In>
struct with_previous {
  using value_type = pair_item<typename In::value_type, typename In::value_type>;
  In in;
  extent size = in.size;
  ONEPASS_FUNCTION value_type operator()(extent i) const { return {in(i > 0 ? i - 1 : 0), in(i)}; }
};

/// non_trivial_runs: the second item of a run shows that it is one, the head of the next how long it was.
template <class In, class Equal, class Count, class Offsets, class Lengths>
struct long_runs_program {
  using item_type      = typename with_previous<In>::value_type;
  using memo_type      = std::uint8_t;  ///< what an item, seen with the two before it, shows: one of these
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
  ONEPASS_FUNCTION extent place(extent, long_runs const& before) const
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

/// reduce_by_key that gives the last key of every run: the one before the next head.
template <class In, class Equal, class Op, class T, class Count, class KeysOut, class SumsOut>
struct reduce_by_last_key_program : reduce_by_key_program<In, Equal, Op, T, Count, KeysOut, SumsOut> {
  using base           = reduce_by_key_program<In, Equal, Op, T, Count, KeysOut, SumsOut>;
  using item_type      = typename base::item_type;
  using aggregate_type = typename base::aggregate_type;

  template <int C>
  ONEPASS_FUNCTION extent place(extent, aggregate_type const& before) const
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

}  // namespace onepass
