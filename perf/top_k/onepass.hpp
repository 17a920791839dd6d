// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "harness/machines.hpp"
#include "race.hpp"

#include <onepass/top_k.hpp>

namespace perf {

template <class T>
call enter_top_k(race const& r, how h)
{
  auto const in   = input_of<T>(r);
  auto const keys = output_of<T>(r);
  auto const at   = output_of<u32>(r, 1);
  auto const k    = wanted(r);
  return on_machine(h, [=](auto const& place) { onepass::top_k(place, in, k, keys, at); });
}

}  // namespace perf
