// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/backends/select.hpp>

#include <onepass/backends/host/launch.hpp>
#include <onepass/backends/host/order.hpp>
#include <onepass/backends/host/bins.hpp>
#include <onepass/backends/kokkos/launch.hpp>
#include <onepass/backends/kokkos/order.hpp>
#include <onepass/backends/kokkos/bins.hpp>
#include <onepass/backends/serial/launch.hpp>
#include <onepass/backends/serial/order.hpp>
#include <onepass/backends/serial/bins.hpp>
#ifdef ONEPASS_HAS_CUDA
#include <onepass/backends/cuda/launch.hpp>
#include <onepass/backends/cuda/order.hpp>
#endif

namespace onepass {

/// The one way down: runs `program` over `count` items at a place, asynchronously. Nothing is fenced, and nothing
/// allocated when the place has a workspace that is large enough.
template <where Where, class Program>
  requires(item_program<Program> || order_program<Program> || bin_program<Program>)
void run(Where const& somewhere, Program const& program, item_count count, char const* label)
{
  auto p = on(somewhere);
  if (p.label.empty()) p.label = label;
  using chosen  = typename place_of<Where>::backend;
  using backend = std::conditional_t<std::is_same_v<chosen, automatic_backend>,
                                     typename backend_for<space_of<Where>>::type, chosen>;

  if constexpr (std::is_same_v<backend, serial_backend> && item_program<Program>) backends::serial::run(p.template through<backend>(), program, count);
  else {
    const auto queue = [&](workspace<space_of<Where>>& scratch) {
      const auto there = p.template through<backend>();
      if constexpr (std::is_same_v<backend, serial_backend>) backends::serial::run(there, program, count, scratch);
      else if constexpr (std::is_same_v<backend, kokkos_backend>) backends::kokkos::run(there, program, count, scratch);
      else if constexpr (std::is_same_v<backend, host_backend>) backends::host::run(there, program, count, scratch);
#ifdef ONEPASS_HAS_CUDA
      else if constexpr (std::is_same_v<backend, cuda_backend> && bin_program<Program>)
        backends::kokkos::run(p.template through<kokkos_backend>(), program, count, scratch);  // teams do it as well
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

}  // namespace onepass
