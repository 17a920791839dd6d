// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/backends/host/threads.hpp>
#include <onepass/engine/bins.hpp>
#include <onepass/execution/place.hpp>

#include <algorithm>

namespace onepass::ONEPASS_ABI::backends::host {

/// The tables of all threads that count n items. If tables are small, each thread has four copies, so that equal
/// neighbours do not form a chain of dependent stores and loads. There are none where one thread counts in the result.
struct bin_tables {
  extent threads, copies, bins;  ///< copies: of each thread's table, a power of two
  bool without() const { return threads == 1 && copies == 1; }
  std::size_t bytes() const { return without() ? 0 : std::size_t(threads * copies * bins) * sizeof(std::uint64_t); }
};
template <place_like Where>
bin_tables bin_tables_for(Where const& where, extent n, extent bins)
{
  // Clearing a table and adding it up takes as long as counting as many items as it has bins; so does each copy.
  constexpr bin_tuning numbers = bin_tuning_for<tuning_of<Where>>();
  extent const worth           = n / std::max(numbers.table_items, bins);
  return {worth == 0 ? 1 : std::min<extent>(threads_of(instance_of(where)), worth + 1),
          bins <= numbers.few_bins && n >= numbers.copied_from * bins ? numbers.copies : 1, bins};
}

template <class Where>
extent most_private_bins(Where const&)
{
  return most_bins;
}
template <class Exec, class Tuning>
std::size_t bytes_of_bins(place<Exec, backend, Tuning> const& where, extent n, extent bins)
{
  return bin_tables_for(where, n, bins).bytes();
}

/// Counts items one after another in the result itself.
template <class Program>
[[gnu::noinline]] void count_in_result(Program const& given, extent n)
{
  Program const program = given;  // copies, which no store to the counts can change
  auto const in         = program.input();
  auto const counts     = program.counts();
  extent const bins     = program.bins();
  for (extent b = 0; b < bins; ++b) counts(b) = 0;
  for (extent i = 0; i < n; ++i)
    if (extent const b = program.bin(in(i)); b < bins) ++counts(b);
}

/// What needs no tables needs neither threads nor a workspace.
template <place_like Where, bin_program Program>
bool finished_at_once(backend, Where const& where, Program const& program, item_count count)
{
  extent const n = count();
  if (!bin_tables_for(where, n, program.bins()).without()) return false;
  count_in_result(program, n);
  return true;
}

/// Every thread counts its part of the items in tables of its own; then the threads share the bins and add the tables
/// up.
template <class Exec, bin_program Program, class Tuning>
void queue(place<Exec, backend, Tuning> const& where, Program const& given, item_count count, workspace<Exec>& scratch)
{
  auto shape = bin_tables_for(where, count(), given.bins());
  if (!is_tiny<Tuning> && crowd::here().keeps_alone(count() * extent(sizeof(typename Program::item_type))))
    shape.threads = 1;
  if (shape.without()) return count_in_result(given, count());
  extent const n = count(), threads = shape.threads, copies = shape.copies, bins = shape.bins;
  auto* const tables = reinterpret_cast<std::uint64_t*>(scratch.plain(shape.bytes()));
  auto const part    = [=](extent of, extent t) { return of / threads * t + of % threads * t / threads; };
  auto const on_all  = [&](char const* what, auto const& work) {
    on_threads(where.label + what, where.space, threads, work);
  };
  on_all(" (count)", [=](int t) {
    Program const program = given;
    auto const in         = program.input();
    auto* const table     = tables + t * copies * bins;
    extent const last = part(n, t + 1), all = bins, each = copies;  // copies: counters might alias the closure
    std::fill_n(table, each * all, std::uint64_t(0));
    for (extent i = part(n, t); i < last; ++i)
      if (extent const b = program.bin(in(i)); b < all) ++table[b * each + (i & (each - 1))];
  });
  on_all(" (add up)", [=](int t) {
    auto const counts = given.counts();
    for (extent b = part(bins, t), last = part(bins, t + 1); b < last; ++b) {
      std::uint64_t sum = 0;
      for (extent other = 0; other < threads; ++other)
        for (extent c = 0; c < copies; ++c) sum += tables[(other * bins + b) * copies + c];
      counts(b) = static_cast<count_of_bin<Program>>(sum);
    }
  });
}

}  // namespace onepass::ONEPASS_ABI::backends::host
