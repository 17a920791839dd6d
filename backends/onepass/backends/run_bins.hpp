// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/backends/run.hpp>

#include <onepass/backends/host/bins.hpp>
#include <onepass/backends/kokkos/bins.hpp>
#include <onepass/backends/serial/bins.hpp>

namespace onepass {

/// Runs a bin program (engine/bins.hpp), asynchronously, as run() does item programs.
template <where Where, bin_program Program>
void run(Where const& somewhere, Program const& program, item_count count, char const* label)
{
  using backend = backend_of<Where>;
  with_workspace(somewhere, label, [&](auto const& p, workspace<space_of<Where>>& scratch) {
    const auto there = p.template through<backend>();
    if constexpr (std::is_same_v<backend, serial_backend>) backends::serial::run(there, program, count, scratch);
    else if constexpr (std::is_same_v<backend, host_backend>) backends::host::run(there, program, count, scratch);
    else backends::kokkos::run(p.template through<kokkos_backend>(), program, count, scratch);  // teams do it on every device
  });
}

}  // namespace onepass
