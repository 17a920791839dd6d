// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/backends/host/threads.hpp>
#include <onepass/backends/host/tuning.hpp>
#include <onepass/engine/neighbours.hpp>
#include <onepass/engine/sums.hpp>
#include <onepass/execution/place.hpp>

#include <algorithm>

namespace onepass::ONEPASS_ABI::backends::host {

/// The tables of all threads that add n items: none where one thread adds without, to sums that are one number.
struct sum_tables {
  extent threads, copies, bins;  ///< copies: of each thread's table
  extent apart() const { return in_whole_lines(copies * bins); }
  template <class Amount>
  std::size_t bytes() const
  {
    bool const none = threads <= 1 && copies == 1 && sizeof(Amount) <= sizeof(std::uint64_t);
    return none ? 0 : std::size_t(threads * apart()) * sizeof(Amount);
  }
};
template <place_like Where>
sum_tables sum_tables_for(Where const& where, extent n, extent bins)
{
  constexpr sum_tuning numbers = sum_tuning_for<tuning_of<Where>>();
  bool const pays              = n >= numbers.table_items && n >= bins * numbers.items_each;
  extent const sharing         = pays ? std::min(threads_of(instance_of(where)), n / numbers.table_items) : 1;
  return {std::max<extent>(sharing, 1), bins <= numbers.few_bins && n >= numbers.copied_from ? numbers.copies : 1,
          bins};
}

/// Whether many neighbours are of one bin, to judge by some.
template <class Program>
[[gnu::noinline]] bool neighbours_are_alike(Program const& program, extent n)
{
  constexpr extent pairs = 64, many = pairs / 16;
  auto const keys = program.keys();
  return count_neighbours(n, pairs, [&](extent i) { return program.bin(keys(i)) == program.bin(keys(i + 1)); }) >= many;
}

/// Calls put(program, bin, item, amount) for items [first, last).
template <class Program, class Put>
[[gnu::noinline, gnu::flatten]] void add_items(Program const& given, extent first, extent last, Put const& put)
{
  Program const program = given.loaded();
  auto const keys       = program.keys();
  auto const values     = program.values();
  auto const bins       = std::uint64_t(program.bins());
  for (extent i = first; i < last; ++i)
    if (extent const b = program.bin(keys(i)); std::uint64_t(b) < bins)
      put(program, b, i, static_cast<typename Program::amount_type>(program.amount(b, values(i))));
}

template <class Where>
extent most_private_sums(Where const&, int)
{
  return extent(1) << 20;
}
template <class Program, class Where>
std::size_t bytes_of_sums(std::type_identity<Program>, Where const& where, extent n, extent bins)
{
  using amount = typename Program::amount_type;
  return sum_tables_for(where, n, bins).template bytes<amount>();
}

/// Adds all items to the sums themselves.
template <class Program>
void add_without_tables(Program const& program)
{
  using amount = typename Program::amount_type;
  add_items(program, 0, program.size(),
            [](Program const& all, extent b, extent, amount x) { all.template put<false>(b, x); });
}

/// What one thread adds without tables needs neither others nor a workspace.
template <place_like Where, sum_program Program>
bool finished_at_once(backend, Where const& where, Program const& program)
{
  auto const shape = sum_tables_for(where, program.size(), program.bins());
  if (shape.template bytes<typename Program::amount_type>() > 0) return false;
  add_without_tables(program);
  return true;
}

/// Every thread adds its part of the items in a table of its own; then the threads share the bins and add the tables
/// up. If bins are few a thread has copies of its table, so that equal neighbours do not form a chain of dependent
/// stores and loads; if they are so many that a table pays for no second thread, one thread adds without tables, unless
/// what is added is wider than what a core adds at once.
template <class Exec, sum_program Program, class Tuning>
void queue_program(place<Exec, backend, Tuning> const& where, Program const& given, workspace<Exec>& scratch)
{
  using amount   = typename Program::amount_type;
  extent const n = given.size(), bins = given.bins();
  auto shape = sum_tables_for(where, n, bins);
  if (!is_tiny<Tuning> && crowd::here().keeps_alone(n * extent(sizeof(amount)))) shape.threads = 1;
  if (shape.copies > 1 && !neighbours_are_alike(given, n)) shape.copies = 1;
  extent const threads = shape.threads, copies = shape.copies, apart = shape.apart();
  std::size_t const bytes = shape.template bytes<amount>();
  if (bytes == 0) return add_without_tables(given);
  auto* const tables = reinterpret_cast<amount*>(scratch.plain(bytes));
  on_threads(where.label + " (add)", where.space, threads, [=](int t) {
    auto* const table  = tables + t * apart;
    extent const first = part_of(n, t, int(threads)), last = part_of(n, t + 1, int(threads));
    std::fill_n(table, copies * bins, amount(0));
    if (copies == 1) add_items(given, first, last, [=](Program const&, extent b, extent, amount x) { table[b] += x; });
    else
      add_items(given, first, last, [=](Program const&, extent b, extent i, amount x) {
        constexpr extent each = sum_tuning::copies;
        table[b * each + (i & (each - 1))] += x;
      });
  });
  on_threads(where.label + " (add up)", where.space, threads, [=](int t) {
    for (extent b = part_of(bins, t, int(threads)), last = part_of(bins, t + 1, int(threads)); b < last; ++b) {
      amount sum = 0;
      for (extent other = 0; other < threads; ++other)
        for (extent c = 0; c < copies; ++c) sum += tables[other * apart + b * copies + c];
      if (sum != 0) given.template put<false>(b, sum);
    }
  });
}

}  // namespace onepass::ONEPASS_ABI::backends::host
