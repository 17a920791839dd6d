// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <Kokkos_Macros.hpp>

#include <cstdint>

namespace perf {

/// The position, hashed: bits that look random.
KOKKOS_INLINE_FUNCTION std::uint64_t mixed(std::uint64_t i)
{
  i = (i + 1) * 0x9e3779b97f4a7c15u;
  i = (i ^ i >> 30) * 0xbf58476d1ce4e5b9u;
  i = (i ^ i >> 27) * 0x94d049bb133111ebu;
  return i ^ i >> 31;
}

}  // namespace perf
