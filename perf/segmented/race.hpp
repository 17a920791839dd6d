// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "harness/inputs.hpp"
#include "harness/race.hpp"

#include <algorithm>

// Races of segments: <primitive>.mean<length>. Segment s begins at one of the items s mean to (s + 1) mean - 1, so that
// host and device can compute the number of segments.
namespace perf {

struct segments_of_race {
  std::int64_t items, mean;

  explicit segments_of_race(race const& r)
      : items(r.items)
      , mean(r.variant())
  {}

  std::int64_t number() const { return (items + mean - 1) / mean; }

  /// Where segment s begins; after the last, the end.
  std::uint32_t offset(std::int64_t s) const
  {
    auto const where = s * mean + std::int64_t(mixed(std::uint64_t(s)) % std::uint64_t(mean));
    return std::uint32_t(s == 0 ? 0 : s == number() ? items : std::min(items, where));
  }
};

inline input_view<std::uint32_t> offsets_of(race const& r)
{
  return input_view<std::uint32_t>(static_cast<std::uint32_t const*>(r.in[1]),
                                   std::size_t(segments_of_race(r).number()) + 1);
}

template <class T>
output_view<T> sums_of(race const& r)
{
  return output_view<T>(static_cast<T*>(r.out[0]), std::size_t(segments_of_race(r).number()));
}

}  // namespace perf
