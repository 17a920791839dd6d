// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/backends/run.hpp>

#include <onepass/backends/host/bins.hpp>
#include <onepass/backends/kokkos/bins.hpp>
#include <onepass/backends/serial/bins.hpp>
#ifdef ONEPASS_HAS_CUDA
#include <onepass/backends/cuda/bins.hpp>
#endif

#ifdef ONEPASS_HAS_CUDA
namespace onepass::backends::cuda {

/// Bins beyond the tables of CUDA's blocks are counted by Kokkos' teams, as on every device.
template <bin_program Program, class Tuning>
void queue(place<Kokkos::Cuda, backend, Tuning> const& where, Program const& program, item_count count)
{
  if (program.bins() <= most_private_bins(where)) count_bins(where, program, count);
  else queue(where.template through<kokkos_backend>(), program, count);
}

}  // namespace onepass::backends::cuda
#endif

namespace onepass {

/// Bins up to which the machine at this place counts in memory of its own. Beyond, equal items wait for one another.
template <place_like Where>
extent private_bins(Where const& where)
{
  return most_private_bins(resolved(where));
}

/// Bytes of the workspace's plain memory in which it counts n items. An algorithm that holds more of that memory during
/// run() asks for both at once, and takes what lies behind.
template <place_like Where>
std::size_t private_bin_bytes(Where const& where, extent n, extent bins)
{
  return bytes_of_bins(resolved(where), n, bins);
}

}  // namespace onepass
