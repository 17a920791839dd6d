// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/backends/host/buffer.hpp>
#include <onepass/backends/host/threads.hpp>
#include <onepass/backends/host/wide.hpp>
#include <onepass/engine/bins.hpp>
#include <onepass/execution/place.hpp>

#include <algorithm>
#include <cstring>

namespace onepass::ONEPASS_ABI::backends::host {

/// The tables of all threads that count n items. If tables are small, each thread has four copies, so that equal
/// neighbours do not form a chain of dependent stores and loads.
struct bin_tables {
  extent threads, copies, apart;  ///< copies: of each thread's table; apart: counters from a table to the next
  bool without() const { return threads == 1 && copies == 1; }
  extent counters() const { return without() ? 0 : threads * copies * apart; }
};
template <place_like Where>
[[gnu::always_inline]] inline bin_tables bin_tables_for(Where const& where, extent n, extent bins)
{
  // Clearing a table and adding it up takes as long as counting as many items as it has bins; so does each copy.
  constexpr bin_tuning numbers = bin_tuning_for<tuning_of<Where>>();
  extent const table = std::max(numbers.table_items, bins), worth = n < table ? 0 : n / table;
  return {worth == 0 ? 1 : std::min<extent>(threads_of(instance_of(where)), worth + 1),
          bins <= numbers.few_bins && n >= numbers.copied_from * bins ? bin_tuning::copies : 1, in_whole_lines(bins)};
}

template <class Where>
extent most_private_bins(Where const&)
{
  return most_bins;
}
template <class Exec, class Tuning>
std::size_t bytes_of_bins(place<Exec, backend, Tuning> const& where, extent n, extent bins)
{
  return std::size_t(bin_tables_for(where, n, bins).counters()) * sizeof(std::uint64_t);
}

/// Adds items [first, last) to so many copies of a table, in turn. The bins of some hundred items are found before any
/// is counted: the compiler makes vectors of the one loop, and the other has no branch that an item decides. The
/// program comes as a copy, which no store to the counts can change.
template <int Copies, class Program, class Count>
[[gnu::always_inline]] inline void count_here(Program program, extent first, extent last, Count* table, extent apart)
{
  constexpr extent some = 512;
  constexpr int at_once = 4;
  static_assert(at_once % Copies == 0);
  auto const in   = program.input();
  auto const bins = std::uint32_t(program.bins());
  std::uint32_t at[some];
  for (extent a = first; a < last; a += some) {
    extent const items = std::min(some, last - a);
    each_stretch(
        in, a, a + items, [&](auto const& row, extent i, extent end) __attribute__((always_inline)) {
          for (; i < end; ++i) at[i - a] = program.bin(row(i));
        });
    auto const count = [&](extent i, int copy) {
      if (at[i] < bins) ++table[copy * apart + at[i]];
    };
    extent i = 0;
    for (; i + at_once <= items; i += at_once)  // an instruction for each copy is twice as fast
      ONEPASS_UNROLL for (int c = 0; c < at_once; ++c) count(i + c, c % Copies);
    for (; i < items; ++i) count(i, 0);
  }
}

/// The same, of many in wide vectors.
template <int Copies, class Program, class Count>
[[gnu::noinline, gnu::flatten]] void count_in_tables(Program const& program, extent first, extent last, Count* table,
                                                     extent apart)
{
  constexpr extent many = 64;
  if (last - first < many) count_here<Copies>(program, first, last, table, apart);
  else
    in_wide_vectors([&]() __attribute__((always_inline)) { count_here<Copies>(program, first, last, table, apart); });
}

/// The same for items of one byte, whose bins are found when all values are counted.
template <class Program, class Count>
[[gnu::noinline, gnu::flatten]] void count_values_in_table(Program const& given, extent first, extent last,
                                                           Count* table)
{
  using item           = typename Program::item_type;
  constexpr int values = 256, copies = 4;
  Program const program = given;
  auto const in         = program.input();
  Count seen[copies][values]{};
  auto const value = [&](extent i) {
    item const x = in(i);
    std::uint8_t v;
    std::memcpy(&v, &x, 1);
    return v;
  };
  extent i = first;
  for (; i + copies <= last; i += copies)
    for (int c = 0; c < copies; ++c) ++seen[c][value(i + c)];
  for (; i < last; ++i) ++seen[0][value(i)];
  for (int v = 0; v < values; ++v) {
    Count sum = 0;
    for (int c = 0; c < copies; ++c) sum += seen[c][v];
    if (sum == 0) continue;
    auto const bits = std::uint8_t(v);
    item x;
    std::memcpy(static_cast<void*>(&x), &bits, 1);
    if (std::uint32_t const b = program.bin(x); b < std::uint32_t(program.bins())) table[b] += sum;
  }
}

/// Counts items one after another in the result itself. Few are counted where the call is, in which the program is in
/// registers.
template <class Program>
[[gnu::always_inline]] inline void count_in_result(Program const& program, extent n)
{
  constexpr extent few = 16;
  auto const counts    = program.counts();
  extent const bins    = program.bins();
  if constexpr (is_contiguous<decltype(program.counts())>::value) {
    if (n > few) {
      std::fill_n(counts.data, bins, count_of_bin<Program>(0));
      return count_in_tables<1>(program, 0, n, counts.data, 0);
    }
  }
  auto const in = program.input();
  for (extent b = 0; b < bins; ++b) counts(b) = 0;
  for (extent i = 0; i < n; ++i)
    if (extent const b = program.bin(in(i)); b < bins) ++counts(b);
}

/// counts(b) = what the tables have, for bins [first, last).
template <class Program, class Count>
void add_up_tables(Program const& program, extent first, extent last, Count const* tables, extent number, extent apart)
{
  auto const counts = program.counts();
  for (extent b = first; b < last; ++b) {
    Count sum = 0;
    for (extent t = 0; t < number; ++t) sum += tables[t * apart + b];
    counts(b) = sum;
  }
}

/// What a thread counts in its tables.
template <int Copies, class Program, class Count>
void count_part(Program const& program, extent first, extent last, Count* table, extent apart)
{
  if constexpr (sizeof(typename Program::item_type) == 1)
    if (last - first >= values_from) return count_values_in_table(program, first, last, table);
  count_in_tables<Copies>(program, first, last, table, apart);
}

/// One thread counts everything, in copies that it keeps.
template <class Program>
[[gnu::noinline]] void count_in_copies(Program program, extent n, extent apart)
{
  using count         = count_of_bin<Program>;
  constexpr int some  = int(bin_tuning::copies);
  count* const tables = thread_buffer<count, bin_tables>(some * apart);
  std::fill_n(tables, some * apart, count(0));
  count_part<some>(program, 0, n, tables, apart);
  add_up_tables(program, 0, program.bins(), tables, some, apart);
}

/// What one thread counts needs neither others nor a workspace.
template <place_like Where, bin_program Program>
[[gnu::always_inline]] inline bool finished_at_once(backend, Where const& where, Program const& program,
                                                    item_count count)
{
  extent const n = count();
  auto shape     = bin_tables_for(where, n, program.bins());
  if (shape.threads > 1) return false;
  if (shape.copies == 1) count_in_result(program, n);
  else count_in_copies(program, n, shape.apart);
  return true;
}

/// Every thread counts its part of the items in tables of its own; then the threads share the bins and add the tables
/// up.
template <class Exec, bin_program Program, class Tuning>
void queue_program(place<Exec, backend, Tuning> const& where, Program const& given, item_count count,
                   workspace<Exec>& scratch)
{
  using counter    = count_of_bin<Program>;
  auto const shape = bin_tables_for(where, count(), given.bins());
  extent const n   = count();
  if (!is_tiny<Tuning> && crowd::here().keeps_alone(n * extent(sizeof(typename Program::item_type))))
    return shape.copies == 1 ? count_in_result(given, n) : count_in_copies(given, n, shape.apart);
  auto* const tables = scratch.template plain_of<counter>(shape.counters());
  auto const on_all  = [&](char const* what, auto const& work) {
    on_threads(where.label + what, where.space, shape.threads, work);
  };
  on_all(" (count)", [=](int t) {
    extent const first = part_of(n, t, int(shape.threads)), last = part_of(n, t + 1, int(shape.threads));
    auto* const table = tables + t * shape.copies * shape.apart;
    std::fill_n(table, shape.copies * shape.apart, counter(0));
    if (shape.copies == 1) count_part<1>(given, first, last, table, shape.apart);
    else count_part<int(bin_tuning::copies)>(given, first, last, table, shape.apart);
  });
  on_all(" (add up)", [=](int t) {
    extent const bins = given.bins();
    add_up_tables(given, part_of(bins, t, int(shape.threads)), part_of(bins, t + 1, int(shape.threads)), tables,
                  shape.threads * shape.copies, shape.apart);
  });
}

}  // namespace onepass::ONEPASS_ABI::backends::host
