// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "harness/machines.hpp"

#include <onepass/reduce.hpp>

namespace perf {

template <class T>
call enter_reduce(race const& r, how h)
{
  auto const in = input_of<T>(r);
  value_view<T> const total(static_cast<T*>(r.out[0]));
  return on_machine_of<T>(h, [=](auto const& place) { onepass::reduce(place, in, total); });
}

}  // namespace perf
