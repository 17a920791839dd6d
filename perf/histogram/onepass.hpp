// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "harness/machines.hpp"
#include "race.hpp"

#include <onepass/histogram.hpp>

namespace perf {

template <class T>
call enter_histogram(race const& r, how h)
{
  auto const in     = input_of<T>(r);
  auto const counts = counts_of(r);
  return on_backend(h, [=](auto const& place) {
    if constexpr (std::is_same_v<T, std::uint8_t>) onepass::histogram(place, in, counts, value_of_byte{});
    else onepass::histogram_even(place, in, counts, T(0), histogram_end<T>(r));
  });
}

}  // namespace perf
