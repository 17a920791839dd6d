// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/execution/tuning.hpp>

#include <algorithm>
#include <cstddef>

namespace onepass::ONEPASS_ABI {

/// Who takes a segment: a thread, some lanes of a warp, a warp, or a team.
enum class segment_width { thread, part, warp, team };

/// Sums of segments by those that are as wide as suits the mean length.
struct width_tuning {
  extent mean[3];      ///< items on average, at most, where a thread, a part of a warp or a warp takes a segment
  extent longest[3];   ///< and items at most: what is longer is left to wider ones
  extent together[4];  ///< segments that a team of threads, of parts, of warps or of its own takes at a time
  extent region;       ///< items of a turn, at most as many on average
  extent turns;        ///< from so many on, a turn takes segments in several rounds,
  extent most_rounds;  ///< but no more than so many
  extent alone;        ///< items that a turn does not share with others, at least
  int chunk_bits;      ///< of the number of items in what is shared, at least,
  extent most_chunks;  ///< and more where there were more chunks than this

  constexpr segment_width width(extent items, extent segments) const
  {
    for (int w = 0; w < 3; ++w)
      if (items <= segments * mean[w]) return segment_width(w);
    return segment_width::team;
  }
  constexpr extent at_once(segment_width w) const { return together[int(w)]; }
  ONEPASS_FUNCTION constexpr extent most(segment_width w) const { return longest[int(w)]; }
};
/// For items of so many bytes.
template <class Tuning>
constexpr width_tuning width_tuning_for(std::size_t bytes)
{
  if (is_tiny<Tuning>) return {{4, 12, 40}, {6, 20, 60}, {64, 8, 2, 1}, 150, 3, 2, 100, 5, 20000};
  // So many times 256 bytes.
  auto const items = [=](int times) { return std::max<extent>(extent(256) * times / extent(bytes), 1); };
  int bits         = 0;
  while (items(128) >> (bits + 1) != 0) ++bits;
  return {{items(1), items(8), items(32)},
          {items(4), items(32), items(64)},
          {256, 32, 8, 1},
          items(256),
          1536,
          32,
          items(512),
          bits,
          2048};
}

}  // namespace onepass::ONEPASS_ABI
