// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "harness/machines.hpp"
#include "race.hpp"

#include <onepass/run_length.hpp>

namespace perf {

template <class T>
call enter_run_length_decode(race const& r, how h)
{
  Kokkos::View<onepass::extent, space> const total("total");
  auto const symbols = symbols_of<T>(r);
  auto const lengths = lengths_of<T>(r);
  auto const out     = output_of<T>(r);
  return on_backend(h, [=](auto const& place) { onepass::run_length_decode(place, symbols, lengths, out, total); });
}

}  // namespace perf
