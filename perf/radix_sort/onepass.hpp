// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "harness/machines.hpp"
#include "race.hpp"

#include <onepass/radix_sort.hpp>

namespace perf {

template <class T>
call enter_radix_sort(race const& r, how h)
{
  auto const in  = input_of<T>(r);
  auto const out = output_of<T>(r);
  if (r.primitive == "radix_sort")
    return on_backend(h, [=](auto const& place) { onepass::radix_sort(place, in, out); });
  auto const values = values_in(r);
  auto const beside = values_out(r);
  return on_backend(h, [=](auto const& place) { onepass::radix_sort_by_key(place, in, values, out, beside); });
}

}  // namespace perf
