// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/backends/select.hpp>

#include <onepass/backends/host/lanes.hpp>
#include <onepass/backends/host/launch.hpp>
#include <onepass/backends/kokkos/lanes.hpp>
#include <onepass/backends/kokkos/launch.hpp>
#include <onepass/backends/serial/lanes.hpp>
#include <onepass/backends/serial/launch.hpp>
#ifdef ONEPASS_HAS_CUDA
#include <onepass/backends/cuda/lanes.hpp>
#include <onepass/backends/cuda/launch.hpp>
#endif

namespace onepass {

/// The backend that a place names, or the one that serves its space.
template <where Where>
using backend_of = std::conditional_t<std::is_same_v<typename place_of<Where>::backend, automatic_backend>,
                                      typename backend_for<space_of<Where>>::type, typename place_of<Where>::backend>;

/// The one way down: runs `program` over `count` items at a place, asynchronously. Nothing is fenced, and nothing
/// allocated when the place has a workspace that is large enough.
template <where Where, item_program Program>
void run(Where const& somewhere, Program const& program, item_count count, char const* label)
{
  auto p = on(somewhere);
  if (p.label.empty()) p.label = label;
  using backend = backend_of<Where>;

  if constexpr (std::is_same_v<backend, serial_backend>) backends::serial::run(p.template through<backend>(), program, count);
  else {
    const auto queue = [&](workspace<space_of<Where>>& scratch) {
      const auto there = p.template through<backend>();
      if constexpr (std::is_same_v<backend, kokkos_backend>) backends::kokkos::run(there, program, count, scratch);
      else if constexpr (std::is_same_v<backend, host_backend>) backends::host::run(there, program, count, scratch);
#ifdef ONEPASS_HAS_CUDA
      else if constexpr (std::is_same_v<backend, cuda_backend>) backends::cuda::run(there, program, count, scratch);
#endif
    };
    if (p.scratch) queue(*p.scratch);
    else {
      workspace<space_of<Where>> scratch(p.space);
      queue(scratch);
    }
  }
}

/// The same for programs whose tiles are independent: no schedule, no workspace.
template <where Where, lane_program Program>
void run_lanes(Where const& somewhere, Program const& program, char const* label)
{
  using backend = backend_of<Where>;
  auto p = on(somewhere).template through<backend>();
  if (p.label.empty()) p.label = label;
  if constexpr (std::is_same_v<backend, serial_backend>) backends::serial::run_lanes(p, program);
  else if constexpr (std::is_same_v<backend, kokkos_backend>) backends::kokkos::run_lanes(p, program);
  else if constexpr (std::is_same_v<backend, host_backend>) backends::host::run_lanes(p, program);
#ifdef ONEPASS_HAS_CUDA
  else if constexpr (std::is_same_v<backend, cuda_backend>) backends::cuda::run_lanes(p, program);
#endif
}

}  // namespace onepass
