// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/backends/host/scatter.hpp>

namespace onepass::ONEPASS_ABI::backends::host {

/// Two columns, read as one of pairs.
template <class Items, class Values>
struct pairs_read : zipped<Items, Values> {};

using onepass::fetch_ahead;

/// Digits are counted from the first of each pair alone, so only these are prefetched.
template <class Items, class Values>
void fetch_ahead(pairs_read<Items, Values> const& pairs, extent first, extent count)
{
  onepass::fetch_ahead(pairs.first, first, count);
}

/// Two columns, written as one of pairs; the first may be `nothing`.
template <class Pair, class Items, class Values>
struct pairs_written {
  using value_type = Pair;
  Items items;
  Values values;
  extent size;

  struct reference {
    pairs_written const& to;
    extent at;
    void operator=(Pair const& x) const
    {
      if constexpr (!is_nothing<Items>) to.items(at) = x.first;
      to.values(at) = x.second;
    }
  };
  reference operator()(extent i) const { return {*this, i}; }
};

/// The two columns of pairs in a scatter through lines.
template <class Items, class Values>
struct columns_of_pairs {
  Items items;
  Values values;
  template <class Pair>
  void put(std::uint32_t b, extent at, Pair const& x) const
  {
    if constexpr (requires { items.put(b, at, x.first); }) items.put(b, at, x.first);
    values.put(b, at, x.second);
  }
  void finish(bin_places const& end, int bins) const { items.finish(end, bins), values.finish(end, bins); }
};
template <int Column, class Pair, class Items, class Values>
auto column_through_lines(pairs_written<Pair, Items, Values> const& to, bin_places const& begin)
{
  // Named, since clang deduces no arguments of aggregates before version 17.
  using items  = decltype(column_through_lines<0>(to.items, begin));
  using values = decltype(column_through_lines<1>(to.values, begin));
  return columns_of_pairs<items, values>{column_through_lines<0>(to.items, begin),
                                         column_through_lines<1>(to.values, begin)};
}
template <class Pair, class Items, class Values>
bool fits_lines(pairs_written<Pair, Items, Values> const& to)
{
  return fits_lines(to.items) && fits_lines(to.values);
}

/// An order program with values, as one whose items are pairs. For each item a scatter then stores to one line instead
/// of two, which takes half the time in the cache, and fills half as many lines that are written past it.
template <order_program P>
struct program_of_pairs {
  using read      = pairs_read<decltype(std::declval<P const&>().input()), decltype(std::declval<P const&>().values())>;
  using item_type = typename read::value_type;
  using written   = pairs_written<item_type, decltype(std::declval<P const&>().output()),
                                decltype(std::declval<P const&>().values_output())>;

  P program;

  auto input() const { return read{{program.input(), program.values()}}; }
  auto output() const { return written{program.output(), program.values_output(), program.input().size}; }
  nothing values() const { return {}; }
  nothing values_output() const { return {}; }
  bool in_place() const { return program.in_place(); }
  int bits() const { return program.bits(); }

  std::uint32_t digit(item_type const& x, int at, int width) const { return program.digit(x.first, at, width); }
  void counted(int bin, extent items) const { program.counted(bin, items); }
  std::uint64_t code(item_type const& x) const requires requires(P const& p) { p.code(x.first); }
  {
    return program.code(x.first);
  }
};

/// Whether pairs divide a line.
template <order_program P>
constexpr bool goes_in_pairs = false;
template <order_program P>
  requires carries_values<P>
constexpr bool goes_in_pairs<P> = 64 % sizeof(pair_item<item_of<P>, value_of<P>>) == 0;

}  // namespace onepass::ONEPASS_ABI::backends::host
