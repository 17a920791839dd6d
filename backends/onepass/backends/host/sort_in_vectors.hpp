// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/version.hpp>

#include <cstddef>
#include <cstdint>

namespace onepass::ONEPASS_ABI::backends::host {

#ifdef ONEPASS_HIGHWAY_SORT
/// Whether numbers are sorted in vector registers.
inline constexpr bool sorts_in_vectors = true;

/// Sorts numbers that are in a cache, by the instruction set of this processor. Defined in sort_in_vectors.cpp where
/// onepass was built with Google Highway and its sort, which sets ONEPASS_HIGHWAY_SORT.
void sort_in_vectors(std::uint16_t* numbers, std::size_t n);
void sort_in_vectors(std::uint32_t* numbers, std::size_t n);
void sort_in_vectors(std::uint64_t* numbers, std::size_t n);
#else
inline constexpr bool sorts_in_vectors = false;
#endif

}  // namespace onepass::ONEPASS_ABI::backends::host
