// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/backends/select.hpp>

#include <onepass/backends/host/bins.hpp>
#include <onepass/backends/host/lanes.hpp>
#include <onepass/backends/host/launch.hpp>
#include <onepass/backends/host/order.hpp>
#include <onepass/backends/kokkos/bins.hpp>
#include <onepass/backends/kokkos/lanes.hpp>
#include <onepass/backends/kokkos/launch.hpp>
#include <onepass/backends/kokkos/order.hpp>
#include <onepass/backends/kokkos/ranges.hpp>
#include <onepass/backends/serial/bins.hpp>
#include <onepass/backends/serial/lanes.hpp>
#include <onepass/backends/serial/launch.hpp>
#include <onepass/backends/serial/order.hpp>
#ifdef ONEPASS_HAS_CUDA
#include <onepass/backends/cuda/lanes.hpp>
#include <onepass/backends/cuda/launch.hpp>
#include <onepass/backends/cuda/order.hpp>
#endif

namespace onepass {

/// The backend that a place names, or the one that serves its space.
template <where Where>
using backend_of = std::conditional_t<std::is_same_v<typename place_of<Where>::backend, automatic_backend>,
                                      typename backend_for<space_of<Where>>::type, typename place_of<Where>::backend>;

/// Calls f with the place, which then has a label and a workspace, and with that workspace: its own, or one for this call alone.
template <where Where, class F>
void with_workspace(Where const& somewhere, char const* label, F const& f)
{
  auto p = on(somewhere);
  if (p.label.empty()) p.label = label;
  if (p.scratch) f(p, *p.scratch);
  else {
    workspace<space_of<Where>> scratch(p.space);
    f(p.with(scratch), scratch);
  }
}

/// The one way down: runs `program` over `count` items at a place, asynchronously. Nothing is fenced, and nothing
/// allocated when the place has a workspace that is large enough.
template <where Where, class Program>
  requires(item_program<Program> || order_program<Program> || bin_program<Program>)
void run(Where const& somewhere, Program const& program, item_count count, char const* label)
{
  using backend = backend_of<Where>;
  if constexpr (std::is_same_v<backend, serial_backend> && item_program<Program>) backends::serial::run(on(somewhere).template through<backend>(), program, count);
  else
    with_workspace(somewhere, label, [&](auto const& p, workspace<space_of<Where>>& scratch) {
      const auto there = p.template through<backend>();
      if constexpr (std::is_same_v<backend, serial_backend>) backends::serial::run(there, program, count, scratch);
      else if constexpr (std::is_same_v<backend, kokkos_backend>) backends::kokkos::run(there, program, count, scratch);
      else if constexpr (std::is_same_v<backend, host_backend>) backends::host::run(there, program, count, scratch);
#ifdef ONEPASS_HAS_CUDA
      else if constexpr (std::is_same_v<backend, cuda_backend> && bin_program<Program>)
        backends::kokkos::run(p.template through<kokkos_backend>(), program, count, scratch);  // teams do it as well
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
    Kokkos::parallel_for(p.label.empty() ? label : p.label, Kokkos::RangePolicy<exec, Kokkos::IndexType<extent>>(p.space, 0, n), body);
}

/// Tiles for which a range program may be asked to note something: none where threads work alone.
template <class Program, where Where>
extent range_tiles(Where const& somewhere, extent limit)
{
  using backend = backend_of<Where>;
  if constexpr (std::is_same_v<backend, serial_backend> || std::is_same_v<backend, host_backend>) return 0;
  else {
    const auto p = on(somewhere).template through<kokkos_backend>();
    return backends::kokkos::range_tiles<space_of<Where>, Program, typename place_of<Where>::tuning>(p, limit);
  }
}

/// Runs a range program (engine/range_program.hpp) over at most `limit` positions, asynchronously.
template <where Where, class Program>
void run_ranges(Where const& somewhere, Program const& program, extent limit, char const* label)
{
  using backend = backend_of<Where>;
  if constexpr (std::is_same_v<backend, serial_backend>) program.alone(0, program.size());
  else if constexpr (std::is_same_v<backend, host_backend>) {
    constexpr extent items = std::is_same_v<typename place_of<Where>::tuning, tiny_tuning> ? 16 : extent(1) << 16;
    const extent     n     = program.size();
    run_each(somewhere, [=](extent t) { program.alone(t * items, t * items + items < n ? t * items + items : n); }, div_up(n, items), label);
  } else {
    auto p = on(somewhere).template through<kokkos_backend>();  // teams do it on every device
    if (p.label.empty()) p.label = label;
    backends::kokkos::run_ranges(p, program, limit);
  }
}

/// Runs a lane program (engine/lanes.hpp), whose tiles are independent: no schedule, no workspace.
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
