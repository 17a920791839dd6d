// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/engine/sums.hpp>
#include <onepass/exact_sum.hpp>
#include <onepass/programs/apply_permutation.hpp>
#include <onepass/programs/exact_sums.hpp>

#include <type_traits>

namespace onepass::ONEPASS_ABI {

/// Rows for each value; of more, only those that are met are looked at.
inline constexpr extent sparse_rows = 4;

ONEPASS_FUNCTION bool is_below(extent i, extent n) { return std::uint64_t(i) < std::uint64_t(n); }

/// A sum as it is written: +0.0 if it is zero, also where it is too small for f32. So what is -0.0 has had nothing
/// added but zeros, if anything.
template <std::floating_point T>
ONEPASS_FUNCTION T with_positive_zero(T sum)
{
  return sum + T(0);
}

/// Row i of `to` becomes row indices(i) of `from`, or `Back`: row indices(i) of `to` becomes row i of `from`. Rows that
/// there are not are neither read nor written.
template <bool Back, class Indices, class From, class To>
struct copy_rows {
  static constexpr bool wide         = has_wide_rows<To>;
  static constexpr std::size_t bytes = sizeof(typename To::value_type);

  Indices indices;
  From from;
  To to;

  ONEPASS_FUNCTION void operator()(extent row, int part, int parts) const
  {
    extent const other = extent(indices(row));
    if (!is_below(other, Back ? to.size : from.size)) return;
    if constexpr (Back) move_row(from, row, to, other, part, parts);
    else move_row(from, other, to, row, part, parts);
  }
  template <int Rows>
  ONEPASS_FUNCTION void operator()(extent const (&row)[Rows], bool const (&wanted)[Rows]) const
  {
    extent other[Rows];
    bool there[Rows];
    ONEPASS_UNROLL for (int k = 0; k < Rows; ++k) other[k] = wanted[k] ? extent(indices(row[k])) : -1;
    ONEPASS_UNROLL for (int k = 0; k < Rows; ++k) there[k] = is_below(other[k], Back ? to.size : from.size);
    if constexpr (Back) move_rows(from, row, to, other, there);
    else move_rows(from, other, to, row, there);
  }
};

/// The positions in `to`, row by row, that rows of items are added to; -1 where there is no such row.
template <class Indices>
struct indexed_positions {
  using value_type = extent;

  Indices indices;
  extent rows, columns;  ///< of the output
  extent size = indices.size * columns;

  ONEPASS_FUNCTION value_type operator()(extent i) const
  {
    extent const row = i / columns, at = extent(indices(row));
    return is_below(at, rows) ? at * columns + (i - row * columns) : -1;
  }
};
/// The items of a matrix, row by row.
template <class Rows>
struct items_by_rows {
  using value_type = typename Rows::value_type;

  Rows rows;
  extent size = rows.size * rows.width;

  ONEPASS_FUNCTION value_type operator()(extent i) const
  {
    extent const row = i / rows.width;
    return rows.at(row, int(i - row * rows.width));
  }
};

/// A sum program that adds values to places, of which Sums says what is added and where to.
template <class Places, class Values, class Sums>
struct add_program {
  using amount_type = typename Sums::amount_type;
  using unit_type   = typename Sums::unit_type;
  using key_type    = typename Places::value_type;
  using value_type  = typename Values::value_type;

  static constexpr int words = Sums::words;

  Places places;
  Values added;
  Sums sums;
  extent n;

  ONEPASS_FUNCTION extent size() const { return n; }
  ONEPASS_FUNCTION extent bins() const { return sums.size(); }
  ONEPASS_FUNCTION bool is_idle() const { return sums.is_idle(); }
  ONEPASS_FUNCTION Places keys() const { return places; }
  ONEPASS_FUNCTION Values values() const { return added; }
  ONEPASS_FUNCTION extent bin(key_type const& place) const { return extent(place); }
  ONEPASS_FUNCTION add_program loaded() const { return {places, added, sums.loaded(), n}; }
  ONEPASS_FUNCTION unit_type amount(extent bin, value_type const& x) const { return sums.amount(bin, x); }
  template <bool Shared>
  ONEPASS_FUNCTION void put(extent bin, amount_type const& x) const
  {
    sums.template put<Shared>(bin, x);
  }
};

/// The same of values that lie in the order of parts of 2^part_bits bins: of their indices, `bits` above those.
template <class Places, class Values, class Sums>
struct add_parts_program : add_program<Places, Values, Sums> {
  using base = add_program<Places, Values, Sums>;
  using typename base::amount_type;
  using typename base::key_type;
  using typename base::unit_type;
  using typename base::value_type;

