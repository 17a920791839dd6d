// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "harness/machines.hpp"
#include "race.hpp"

#include <onepass/merge.hpp>

namespace perf {

template <class T>
call enter_merge(race const& r, how h)
{
  halves<T> const keys(r, 0);
  auto const a = keys.a_view(), b = keys.b_view();
  auto const out = output_of<T>(r);
  if (r.stem() == "merge") return on_backend(h, [=](auto const& place) { onepass::merge(place, a, b, out); });
  halves<std::uint32_t> const beside(r, 1);
  auto const a_values = beside.a_view(), b_values = beside.b_view();
  auto const values = output_of<std::uint32_t>(r, 1);
  return on_backend(h, [=](auto const& place) { onepass::merge_by_key(place, a, a_values, b, b_values, out, values); });
}

}  // namespace perf
