// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "harness/machines.hpp"
#include "race.hpp"

#include <onepass/segmented.hpp>

namespace perf {

template <class T>
call enter_segmented(race const& r, how h)
{
  auto const in      = input_of<T>(r);
  auto const offsets = offsets_of(r);
  if (r.stem() == "segmented_reduce") {
    auto const sums = sums_of<T>(r);
    return on_machine(h, [=](auto const& place) { onepass::segmented_reduce(place, in, offsets, sums); });
  }
  auto const out = output_of<T>(r);
  return on_machine(h, [=](auto const& place) { onepass::inclusive_segmented_scan(place, in, offsets, out); });
}

}  // namespace perf
