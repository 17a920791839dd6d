// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/engine/neighbours.hpp>
#include <onepass/engine/splits.hpp>
#include <onepass/extent.hpp>
#include <onepass/portability.hpp>
#include <onepass/programs/checked.hpp>
#include <onepass/sequences.hpp>

#include <utility>

namespace onepass::ONEPASS_ABI {

/// offsets(c) = the first place of an id that is not below c, among sorted ids: call k finds `each` offsets, the first
/// of them among all ids, and the others from there on: among the next few, then by steps that double.
template <class Ids, class Offsets>
struct find_each_offset {
  Ids ids;
  item_count count;
  Offsets offsets;
  extent each;

  ONEPASS_FUNCTION extent calls() const { return div_up(offsets.size, each); }
  ONEPASS_FUNCTION void operator()(extent call) const
  {
    extent const begin = call * each, end = begin + each < offsets.size ? begin + each : offsets.size, n = count();
    extent at = partition_point(n, [&](extent i) { return is_below(i, begin); });
    put(begin, at);
    for (extent c = begin + 1; c < end; ++c) {
      extent const far = at + few < n ? at + few : n;
      while (at < far && is_below(at, c)) ++at;
      if (at == far && far < n) {
        extent step = few;
        for (; at + step <= n && is_below(at + step - 1, c); step *= 2) at += step;
        at += partition_point(at + step <= n ? step - 1 : n - at, [&](extent i) { return is_below(at + i, c); });
      }
      put(c, at);
    }
  }

private:
  static constexpr extent few = 16;

  ONEPASS_FUNCTION bool is_below(extent i, extent c) const { return std::uint64_t(ids(i)) < std::uint64_t(c); }
  ONEPASS_FUNCTION void put(extent c, extent at) const { offsets(c) = static_cast<typename Offsets::value_type>(at); }
};

// Items in the order of their cells, by counters: each of some stretches of neighbouring items counts its items of
// every cell, the counts are added up, and each stretch puts its items in place, the first in order first. Where
// neighbours are of near cells, so are the counters that a stretch goes to, and the places.

/// A table of counters, one a cell for each stretch; stretch t has items [begin(t), begin(t + 1)).
struct cell_counters {
  std::uint32_t* table;
  extent cells, stretches, items;
  bool asks_ahead;  ///< for the counters of items to come

  ONEPASS_FUNCTION std::uint32_t* of(extent stretch) const { return table + stretch * cells; }
  ONEPASS_FUNCTION extent begin(extent stretch) const
  {
    return items / stretches * stretch + items % stretches * stretch / stretches;
  }
  /// The counter of a cell. One that there is not counts as the last, so that nothing else is touched.
  template <class Cell>
  ONEPASS_FUNCTION extent at(Cell cell) const
  {
    auto const c = std::uint64_t(extent(cell));
    if (c < std::uint64_t(cells)) [[likely]]
      return extent(c);
    return cells - 1;
  }
  /// Calls f(i, counter) for the items of a stretch in order. Copies of the ids and of this stay in registers.
  template <class Ids, class F>
  ONEPASS_FUNCTION void each(Ids const& given, extent stretch, F const& f) const
  {
    Ids const ids             = given;
    cell_counters const all   = *this;
    std::uint32_t* const mine = all.of(stretch);
    extent const end          = all.begin(stretch + 1);
    extent i                  = all.begin(stretch);
    if constexpr (is_contiguous<Ids>::value) {
      KOKKOS_IF_ON_HOST((constexpr extent ahead = 64; if (all.asks_ahead) for (; i + ahead < end; ++i) {
        __builtin_prefetch(mine + all.at(ids(i + ahead)), 1);
        f(i, mine[all.at(ids(i))]);
      }))
    }
    for (; i < end; ++i) f(i, mine[all.at(ids(i))]);
  }
};

/// First step: a stretch counts.
template <class Cells>
struct count_cells {
  Cells cells;
  cell_counters counters;

