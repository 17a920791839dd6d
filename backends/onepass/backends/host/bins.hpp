// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/backends/host/threads.hpp>
#include <onepass/engine/bins.hpp>
#include <onepass/execution/place.hpp>

#include <algorithm>

namespace onepass::ONEPASS_ABI::backends::host {

/// The tables of all threads that count n items. If tables are small, each thread has four copies, so that equal
/// neighbours do not form a chain of dependent stores and loads.
struct bin_tables {
  extent threads, copies, bins;  ///< copies: of each thread's table, a power of two
  std::size_t bytes() const { return std::size_t(threads * copies * bins) * sizeof(std::uint64_t); }
};
template <class Exec, class Tuning>
bin_tables bin_tables_for(place<Exec, backend, Tuning> const& where, extent n, extent bins)
{
  constexpr bin_tuning numbers = bin_tuning_for<Tuning>();
  return {std::min<extent>(where.space.concurrency(), n / numbers.table_items + 1),
          bins <= numbers.few_bins ? numbers.copies : 1, bins};
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

/// Every thread counts its part of the items in tables of its own; then the threads share the bins and add the tables
/// up.
template <class Exec, bin_program Program, class Tuning>
void queue(place<Exec, backend, Tuning> const& where, Program const& given, item_count count, workspace<Exec>& scratch)
{
  auto shape = bin_tables_for(where, count(), given.bins());
  if (!is_tiny<Tuning> && crowd::here().keeps_alone(count() * extent(sizeof(typename Program::item_type))))
    shape.threads = 1;
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
