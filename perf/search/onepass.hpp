// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "harness/machines.hpp"

#include <onepass/search.hpp>

namespace perf {

template <class T>
call enter_search(race const& r, how h)
{
  auto const sorted = input_of<T>(r), needles = input_of<T>(r, 1);
  auto const positions = output_of<std::uint32_t>(r);
  return on_backend(h, [=](auto const& place) { onepass::lower_bound(place, sorted, needles, positions); });
}

}  // namespace perf
