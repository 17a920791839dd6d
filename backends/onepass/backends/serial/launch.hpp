// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/engine/serial.hpp>
#include <onepass/place.hpp>

namespace onepass::backends::serial {

template <class Exec, class Backend, class Tuning, class Program>
void run(place<Exec, Backend, Tuning> const& where, Program const& program, item_count count)
{
  static_assert(Kokkos::SpaceAccessibility<Exec, Kokkos::HostSpace>::accessible,
                "onepass: the serial backend runs on host spaces");
  require(where.order == schedule::automatic || where.order == schedule::serial, where.label,
          ": the serial backend has no ", name_of(where.order), " schedule; it has serial");
  run_serially(program, count());
}

}  // namespace onepass::backends::serial
