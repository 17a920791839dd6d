// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "harness/machines.hpp"
#include "race.hpp"

#include <onepass/adjacent_difference.hpp>
#include <onepass/count.hpp>
#include <onepass/find.hpp>
#include <onepass/minmax.hpp>

namespace perf {

template <class T>
call enter_queries(race const& r, how h)
{
  auto const in  = input_of<T>(r);
  auto const out = output_of<T>(r);
  value_view<std::int64_t> const told(r.counts), beside(r.counts + 1);
  if (r.stem() == "count_if")
    return on_machine(h, [=](auto const& place) { onepass::count_if(place, in, told, lower_half<T>()); });
  if (r.stem() == "find_if")
    return on_backend(h, [=](auto const& place) { onepass::find_if(place, in, told, is_zero()); });
  if (r.stem() == "min_element")
    return on_machine(h, [=](auto const& place) { onepass::min_element(place, in, told); });
  if (r.stem() == "minmax_element")
    return on_machine(h, [=](auto const& place) { onepass::minmax_element(place, in, told, beside); });
  return on_machine(h, [=](auto const& place) { onepass::adjacent_difference(place, in, out); });
}

}  // namespace perf
