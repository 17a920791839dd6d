// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "harness/machines.hpp"
#include "race.hpp"

#include <onepass/reduce.hpp>

namespace perf {

template <class T>
call enter_exact(race const& r, how h)
{
  auto const x = input_of<T>(r);
  value_view<T> const total(static_cast<T*>(r.out[0]));
  if (!is_dot(r)) return on_backend(h, [=](auto const& place) { onepass::reduce(onepass::exactly(place), x, total); });
  auto const y = input_of<T>(r, 1);
  return on_backend(h, [=](auto const& place) { onepass::dot(onepass::exactly(place), x, y, total); });
}

}  // namespace perf
