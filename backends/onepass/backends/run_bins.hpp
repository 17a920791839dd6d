// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/backends/run.hpp>

#include <onepass/backends/host/bins.hpp>
#include <onepass/backends/kokkos/bins.hpp>
#include <onepass/backends/serial/bins.hpp>
#ifdef ONEPASS_HAS_CUDA
#include <onepass/backends/cuda/bins.hpp>
#endif

namespace onepass::ONEPASS_ABI {

/// The most bins that the backend of this place counts in private memory. With more, equal items wait for one another.
template <place_like Where>
extent private_bins(Where const& where)
{
  return most_private_bins(resolved(where));
}

/// Bytes of the workspace's plain memory that the backend needs to count n items. An algorithm that itself uses plain
/// memory during run() asks for the sum of both, and takes what lies behind the backend's part.
template <place_like Where>
std::size_t private_bin_bytes(Where const& where, extent n, extent bins)
{
  return bytes_of_bins(resolved(where), n, bins);
}

}  // namespace onepass::ONEPASS_ABI
