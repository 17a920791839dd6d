// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "harness/race.hpp"

#include <algorithm>
#include <limits>

// Histograms have as many bins as the variant says, or 256: one per byte value, or bins of equal width from 0 to 1 for
// floats, and from 0 to as many for other integers.
namespace perf {

using histogram_count = std::uint32_t;

inline constexpr int most_histogram_bins = 1'000'000;

inline int histogram_bins(race const& r) { return r.stem() == r.primitive ? 256 : int(r.variant()); }

/// Where the last bin ends.
template <class T>
T histogram_end(race const& r)
{
  if constexpr (std::is_floating_point_v<T>) return T(1);
  else return static_cast<T>(std::min<std::int64_t>(histogram_bins(r), std::numeric_limits<T>::max()));
}

struct value_of_byte {
  KOKKOS_FUNCTION int operator()(std::uint8_t x) const { return x; }
};

inline output_view<histogram_count> counts_of(race const& r)
{
  return output_view<histogram_count>(static_cast<histogram_count*>(r.out[0]), std::size_t(histogram_bins(r)));
}

}  // namespace perf
