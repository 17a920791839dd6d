// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "harness/scan_and_search.hpp"
#include "rivals.hpp"
#include "runs.hpp"

#include <onepass/run_length.hpp>

namespace perf::hunt {

template <class T>
void make_run_length_decode(trial& t, std::int64_t n, runs const& all, std::int64_t out_begin)
{
  auto const wanted = all.items<T>(n);
  std::vector<T> all_symbols;
  std::vector<std::uint32_t> all_lengths;
  for (std::int64_t i = 0; i < n; ++i) {
    if (all.head(i)) all_symbols.push_back(wanted[std::size_t(i)]), all_lengths.push_back(0);
    ++all_lengths.back();
  }
  auto const symbols = t.input(all_symbols);
  auto const lengths = t.input(all_lengths);
  auto const out     = t.output(wanted, n, out_begin);
  auto const found   = std::int64_t(all_symbols.size());
  Kokkos::View<onepass::extent, space> const total("total");

  enter_onepass(t, [=](auto const& place) { onepass::run_length_decode(place, symbols, lengths, out, total); });
  t.enter("kokkos.scan_and_search", scan_and_search(symbols, lengths, out));
#ifndef KOKKOS_ENABLE_CUDA
  t.enter("std", [=] {
    auto* to = out.data();
    for (std::int64_t k = 0; k < found; ++k) to = std::fill_n(to, lengths(k), symbols(k));
  });
#endif
}

template <class T>
drawn draw_run_length_decode(dice const& d)
{
  auto const n = d.items();
  runs const all(d);
  auto const out = d.begin("out");
  return {n, text(all.shape(), " out+", out), std::size_t(n) * (3 * sizeof(T) + 12),
          [=](trial& t) { make_run_length_decode<T>(t, n, all, out); }};
}

}  // namespace perf::hunt
