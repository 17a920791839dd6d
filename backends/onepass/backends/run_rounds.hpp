// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/backends/run.hpp>

#include <onepass/backends/host/rounds.hpp>
#include <onepass/backends/kokkos/rounds.hpp>
#include <onepass/backends/serial/rounds.hpp>
#ifdef ONEPASS_HAS_CUDA
#include <onepass/backends/cuda/rounds.hpp>
#endif

namespace onepass::ONEPASS_ABI {

/// Which segments a backend sorts faster by digits than in rounds of merges; an item is a key and its segment.
template <class Item, place_like Where>
digits_tuning digits_for(Where const& where)
{
  return digits_of(resolved(where), sizeof(Item));
}

/// Whether a backend sorts some keys faster in rounds of merges than by digits.
template <place_like Where>
constexpr bool merges_sometimes = requires(Where const& where)
{
  merges_of(resolved(where), 0, false);
};

/// Which ones, of so many bits that count, with values or without.
template <place_like Where>
merges_tuning merges_for(Where const& where, int bits, bool values)
{
  return merges_of(resolved(where), bits, values);
}

/// The tiles in which a backend takes n positions of a round program.
template <class Program, place_like Where>
round_tiles round_tiles_of(Where const& where, extent n)
{
  return tiles_of_rounds(std::type_identity<Program>{}, resolved(where), n);
}

}  // namespace onepass::ONEPASS_ABI
