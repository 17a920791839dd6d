// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/engine/ranges.hpp>
#include <onepass/programs/segmented_reduce.hpp>

#include <algorithm>

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

/// reduce_rows of such a matrix, a range program: position p is a row's sum of some columns, the same of all rows and
/// then the next. Threads that are neighbours read neighbours. Where a row has several sums, they are put by.
template <class In, class Offsets, class Out, class Op, class T>
struct sums_side_by_side : sums_of_segments<In, Offsets, Out, Op, T> {
  using base    = sums_of_segments<In, Offsets, Out, Op, T>;
  using partial = typename base::partial;
  using base::in, base::sum;

  static constexpr extent alone_at_a_time = 64;

  extent rows, parts;
  partial* put_by;  ///< parts x rows; none of one part

  ONEPASS_FUNCTION extent size() const { return rows * parts; }
  static constexpr int positions(team_tuning const& numbers)
  {
    return numbers.threads == 1 ? int(alone_at_a_time) : numbers.threads;
  }
  static constexpr int stage_words(int) { return 1; }

  ONEPASS_FUNCTION void alone(extent first, extent last) const
  {
    for (extent p = first, n; p < last; p += n) {
      extent const part = p / rows, row = p - part * rows;
      n = last - p < alone_at_a_time ? last - p : alone_at_a_time;
      if (n > rows - row) n = rows - row;
      partial sums[alone_at_a_time];
      extent c         = columns_before(part);
      auto const* from = in.data + (row + c * in.column_stride);
      for (extent r = 0; r < n; ++r) sums[r] = base::lifted(from[r]);
      for (extent const end = columns_before(part + 1); ++c < end;) {
        from += in.column_stride;
        for (extent r = 0; r < n; ++r) sums[r] = sum.combine(sums[r], base::lifted(from[r]));
      }
      for (extent r = 0; r < n; ++r) put(p + r, sums[r]);
    }
  }

  template <int Positions, class Team>
  ONEPASS_FUNCTION void together(Team const& team, extent, extent first, extent last) const
  {
    if constexpr (Team::threads == 1) alone(first, last);
    else
      for (extent p = first + team.rank(); p < last; p += Team::threads) {
        extent const part = p / rows, row = p - part * rows;
        put(p, sum_of(row, columns_before(part), columns_before(part + 1)));
      }
  }

  ONEPASS_FUNCTION void put(extent p, partial const& x) const
  {
    if (put_by) put_by[p] = x;
    else base::write(p, base::finished(x, base::beginning()));
  }

private:
  ONEPASS_FUNCTION extent columns_before(extent part) const { return in.columns * part / parts; }
  /// Of columns [c, end), at least one; some items are on their way at a time.
  ONEPASS_FUNCTION partial sum_of(extent row, extent c, extent end) const
  {
    constexpr int some = 8;
    auto const* from   = in.data + (row + c * in.column_stride);
    partial x          = base::lifted(*from);
    for (++c, from += in.column_stride; c + some <= end; c += some, from += some * in.column_stride) {
      typename base::item items[some];
      ONEPASS_UNROLL for (int k = 0; k < some; ++k) items[k] = from[k * in.column_stride];
      ONEPASS_UNROLL for (int k = 0; k < some; ++k) x        = sum.combine(x, base::lifted(items[k]));
    }
    for (; c < end; ++c, from += in.column_stride) x = sum.combine(x, base::lifted(*from));
    return x;
  }
};

/// Sums of rows, or of larger parts, each from up to `each` that were put by.
template <class Sums>
struct add_up_parts {
  static constexpr extent each = 64;

  Sums sums;
  typename Sums::partial const* from;
  extent parts;  ///< those there are

  ONEPASS_FUNCTION void operator()(extent p) const
  {
    extent const part = p / sums.rows, row = p - part * sums.rows, first = part * each;
    extent const last = first + each < parts ? first + each : parts;
    auto x            = from[first * sums.rows + row];
    for (extent k = first + 1; k < last; ++k) x = sums.sum.combine(x, from[k * sums.rows + row]);
    sums.put(p, x);
  }
};

}  // namespace onepass::ONEPASS_ABI
