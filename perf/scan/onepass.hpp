// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "harness/machines.hpp"

namespace perf {

template <class T>
call enter_scan(race const& r, how h)
{
  auto const in  = input_of<T>(r);
  auto const out = output_of<T>(r);
  if (r.primitive == "exclusive_scan")
    return on_machine_of<T>(h, [=](auto const& place) { onepass::exclusive_scan(place, in, out); });
  return on_machine_of<T>(h, [=](auto const& place) { onepass::inclusive_scan(place, in, out); });
}

}  // namespace perf
