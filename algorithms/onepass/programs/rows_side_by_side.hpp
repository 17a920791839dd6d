// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/engine/ranges.hpp>
#include <onepass/sequences.hpp>

namespace onepass::ONEPASS_ABI {

template <class Sequence>
constexpr bool is_by_rows = false;
template <class T>
constexpr bool is_by_rows<by_rows<T>> = true;

/// Whether the items of a matrix's columns follow each other, of at least so many rows.
template <class T>
bool lies_side_by_side(by_rows<T> const& in, extent rows)
{
  return in.row_stride == 1 && in.columns > 1 && in.size >= rows * in.columns;
}

/// What is made of the rows of such a matrix by neighbouring threads, which then read neighbours: a range program, of
/// which position p is some columns of a row, the same of all rows and then the next. `Base` is a scan_program.
template <class Base>
struct rows_side_by_side {
  using item_type = typename Base::item_type;
  using aggregate = typename Base::aggregate_type;

  static constexpr extent alone_at_a_time = 64;

  Base base;
  extent rows, parts;
  aggregate* put_by;  ///< parts x rows: the sums of parts, or what precedes them; none of one part

  ONEPASS_FUNCTION extent size() const { return rows * parts; }
  extent bytes() const { return base.in.size * extent(sizeof(item_type)); }
  static constexpr int positions(team_tuning const& numbers)
  {
    return numbers.threads == 1 ? int(alone_at_a_time) : numbers.threads;
  }
  static constexpr int stage_words(int) { return 1; }

protected:
  ONEPASS_FUNCTION aggregate lifted(item_type const& x) const { return base.lift(0, x, base.evaluate(0, x)); }

  /// Some columns of a row, and how many of the rows that follow are of the same part.
  struct stretch {
    extent row, first, last, rows;
  };
  ONEPASS_FUNCTION stretch columns_of(extent p) const
  {
    extent const part = p / rows, row = p - part * rows, columns = base.in.columns;
    return {row, columns * part / parts, columns * (part + 1) / parts, rows - row};
  }

  /// Calls f(p, stretch, number) for all positions, up to 64 neighbours at a time.
  template <class F>
  ONEPASS_FUNCTION void each_block(extent first, extent last, F const& f) const
  {
    for (extent p = first, n; p < last; p += n) {
      stretch const here = columns_of(p);
      n                  = last - p < alone_at_a_time ? last - p : alone_at_a_time;
      if (n > here.rows) n = here.rows;
      f(p, here, n);
    }
  }

  /// Calls f(c, item) for the columns of a row, some of whose items are on their way at a time.
  template <class F>
  ONEPASS_FUNCTION void each_column(extent row, extent c, extent last, F const& f) const
  {
    constexpr int some = 8;
    auto const stride  = base.in.column_stride;
    auto const* from   = base.in.data + (row + c * stride);
    for (; c + some <= last; c += some, from += some * stride) {
      item_type items[some];
      ONEPASS_UNROLL for (int k = 0; k < some; ++k) items[k] = from[k * stride];
      ONEPASS_UNROLL for (int k = 0; k < some; ++k) f(c + k, items[k]);
    }
    for (; c < last; ++c, from += stride) f(c, *from);
  }
};

/// Sums of rows: out(r) = init · in(r, 0) · …; or, where they are put by, of their parts alone.
template <class Base, class Out>
struct sums_side_by_side : rows_side_by_side<Base> {
  using sides     = rows_side_by_side<Base>;
  using aggregate = typename sides::aggregate;
  using sides::base, sides::put_by;

  Out out;

