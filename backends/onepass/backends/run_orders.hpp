// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/backends/run.hpp>

#include <onepass/backends/host/order.hpp>
#include <onepass/backends/kokkos/order.hpp>
#include <onepass/backends/serial/order.hpp>
#ifdef ONEPASS_HAS_CUDA
#include <onepass/backends/cuda/order.hpp>
#endif

namespace onepass {

/// Runs an order program (engine/order.hpp), asynchronously, as run() does item programs.
template <where Where, order_program Program>
void run(Where const& somewhere, Program const& program, item_count count, char const* label)
{
  using backend = backend_of<Where>;
  with_workspace(somewhere, label, [&](auto const& p, workspace<space_of<Where>>& scratch) {
    auto const there = p.template through<backend>();
    if constexpr (std::is_same_v<backend, serial_backend>) backends::serial::run(there, program, count, scratch);
    else if constexpr (std::is_same_v<backend, host_backend>) backends::host::run(there, program, count, scratch);
    else if constexpr (std::is_same_v<backend, kokkos_backend>) backends::kokkos::run(there, program, count, scratch);
#ifdef ONEPASS_HAS_CUDA
    else if constexpr (std::is_same_v<backend, cuda_backend>) backends::cuda::run(there, program, count, scratch);
#endif
  });
}

}  // namespace onepass
