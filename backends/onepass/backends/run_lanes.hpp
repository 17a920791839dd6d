// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/backends/run.hpp>

#include <onepass/backends/host/lanes.hpp>
#include <onepass/backends/kokkos/lanes.hpp>
#include <onepass/backends/serial/lanes.hpp>
#ifdef ONEPASS_HAS_CUDA
#include <onepass/backends/cuda/lanes.hpp>
#endif

namespace onepass {

/// Runs a lane program (engine/lanes.hpp), whose tiles are independent: no schedule, no workspace.
template <where Where, lane_program Program>
void run_lanes(Where const& somewhere, Program const& program, char const* label)
{
  using backend = backend_of<Where>;
  auto const p  = on(somewhere).or_named(label).template through<backend>();
  if constexpr (std::is_same_v<backend, serial_backend>) backends::serial::run_lanes(p, program);
  else if constexpr (std::is_same_v<backend, kokkos_backend>) backends::kokkos::run_lanes(p, program);
  else if constexpr (std::is_same_v<backend, host_backend>) backends::host::run_lanes(p, program);
#ifdef ONEPASS_HAS_CUDA
  else if constexpr (std::is_same_v<backend, cuda_backend>) backends::cuda::run_lanes(p, program);
#endif
}

}  // namespace onepass