  int part_bits, bits;
  extent first = 0, number = base::sums.size();  ///< the bins that are meant
  bool whole = false;                            ///< and whether a team adds to them alone

  ONEPASS_FUNCTION extent bins() const { return number; }
  ONEPASS_FUNCTION extent bin(key_type const& place) const { return extent(place) - first; }
  ONEPASS_FUNCTION extent part(key_type const& place) const
  {
    return extent(static_cast<std::uint64_t>(extent(place)) >> part_bits & ((std::uint64_t(1) << bits) - 1));
  }
  ONEPASS_FUNCTION extent part_bins() const { return extent(1) << part_bits; }
  ONEPASS_FUNCTION extent parts() const { return extent(1) << bits; }
  ONEPASS_FUNCTION add_parts_program alone(extent part, bool is_whole) const
  {
    auto p      = *this;
    extent left = number - (p.first = part << part_bits);
    p.number    = left < 0 ? 0 : left < part_bins() ? left : part_bins();
    p.whole     = is_whole;
    return p;
  }
  ONEPASS_FUNCTION add_parts_program loaded() const
  {
    auto p = *this;
    p.sums = p.sums.loaded();
    return p;
  }
  ONEPASS_FUNCTION unit_type amount(extent bin, value_type const& x) const { return base::sums.amount(first + bin, x); }
  template <bool Shared>
  ONEPASS_FUNCTION void put(extent bin, amount_type const& x) const
  {
    base::sums.template put<Shared>(first + bin, x);
  }
  ONEPASS_FUNCTION void close(extent bin, amount_type const& x) const
  {
    if (bin >= number) return;
    if (whole) base::sums.finish_or_keep(first + bin, x);
    else if (x != 0) put<true>(bin, x);
  }
  ONEPASS_FUNCTION void begin_cut(extent bin) const { base::sums.keep(first + bin, 0); }
  ONEPASS_FUNCTION void end_cut(extent bin) const { base::sums.finish(first + bin); }
};

/// The items of an output, row by row.
template <class Out>
struct output_items {
  using value_type = typename Out::value_type;

  Out out;

  ONEPASS_FUNCTION extent size() const { return out.size * items_of_row(out); }
  ONEPASS_FUNCTION value_type& operator()(extent i) const
  {
    if constexpr (has_wide_rows<Out>) {
      extent const row = i / out.width;
      return out.at(row, int(i - row * out.width));
    } else return out(i);
  }
};

/// Integers, whose sums wrap, are added to the output.
template <class Out>
struct integer_sums : output_items<Out> {
  using number      = typename Out::value_type;
  using amount_type = std::make_unsigned_t<number>;
  using unit_type   = amount_type;

  static constexpr int words = int(sizeof(number) / 4);

  ONEPASS_FUNCTION static bool is_idle() { return false; }
  ONEPASS_FUNCTION integer_sums loaded() const { return *this; }
  template <class T>
  ONEPASS_FUNCTION amount_type amount(extent, T const& x) const
  {
    return static_cast<amount_type>(static_cast<number>(x));
  }
  template <bool Shared>
  ONEPASS_FUNCTION void put(extent bin, amount_type x) const
  {
    number& to = (*this)(bin);
    if constexpr (Shared) add_shared(&to, static_cast<number>(x));
    else to = static_cast<number>(static_cast<amount_type>(to) + x);
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
      all.made[s] = with_positive_zero(number(hold_plus()(sum, held_sum(double(all.at(s))))));
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
    sums.at(s) = with_positive_zero(sum.template rounded_away<typename Out::value_type>());
  }
};

}  // namespace onepass::ONEPASS_ABI
