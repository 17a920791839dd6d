// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/engine/bins.hpp>
#include <onepass/place.hpp>

namespace onepass::backends::serial {

template <class Exec, bin_program Program, class Tuning>
void run(place<Exec, serial_backend, Tuning> const&, Program const& program, item_count count, workspace<Exec>&)
{
  static_assert(Kokkos::SpaceAccessibility<Exec, Kokkos::HostSpace>::accessible,
                "onepass: the serial backend runs on host spaces");
  auto const counts = program.counts();
  auto const in     = program.input();
  extent const bins = program.bins();
  for (extent b = 0; b < bins; ++b) counts(b) = 0;
  for (extent i = 0; i < count(); ++i)
    if (extent const b = program.bin(in(i)); b >= 0 && b < bins) ++counts(b);
}

}  // namespace onepass::backends::serial
