// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/backends/run.hpp>

#include <onepass/backends/host/ranges.hpp>
#include <onepass/backends/kokkos/ranges.hpp>
#include <onepass/backends/serial/ranges.hpp>
#ifdef ONEPASS_HAS_CUDA
#include <onepass/backends/cuda/ranges.hpp>
#endif

namespace onepass::ONEPASS_ABI {

/// The number of tiles for which a range program's seek() may be called: none where threads work alone.
template <class Program, place_like Where>
extent range_tiles(Where const& where, extent limit)
{
  return tiles_of_ranges(std::type_identity<Program>{}, resolved(where), limit);
}

}  // namespace onepass::ONEPASS_ABI
