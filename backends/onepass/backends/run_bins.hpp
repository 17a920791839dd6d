// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/backends/run.hpp>

#include <onepass/backends/host/bins.hpp>
#include <onepass/backends/kokkos/bins.hpp>
#include <onepass/backends/serial/bins.hpp>
#ifdef ONEPASS_HAS_CUDA
#include <onepass/backends/cuda/bins.hpp>
#endif

namespace onepass {

/// Bins up to which the machine at this place counts in memory of its own. Beyond, equal items wait for one another.
template <where Where>
constexpr extent most_private_bins()
{
  using backend = backend_of<Where>;
  using numbers = typename place_of<Where>::tuning;
#ifdef ONEPASS_HAS_CUDA
  if constexpr (std::is_same_v<backend, cuda_backend>) return backends::cuda::most_bins<numbers>;
  else
#endif
      if constexpr (std::is_same_v<backend, kokkos_backend>)
    return backends::kokkos::bin_tuning_for<space_of<Where>, numbers>().table_bins;
  else return extent(1) << 20;
}

/// Bytes of the workspace's plain memory in which it counts n items. An algorithm that holds more of that memory during
/// run() asks for both at once, and takes what lies behind.
template <where Where>
std::size_t private_bin_bytes(Where const& somewhere, extent n, extent bins)
{
  if constexpr (std::is_same_v<backend_of<Where>, host_backend>)
    return backends::host::bin_tables_for(on(somewhere).template through<host_backend>(), n, bins).bytes();
  else return 0;
}

/// Runs a bin program (engine/bins.hpp), asynchronously, as run() does item programs.
template <where Where, bin_program Program>
void run(Where const& somewhere, Program const& program, item_count count, char const* label)
{
  using backend = backend_of<Where>;
  with_workspace(somewhere, label, [&](auto const& p, workspace<space_of<Where>>& scratch) {
    auto const there = p.template through<backend>();
    if constexpr (std::is_same_v<backend, serial_backend>) backends::serial::run(there, program, count, scratch);
    else if constexpr (std::is_same_v<backend, host_backend>) backends::host::run(there, program, count, scratch);
    else {
#ifdef ONEPASS_HAS_CUDA
      if constexpr (std::is_same_v<backend, cuda_backend>)
        if (program.bins() <= most_private_bins<Where>()) return backends::cuda::run(there, program, count, scratch);
#endif
      backends::kokkos::run(p.template through<kokkos_backend>(), program, count,
                            scratch);  // teams do it on every device
    }
  });
}

}  // namespace onepass
