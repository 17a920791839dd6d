// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "parts.hpp"

#include <onepass/csr.hpp>
#include <onepass/sort_by_cell.hpp>

#include <numeric>

// Items in the order of their cells, and offsets of rows.
namespace tools {

template <class T>
void cells_rows(session& s)
{
  auto const number = std::size_t(1000);
  auto cells        = s.items<T>();
  for (auto& x : cells) x = T(x % number);
  std::vector<u32> order(cells.size());
  std::iota(order.begin(), order.end(), u32(0));
  std::stable_sort(order.begin(), order.end(), [&](u32 a, u32 b) { return cells[a] < cells[b]; });
  std::vector<u32> counts(number, 0), offsets(number + 1, 0);
  for (auto const c : cells) ++counts[c];
  std::inclusive_scan(counts.begin(), counts.end(), offsets.begin() + 1);

  for (bool const sorted_before : {false, true}) {
    auto in = cells;
    if (sorted_before) std::sort(in.begin(), in.end()), std::iota(order.begin(), order.end(), u32(0));
    row names{"", sorted_before ? "sorted" : "unsorted", type_name<T>};
    names.items = in.size();
    rows_of(
        s, names, "sort_by_cell", inputs(in), parts(part(offsets, offsets), part(order, order)),
        [](auto const& place, auto const& of, auto const& begins, auto const& permutation, auto const&) {
          onepass::sort_by_cell(place, of, begins, permutation);
        },
        all_backends);
    if (sorted_before)
      rows_of(
          s, names, "offsets_from_sorted", inputs(in), parts(part(offsets, offsets)),
          [](auto const& place, auto const& ids, auto const& begins, auto const&) {
            onepass::offsets_from_sorted(place, ids, begins);
          },
          all_backends);
  }

  // A graph of rows of three entries, but for the last.
  auto const rows = (cells.size() + 2) / 3;
  std::vector<u32> begins, row_of;
  for (std::size_t r = 0; r <= rows; ++r) begins.push_back(u32(std::min(3 * r, cells.size())));
  std::iota(order.begin(), order.end(), u32(0));
  std::stable_sort(order.begin(), order.end(), [&](u32 a, u32 b) { return cells[a] < cells[b]; });
  for (auto const i : order) row_of.push_back(i / 3);
  row names{"", "rows of 3", type_name<T>};
  names.items = cells.size();
  rows_of(
      s, names, "transpose_graph", inputs(begins, cells), parts(part(offsets, offsets), part(row_of, row_of)),
      [](auto const& place, auto const& from, auto const& columns, auto const& out, auto const& out_rows, auto const&) {
        onepass::transpose_graph(place, from, columns, out, out_rows);
      },
      all_backends);
  rows_of(s, row{"", "checked", type_name<T>}, "counts_to_offsets", inputs(counts), parts(part(offsets, offsets)),
          [](auto const& place, auto const& in, auto const& out, auto const&) {
            onepass::counts_to_offsets(place.checked(), in, out);
          });
}

}  // namespace tools
