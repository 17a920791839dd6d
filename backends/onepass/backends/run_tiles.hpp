// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/backends/run.hpp>

#include <onepass/backends/host/tiles.hpp>
#include <onepass/backends/kokkos/tiles.hpp>
#include <onepass/backends/serial/tiles.hpp>

#ifdef ONEPASS_HAS_CUDA
namespace onepass::backends::cuda {

/// Kokkos' teams run them, as everywhere: what a tile does is the program's, and so are its instructions.
template <tile_program Program, class Tuning>
void queue(place<Kokkos::Cuda, backend, Tuning> const& where, Program const& program, workspace<Kokkos::Cuda>& scratch)
{
  require(where.order != schedule::two_pass || std::is_base_of_v<single_tile, Program>, where.label,
          ": the CUDA backend runs tile programs in one kernel; portably(exec) has two-pass");
  queue_as_one(where.template through<kokkos_backend>(), program, scratch);
}

}  // namespace onepass::backends::cuda
#endif
