// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/backends/run.hpp>

#include <onepass/backends/host/sums.hpp>
#include <onepass/backends/kokkos/sums.hpp>
#include <onepass/backends/serial/sums.hpp>
#ifdef ONEPASS_HAS_CUDA
#include <onepass/backends/cuda/sums.hpp>
#endif

namespace onepass::ONEPASS_ABI {

/// The most bins of so many words that the backend of this place has in private memory, all of them. With more, equal
/// bins wait for one another.
template <place_like Where>
extent private_sums(Where const& where, int words)
{
  return most_private_sums(resolved(where), words);
}

/// Whether the backend adds items in the order of parts (parted_sum_program) in a team's memory. Others have tables
/// that are as large as is useful, or none.
template <place_like Where>
constexpr bool adds_parts =
    std::is_same_v<backend_of<Where>, cuda_backend> || std::is_same_v<backend_of<Where>, kokkos_backend>;

/// The most bins of so many words that a part may have.
template <place_like Where>
  requires adds_parts<Where> extent bins_of_part(Where const& where, int words)
  {
    return most_bins_of_part(resolved(where), words);
  }

/// Bytes of the workspace's plain memory that the backend needs to add n items. An algorithm that itself uses plain
/// memory during run() asks for the sum of both, and takes what lies behind the backend's part.
template <class Program, place_like Where>
std::size_t private_sum_bytes(Where const& where, extent n, extent bins)
{
  return bytes_of_sums(std::type_identity<Program>{}, resolved(where), n, bins);
}

}  // namespace onepass::ONEPASS_ABI
