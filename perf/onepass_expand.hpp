// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "expand_race.hpp"
#include "onepass_machines.hpp"

#include <onepass/expand.hpp>

namespace perf {

template <class T>
call enter_expand(race const& r, how h)
{
  const Kokkos::View<onepass::extent, space> total("total");
  const auto symbols = symbols_of<T>(r);
  const auto lengths = lengths_of<T>(r);
  const auto out     = output_of<T>(r);
  return on_backend(h, [=](auto const& place) { onepass::run_length_decode(place, symbols, lengths, out, total); });
}

}  // namespace perf
