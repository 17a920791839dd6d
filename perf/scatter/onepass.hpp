// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "harness/machines.hpp"
#include "race.hpp"

#include <onepass/scatter.hpp>

namespace perf {

template <class T>
call enter_scatter(race const& r, how h)
{
  auto const indices = indices_in(r);
  auto const values  = input_of<T>(r, 1);
  auto const bins    = bins_out<T>(r);
  return on_backend(h, [=](auto const& place) { onepass::scatter_add(place, values, indices, bins); });
}

}  // namespace perf