  ONEPASS_FUNCTION void operator()(extent stretch) const
  {
    auto* const mine = counters.of(stretch);
    for (extent c = 0; c < counters.cells; ++c) mine[c] = 0;
    counters.each(cells, stretch, [](extent, std::uint32_t& counter) { ++counter; });
  }
};

/// The items of each cell, of all stretches: what is scanned for the offsets.
struct items_of_cells {
  using value_type = extent;

  cell_counters counters;
  extent size;

  ONEPASS_FUNCTION extent operator()(extent cell) const
  {
    extent sum = 0;
    for (extent t = 0; t < counters.stretches; ++t) sum += counters.of(t)[cell];
    return sum;
  }
};

/// Second step, once the offsets are known: the counts of a cell become the places of each stretch's first item of it.
template <class Offsets>
struct begin_cells {
  Offsets offsets;
  cell_counters counters;

  ONEPASS_FUNCTION void operator()(extent cell) const
  {
    auto place = static_cast<std::uint32_t>(offsets(cell));
    for (extent t = 0; t < counters.stretches; ++t) {
      auto& counter             = counters.of(t)[cell];
      std::uint32_t const items = counter;
      counter                   = place;
      place += items;
    }
  }
};

/// Reads values one after another.
template <class Values>
struct values_in_order {
  Values values;
  ONEPASS_FUNCTION typename Values::value_type operator()(extent i) { return values(i); }
};
template <class Values>
ONEPASS_FUNCTION values_in_order<Values> read_in_order(Values const& values, extent)
{
  return {values};
}

/// Values that cost too much to be made inside of a sort: they are stored before.
template <class Values>
constexpr bool is_costly = false;
template <class Values>
using values_to_move = std::conditional_t<is_costly<Values>, contiguous<typename Values::value_type const>, Values>;
template <class Values>
struct store_values {
  Values values;
  contiguous<typename Values::value_type> to;
  ONEPASS_FUNCTION void operator()(extent i) const { to(i) = values(i); }
  /// By a host thread.
  void alone(extent first, extent last) const
  {
    auto const kept = to;
    for (auto next = read_in_order(values, first); first < last; ++first) kept(first) = next(first);
  }
};

/// Last step: a stretch puts the values of its items in place.
template <class Cells, class Values, class To>
struct place_by_cell {
  Cells cells;
  Values values;
  To to;
  cell_counters counters;

  ONEPASS_FUNCTION void operator()(extent stretch) const
  {
    auto next       = read_in_order(values, counters.begin(stretch));
    To const target = to;
    counters.each(cells, stretch, [&](extent i, std::uint32_t& place) { target(place++) = next(i); });
  }
};

/// All steps, where there is one stretch, by one thread of a host: a function of its own, whose loops have all
/// registers.
template <class Cells, class Offsets, class Values, class To>
[[gnu::noinline]] void order_by_counts_alone(Cells const& cells, Offsets const& offsets, Values const& values,
                                             To const& to, cell_counters const& counters)
{
  using offset = typename Offsets::value_type;
  count_cells<Cells>{cells, counters}(0);
  std::uint32_t place = 0;
  for (extent c = 0; c < counters.cells; ++c) {
    std::uint32_t const items = std::exchange(counters.table[c], place);
    offsets(c)                = static_cast<offset>(place);
    place += items;
  }
  offsets(counters.cells) = static_cast<offset>(counters.items);
  place_by_cell<Cells, Values, To>{cells, values, to, counters}(0);
}

/// Whether most neighbours are of near cells, to judge by `pairs` of them.
template <class Cells>
bool neighbours_are_near(Cells const& cells, extent pairs, extent near)
{
  return count_neighbours(cells.size, pairs,
                          [&](extent i) {
                            auto const a = std::uint64_t(extent(cells(i))), b = std::uint64_t(extent(cells(i + 1)));
                            return (a < b ? b - a : a - b) > std::uint64_t(near);
                          })
         <= pairs / 2;
}

}  // namespace onepass::ONEPASS_ABI
