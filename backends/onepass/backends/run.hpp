// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/backends/select.hpp>

#include <onepass/backends/host/launch.hpp>
#include <onepass/backends/kokkos/launch.hpp>
#include <onepass/backends/serial/launch.hpp>
#ifdef ONEPASS_HAS_CUDA
#include <onepass/backends/cuda/launch.hpp>
#endif

// The way down to the machines of item programs, and of bodies whose items do not know of each other. The other kinds
// of programs have a header each: run_orders.hpp, run_bins.hpp, run_ranges.hpp, run_lanes.hpp, run_grids.hpp.

namespace onepass {

/// The backend that a place names, or the one that serves its space.
template <where Where>
using backend_of = std::conditional_t<std::is_same_v<typename place_of<Where>::backend, automatic_backend>,
                                      typename backend_for<space_of<Where>>::type, typename place_of<Where>::backend>;

/// Calls f with the place, which then has a label and a workspace, and with that workspace: its own, or one for this
/// call alone.
template <where Where, class F>
void with_workspace(Where const& somewhere, char const* label, F const& f)
{
  auto const p = on(somewhere).or_named(label);
  if (p.scratch) f(p, *p.scratch);
  else {
    workspace<space_of<Where>> scratch(p.space);
    f(p.with(scratch), scratch);
  }
}

/// The one way down: runs `program` over `count` items at a place, asynchronously. Nothing is fenced, and nothing
/// allocated when the place has a workspace that is large enough.
template <where Where, item_program Program>
void run(Where const& somewhere, Program const& program, item_count count, char const* label)
{
  using backend = backend_of<Where>;
  if constexpr (std::is_same_v<backend, serial_backend>)
    backends::serial::run(on(somewhere), program, count);  // a place copied costs a hundred items
  else
    with_workspace(somewhere, label, [&](auto const& p, workspace<space_of<Where>>& scratch) {
      auto const there = p.template through<backend>();
      if constexpr (std::is_same_v<backend, kokkos_backend>) backends::kokkos::run(there, program, count, scratch);
      else if constexpr (std::is_same_v<backend, host_backend>) backends::host::run(there, program, count, scratch);
#ifdef ONEPASS_HAS_CUDA
      else if constexpr (std::is_same_v<backend, cuda_backend>) backends::cuda::run(there, program, count, scratch);
#endif
    });
}

/// Calls body(i) for every i below n at a place, in no order: for algorithms whose items do not know of each other.
template <where Where, class Body>
void run_each(Where const& somewhere, Body const& body, extent n, char const* label)
{
  auto const& p = on(somewhere);
  using exec    = space_of<Where>;
  if constexpr (std::is_same_v<typename place_of<Where>::backend, serial_backend>)
    for (extent i = 0; i < n; ++i) body(i);
  else
    Kokkos::parallel_for(p.label.empty() ? label : p.label,
                         Kokkos::RangePolicy<exec, Kokkos::IndexType<extent>>(p.space, 0, n), body);
}

}  // namespace onepass
