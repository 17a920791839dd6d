// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/engine/lanes.hpp>
#include <onepass/place.hpp>

namespace onepass::backends::serial {

template <class Exec, class Program, class Tuning>
void run_lanes(place<Exec, serial_backend, Tuning> const&, Program const& program)
{
  static_assert(Kokkos::SpaceAccessibility<Exec, Kokkos::HostSpace>::accessible,
                "onepass: the serial backend runs on host spaces");
  program.run_tiles(0, program.tiles());
}

}  // namespace onepass::backends::serial
