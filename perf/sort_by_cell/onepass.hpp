// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "harness/machines.hpp"
#include "race.hpp"

#include <onepass/apply_permutation.hpp>
#include <onepass/sort_by_cell.hpp>

namespace perf {

template <class T>
call enter_sort_by_cell(race const& r, how h)
{
  auto const cells   = cells_in(r);
  auto const offsets = offsets_out(r);
  auto const order   = permutation_out(r);
  if (!moves_arrays(r))
    return on_backend(h, [=](auto const& place) { onepass::sort_by_cell(place, cells, offsets, order); });
  auto const to = all_arrays(r, array_out);
  if (moves_in_place(r))
    return once_copied(r, on_backend(h, [=](auto const& place) {
                         onepass::sort_by_cell(place, cells, offsets, order);
                         std::apply([&](auto const&... views) { onepass::apply_permutation(place, order, views...); },
                                    to);
                       }));
  auto const from = all_arrays(r, array_in);
  return on_backend(h, [=](auto const& place) {
    onepass::sort_by_cell(place, cells, offsets, order);
    onepass::apply_permutation(place, order, from, to);
  });
}

}  // namespace perf
