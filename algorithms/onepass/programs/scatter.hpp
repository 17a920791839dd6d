// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/exact_sum.hpp>
#include <onepass/programs/apply_permutation.hpp>
#include <onepass/programs/exact_sums.hpp>

namespace onepass {

ONEPASS_FUNCTION bool is_below(extent i, extent n) { return std::uint64_t(i) < std::uint64_t(n); }

/// Row i of `to` becomes row indices(i) of `from`, or `Back`: row indices(i) of `to` becomes row i of `from`. `parts`
/// neighbouring calls share a row. Rows that there are not are neither read nor written.
template <bool Back, class Indices, class From, class To>
struct copy_rows {
  Indices indices;
  From from;
  To to;
  int parts;

  ONEPASS_FUNCTION void operator()(extent call) const
  {
    extent const row = parts == 1 ? call : call / parts, other = extent(indices(row));
    int const part = int(call - row * parts);
    if (!is_below(other, Back ? to.size : from.size)) return;
    if constexpr (Back) move_row(from, row, to, other, part, parts);
    else move_row(from, other, to, row, part, parts);
  }
};

/// Adds item by item, for integers: their sums do not depend on the order.
template <class Values, class Indices, class Out>
struct add_at_indices {
  Values values;
  Indices indices;
  Out out;
  extent columns;

  ONEPASS_FUNCTION void operator()(extent call) const
  {
    using T          = typename Out::value_type;
    extent const row = columns == 1 ? call : call / columns, at = extent(indices(row));
    int const e = int(call - row * columns);
    if (!is_below(at, out.size)) return;
    if constexpr (has_wide_rows<Out>) Kokkos::atomic_add(&out.at(at, e), static_cast<T>(values.at(row, e)));
    else Kokkos::atomic_add(&out(at), static_cast<T>(values(row)));
  }
};

/// The columns of a matrix, one after another, each in the order of its rows that a permutation gives.
template <class Order, class Rows>
struct permuted_columns {
  using value_type = typename Rows::value_type;

  Order order;
  Rows rows;
  extent size = order.size * rows.width;

  ONEPASS_FUNCTION value_type operator()(extent i) const
  {
    extent const column = i / order.size;
    return rows.at(extent(order(i - column * order.size)), int(column));
  }
};

/// Offsets of the segments of one column, repeated for each of the columns.
template <class Offsets>
struct repeated_offsets {
  using value_type = extent;

  Offsets offsets;
  extent items, columns;
  extent size = (offsets.size - 1) * columns + 1;

  ONEPASS_FUNCTION value_type operator()(extent s) const
  {
    extent const number = offsets.size - 1, column = columns == 1 ? 0 : s / number;
    return s == number * columns ? items * columns : column * items + extent(offsets(s - column * number));
  }
};

/// What the items of an output become when sums of segments are added to them, NaN where that is not held: in memory of
/// its own, since a machine may write a sum twice.
template <class Offsets, class Out>
struct added_sums {
  using value_type = held_sum;
  using number     = typename Out::value_type;

  Offsets offsets;
  Out out;
  number* made;
  extent size = offsets.size - 1;

  struct item {
    added_sums const& all;
    extent s;
    ONEPASS_FUNCTION void operator=(held_sum const& sum) const
    {
      all.made[s] = number(hold_plus()(sum, held_sum(double(all.at(s)))));
    }
  };
  ONEPASS_FUNCTION item operator()(extent s) const { return {*this, s}; }

  /// The item of the output that sum s is added to.
  ONEPASS_FUNCTION number& at(extent s) const
  {
    if constexpr (has_wide_rows<Out>) {
      extent const column = s / out.size;
      return out.at(s - column * out.size, int(column));
    } else return out(s);
  }
};

/// The same sums for make_sums_anew, which writes them.
template <class Offsets, class Out>
struct open_added_sums {
  added_sums<Offsets, Out> sums;

  ONEPASS_FUNCTION extent number() const { return sums.size; }
  ONEPASS_FUNCTION extent begin(extent s) const { return sums.offsets(s); }
  ONEPASS_FUNCTION extent end(extent s) const { return sums.offsets(s + 1); }
  ONEPASS_FUNCTION double before(extent s) const { return double(sums.at(s)); }
  ONEPASS_FUNCTION bool leaves_open(extent s) const
  {
    if (begin(s) == end(s)) return false;
    if (is_nan(sums.made[s])) return true;
    sums.at(s) = sums.made[s];
    return false;
  }
  template <class Sum>
  ONEPASS_FUNCTION void close(extent s, Sum& sum) const
  {
    sums.at(s) = sum.template rounded_away<typename Out::value_type>();
  }
};

}  // namespace onepass
