// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "harness/race.hpp"

// Histograms have one bin per byte value, or bins of equal width from 0 to 1.
namespace perf {

using histogram_count = std::uint32_t;

inline constexpr int histogram_bins = 256;

struct value_of_byte {
  KOKKOS_FUNCTION int operator()(std::uint8_t x) const { return x; }
};

inline output_view<histogram_count> counts_of(race const& r)
{
  return output_view<histogram_count>(static_cast<histogram_count*>(r.out[0]), histogram_bins);
}

}  // namespace perf