  ONEPASS_FUNCTION void alone(extent first, extent last) const
  {
    sides::each_block(first, last, [&](extent p, typename sides::stretch const& here, extent n) {
      aggregate sums[sides::alone_at_a_time];
      extent const stride = base.in.column_stride;
      auto const* from    = base.in.data + (here.row + here.first * stride);
      for (extent r = 0; r < n; ++r) sums[r] = sides::lifted(from[r]);
      for (extent c = here.first + 1; c < here.last; ++c) {
        from += stride;
        for (extent r = 0; r < n; ++r) sums[r] = base.combine(sums[r], sides::lifted(from[r]));
      }
      for (extent r = 0; r < n; ++r) put(p + r, sums[r]);
    });
  }
  template <int Positions, class Team>
  ONEPASS_FUNCTION void together(Team const& team, extent, extent first, extent last) const
  {
    if constexpr (Team::threads == 1) return alone(first, last);
    for (extent p = first + team.rank(); p < last; p += Team::threads) {
      auto const here = sides::columns_of(p);
      aggregate x     = sides::lifted(base.in.data[here.row + here.first * base.in.column_stride]);
      sides::each_column(here.row, here.first + 1, here.last,
                         [&](extent, auto const& item) { x = base.combine(x, sides::lifted(item)); });
      put(p, x);
    }
  }

  ONEPASS_FUNCTION void put(extent p, aggregate const& x) const
  {
    if (put_by) put_by[p] = x;
    else if constexpr (!is_nothing<Out>)
      if (p < out.size) out(p) = static_cast<typename Out::value_type>(Base::held(base.combine(base.initial(), x)));
  }
};

/// Sums of rows, or of larger parts, each from up to `each` that were put by.
template <class Sums>
struct add_up_parts {
  static constexpr extent each = 64;

  Sums sums;
  typename Sums::aggregate const* from;
  extent parts;  ///< those there are

  ONEPASS_FUNCTION void operator()(extent p) const
  {
    extent const part = p / sums.rows, row = p - part * sums.rows, first = part * each;
    extent const last = first + each < parts ? first + each : parts;
    auto x            = from[first * sums.rows + row];
    for (extent k = first + 1; k < last; ++k) x = sums.base.combine(x, from[k * sums.rows + row]);
    sums.put(p, x);
  }
};

/// In place of the sums of a row's parts, what precedes each.
template <class Sides>
struct add_up_before {
  Sides sides;

  ONEPASS_FUNCTION void operator()(extent row) const
  {
    auto before = sides.base.initial();
    for (extent k = 0; k < sides.parts; ++k) {
      auto& here      = sides.put_by[k * sides.rows + row];
      auto const next = sides.base.combine(before, here);
      here            = before;
      before          = next;
    }
  }
};

/// Scans of rows, each part from what precedes it. The output lies as the input does, and may be the input.
template <class Base>
struct scans_side_by_side : rows_side_by_side<Base> {
  using sides     = rows_side_by_side<Base>;
  using aggregate = typename sides::aggregate;
  using sides::base, sides::put_by;

  ONEPASS_FUNCTION void alone(extent first, extent last) const
  {
    sides::each_block(first, last, [&](extent p, typename sides::stretch const& here, extent n) {
      aggregate before[sides::alone_at_a_time];
      for (extent r = 0; r < n; ++r) before[r] = preceding(p + r);
      for (extent c = here.first; c < here.last; ++c) {
        auto const* from = base.in.data + (here.row + c * base.in.column_stride);
        auto* to         = base.out.data + (here.row + c * base.out.column_stride);
        for (extent r = 0; r < n; ++r) to[r] = step(from[r], before[r]);
      }
    });
  }
  template <int Positions, class Team>
  ONEPASS_FUNCTION void together(Team const& team, extent, extent first, extent last) const
  {
    if constexpr (Team::threads == 1) return alone(first, last);
    for (extent p = first + team.rank(); p < last; p += Team::threads) {
      auto const here  = sides::columns_of(p);
      aggregate before = preceding(p);
      sides::each_column(here.row, here.first, here.last, [&](extent c, auto const& item) {
        base.out.data[here.row + c * base.out.column_stride] = step(item, before);
      });
    }
  }

private:
  ONEPASS_FUNCTION aggregate preceding(extent p) const { return put_by ? put_by[p] : base.initial(); }
  /// The result of an item, and what precedes the next.
  ONEPASS_FUNCTION auto step(typename sides::item_type const& item, aggregate& before) const
  {
    auto const x      = base.evaluate(0, item);
    auto const result = base.result(item, x, before);
    before            = base.combine(before, base.lift(0, item, x));
    return result;
  }
};

}  // namespace onepass::ONEPASS_ABI
