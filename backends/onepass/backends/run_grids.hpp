// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/backends/run.hpp>

#include <onepass/backends/host/grid.hpp>
#include <onepass/backends/kokkos/grid.hpp>
#include <onepass/backends/serial/grid.hpp>
#ifdef ONEPASS_HAS_CUDA
#include <onepass/backends/cuda/grid.hpp>
#endif

namespace onepass {

/// Runs a grid program (engine/grid.hpp), asynchronously.
template <where Where, grid_program Program>
void run_grid(Where const& somewhere, Program const& program, char const* label)
{
  using backend = backend_of<Where>;
  if constexpr (std::is_same_v<backend, serial_backend>)
    backends::serial::run_grid(on(somewhere).template through<backend>(), program);
  else
    with_workspace(somewhere, label, [&](auto const& p, workspace<space_of<Where>>& scratch) {
      auto const there = p.template through<backend>();
      if constexpr (std::is_same_v<backend, kokkos_backend>) backends::kokkos::run_grid(there, program, scratch);
      else if constexpr (std::is_same_v<backend, host_backend>) backends::host::run_grid(there, program, scratch);
#ifdef ONEPASS_HAS_CUDA
      else if constexpr (std::is_same_v<backend, cuda_backend>) backends::cuda::run_grid(there, program, scratch);
#endif
    });
}

}  // namespace onepass
