// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "harness/race.hpp"

// Sorts by key have values of 32 bits, the positions of their keys, which follow the keys in memory.
namespace perf {

using sort_value = std::uint32_t;

/// Where the values begin, in bytes.
inline std::size_t values_at(race const& r) { return (bytes_of(r) + 255) / 256 * 256; }

inline input_view<sort_value> values_in(race const& r)
{
  return input_view<sort_value>(reinterpret_cast<sort_value const*>(static_cast<char const*>(r.in[0]) + values_at(r)),
                                std::size_t(r.items));
}
inline output_view<sort_value> values_out(race const& r)
{
  return output_view<sort_value>(reinterpret_cast<sort_value*>(static_cast<char*>(r.out[0]) + values_at(r)),
                                 std::size_t(r.items));
}

}  // namespace perf
