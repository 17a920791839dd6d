// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "harness/machines.hpp"
#include "race.hpp"

#include <onepass/summed_area_table.hpp>

namespace perf {

template <class T>
call enter_summed_area_table(race const& r, how h)
{
  if (r.primitive != "table") return {};
  auto const in    = image<T>(r);
  auto const out   = table<T>(r);
  auto const queue = [=](auto const& place) { onepass::summed_area_table(place, in, out); };
  if (h == how::portable_two_pass)
    return with_workspace(onepass::portably(space()).by(onepass::schedule::two_pass), queue);
  return on_backend(h, queue);
}

}  // namespace perf
