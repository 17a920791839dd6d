// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "places.hpp"
#include "rivals.hpp"

#include <onepass/sort_by_cell.hpp>

#include <memory>

namespace perf::hunt {

/// Counts, offsets and places, one loop each.
inline void sort_cells_by_loop(u32 const* cells, std::int64_t n, u32* offsets, std::int64_t number, u32* order,
                               std::vector<u32>& next)
{
  std::fill_n(offsets, number + 1, 0u);
  for (std::int64_t i = 0; i < n; ++i) ++offsets[cells[i] + 1];
  for (std::int64_t c = 0; c < number; ++c) offsets[c + 1] += offsets[c];
  next.assign(offsets, offsets + number);
  for (std::int64_t i = 0; i < n; ++i) order[next[cells[i]]++] = u32(i);
}

/// The type is that of the offsets and of the permutation.
template <class T>
void make_sort_by_cell(trial& t, std::int64_t n, places const& where, std::int64_t begin)
{
  auto const number = where.number(n);
  auto const at     = where.items(n);
  std::vector<u32> begins(std::size_t(number + 1)), positions(at.size()), next;
  sort_cells_by_loop(at.data(), n, begins.data(), number, positions.data(), next);
  auto const cells   = t.input(at, begin);
  auto const offsets = t.output(begins, number + 1);
  auto const order   = t.output(positions, n);

  enter_onepass(t, [=](auto const& place) { onepass::sort_by_cell(place, cells, offsets, order); });
#ifndef KOKKOS_ENABLE_CUDA  // Kokkos' BinSort neither keeps the order of a bin's items there nor tells where bins begin
  t.enter("loop", [=, counters = std::make_shared<std::vector<u32>>()] {
    sort_cells_by_loop(cells.data(), n, offsets.data(), number, order.data(), *counters);
  });
#endif
}

template <class T>
drawn draw_sort_by_cell(dice const& d)
{
  auto const n = d.items();
  places const where(d);
  auto const begin = d.begin("in");
  return {n, text(where.shape(), " in+", begin), std::size_t(n) * 40,
          [=](trial& t) { make_sort_by_cell<T>(t, n, where, begin); }};
}

}  // namespace perf::hunt
