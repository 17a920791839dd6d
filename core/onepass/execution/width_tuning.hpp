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
  extent longest[3];   ///< and items at most, or twice the mean: what is longer is left to wider ones
  extent together[4];  ///< segments that a team of threads, of parts, of warps or of its own takes at a time
  extent reach[4];     ///< items that each of these has on their way
  extent region;       ///< items of a turn, at most as many on average
  extent staged;       ///< and so many at most where threads take segments of small items from a team's stage
  extent near;         ///< of so many small items, which a cache of the device has, segments are only staged
  extent near_mean;    ///< if they have more than so many on average
  extent resident;     ///< turns at the same time
  extent turns;        ///< from so many on, a turn takes segments in several rounds,
  extent most_rounds;  ///< but no more than so many,
  extent few_rounds;   ///< or than so many where threads take them from memory
  extent alone;        ///< items that a turn does not share with others, at least,
  extent lonely[2];    ///< or so many where there are few turns, if these take items in any order or one by one,
  extent few_turns;    ///< no more than this; and two chunks at least
  extent chunk;        ///< items of what is shared, at least,
  extent large_chunk;  ///< or so many where threads take segments, and up to so many where there were more chunks than
  extent few_chunks;   ///< this, since somebody has to look for each whether it is shared,
  extent most_chunks;  ///< and still more where there were more chunks than this

  /// Items of a chunk, of so many.
  constexpr extent chunk_of(extent items, bool threads) const
  {
    extent const wished = threads ? large_chunk : std::min(div_up(items, few_chunks), large_chunk);
    return std::max({chunk, wished, div_up(items, most_chunks)});
  }
  /// A thread, if the machine has fewer parts of warps than there are segments; else who takes the least time.
  constexpr segment_width width(extent items, extent segments) const
  {
    if (items <= segments * mean[0] && segments > together[1] * resident) return segment_width::thread;
    int best = 3;
    for (int w = 2; w > 0; --w)
      if (items <= segments * mean[w] && reads(w, items, segments) <= reads(best, items, segments)) best = w;
    return segment_width(best);
  }
  /// Whether threads take segments of small items, so many on average, from a team's stage.
  constexpr bool stages(extent items, extent average) const { return items > near || average > near_mean; }
  constexpr extent at_once(segment_width w) const { return together[int(w)]; }
  ONEPASS_FUNCTION constexpr extent most(segment_width w) const { return longest[int(w)]; }

private:
  /// How long segments take, in sixteenths of what it takes to read from memory: one of twice the mean, or all, by as
  /// many as there are at the same time. Offsets, and sums of lanes, cost as much as one and a half reads, and what the
  /// warps of a team have to tell each other two more.
  constexpr extent reads(int w, extent items, extent segments) const
  {
    constexpr extent read = 16;
    extent const before   = segment_width(w) == segment_width::team ? read * 7 / 2 : read * 3 / 2;
    extent const one      = items * read / (segments * reach[w]);
    return std::max(before + 2 * one, segments * (before + one) / (together[w] * resident));
  }
};
/// For items of so many bytes. What has few segments waits for memory, and wider ones wait less often.
template <class Tuning>
constexpr width_tuning width_tuning_for(std::size_t bytes)
{
  if (is_tiny<Tuning>)
    return {{4, 12, 40}, {6, 20, 60}, {64, 8, 2, 1}, {1, 4, 16, 64}, 150, 150, 1000, 2,  2,    3,
            2,           2,           100,           {64, 64},       1,   32,  64,   40, 20000};
  auto const items = [=](int of_bytes) { return std::max<extent>(of_bytes / extent(bytes), 1); };
  return {.mean        = {std::min<extent>(items(224), 96), items(1 << 10), items(32 << 10)},
          .longest     = {items(bytes < 4 ? 1 << 10 : 2 << 10), items(4 << 10), items(16 << 10)},
          .together    = {256, 32, 8, 1},
          .reach       = {items(16), items(512), items(2 << 10), items(16 << 10)},
          .region      = items(64 << 10),
          .staged      = items(32 << 10),
          .near        = items(16 << 20),
          .near_mean   = 32,
          .resident    = 528,
          .turns       = 1536,
          .most_rounds = 32,
          .few_rounds  = 4,
          .alone       = items(192 << 10),
          .lonely      = {items(256 << 10), items(192 << 10)},
          .few_turns   = 16,
          .chunk       = items(16 << 10),
          .large_chunk = items(96 << 10),
          .few_chunks  = 264,
          .most_chunks = 792};
}

}  // namespace onepass::ONEPASS_ABI
