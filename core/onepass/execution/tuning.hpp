// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/extent.hpp>

#include <type_traits>

namespace onepass::ONEPASS_ABI {

// Numbers that change speed, never results. Each backend has a file of them, tuning.hpp: a struct for each kind of
// program, chosen by a constexpr function, and each_tuning(), which `onepass info` prints. The member each(f) of a
// struct calls f(name, number) for each of its numbers. Here, and in the files beside this one, are tags, what backends
// share, and numbers by which algorithms choose among programs.

/// The numbers that the backend chose from measurements.
struct measured_tuning {};

/// Tiles of a few items, so that small inputs meet every edge and every wait of a schedule. For tests.
struct tiny_tuning {};

/// The same tiles on every space: they make one expression tree of the items (docs/canonical.md), so that floats too
/// get the same bits everywhere.
struct canonical_tuning {};

template <class Tuning>
inline constexpr bool is_tiny = std::is_same_v<Tuning, tiny_tuning>;
template <class Tuning>
inline constexpr bool is_canonical = std::is_same_v<Tuning, canonical_tuning>;
template <class Tuning>
inline constexpr bool is_exact = false;  ///< of exactly(exec) (execution/exactly.hpp)

/// How a block scans the sums of its threads.
enum class block_network {
  warp_shuffles,  ///< Kogge-Stone in each warp, then over the warps' sums
  raking          ///< groups of `radix` sums folded by one thread each, then the groups
};

/// The numbers of a team that takes a tile of items, or of positions.
struct team_tuning {
  int threads           = 256;  ///< of a team
  int packs             = 9;    ///< 16-byte words of items per thread; odd numbers avoid bank conflicts
  int min_teams         = 1;    ///< resident teams wanted on a multiprocessor; limits registers
  int window            = 32;   ///< tiles that a look-back reads together
  block_network network = block_network::warp_shuffles;
  int radix             = 16;         ///< raking: sums folded by one thread
  bool persistent       = false;      ///< teams draw tickets until none is left
  bool lanes            = false;      ///< threads are lanes of warps that can work on their own (engine/warps.hpp)
  int stage             = 46 * 1024;  ///< bytes of a team's stage, at most, where a tile is as large as that allows

  /// How many items a thread takes at a time.
  ONEPASS_FUNCTION constexpr int items_per_thread(std::size_t bytes_per_item) const
  {
    int const n = packs * 16 / int(bytes_per_item);
    return n < 1 ? 1 : n;
  }

  template <class F>
  void each(F const& f) const
  {
    f("threads", threads), f("packs", packs), f("min_teams", min_teams), f("window", window);
    f("persistent", persistent);
  }
};

/// The numbers that fix the canonical tree (docs/canonical.md), where what is combined has `sum` bytes.
constexpr team_tuning canonical_teams_for(std::size_t sum)
{
  return {.threads = 256, .packs = sum > 16 ? 5 : 9, .min_teams = 4, .network = block_network::raking, .radix = 16};
}

/// As many calls of some nanoseconds as take a thread of a host as long as to wake others.
inline constexpr extent few_short_calls = extent(1) << 13;

/// How many keys of `key_bytes` bytes there must be for counting them to be faster than moving them, on GPUs and on
/// host threads alike: counting takes four kernels and a walk through its tables.
template <class Tuning>
constexpr extent counting_sort_from(std::size_t key_bytes)
{
  if (is_tiny<Tuning>) return key_bytes == 1 ? 1 : 10000;  // tables of 16 bits take tiny tiles long
  return extent(1) << (key_bytes == 1 ? 20 : 22);
}

/// Sums of segments: a step takes an item or the end of a segment.
struct segment_tuning {
  extent steps_alone;   ///< of a tile that one thread takes, at least;
  extent most_alone;    ///< items of more bytes at most,
  extent many_alone;    ///< if there are more tiles than this
  extent few;           ///< so few steps are taken by one team, and so are scans of so few items and segments
  extent spread;        ///< while there are fewer tiles, a team takes fewer steps at a time
  extent fewest;        ///< steps of a thread at a time
  extent teams;         ///< resident teams: while there are fewer tiles, a team takes its steps in one round
  extent most_rounds;   ///< of a team, in one tile
  int unmeasured;       ///< segments no longer than this are short without being measured
  int most_uneven;      ///< a thread may take whole segments if that makes at most so many times its share of the steps
  extent small;         ///< bytes of items: on a device, sums of segments of so few wait for nothing
  extent mean_short;    ///< of these: a thread takes a segment, while they have so many bytes on average
  int longest;          ///< and at most so many items
  extent scanned;       ///< on a device, scans of segments wait for nothing: items times two more than their mean,
  extent mean_scanned;  ///< and items of a segment on average
  extent mean_long;     ///< from so many items a segment on, warps take a tile's segments from memory

  constexpr bool scans_alone(extent items, extent segments) const
  {
    return items <= segments * mean_scanned && items <= scanned && items * (items + 2 * segments) <= scanned * segments;
  }
};
template <class Tuning>
constexpr segment_tuning segment_tuning_for()
{
  if (is_tiny<Tuning>) return {7, 0, 1, 50, 2, 1, 2, 3, 1, 2, 1000, 20, 8, 1500, 5, 9};
  return {.steps_alone  = extent(1) << 15,
          .most_alone   = extent(1) << 19,
          .many_alone   = 64,
          .few          = is_canonical<Tuning> ? 0 : 4096,
          .spread       = 128,
          .fewest       = 3,
          .teams        = 512,
          .most_rounds  = 8,
          .unmeasured   = 4,
          .most_uneven  = 3,
          .small        = extent(1) << 16,
          .mean_short   = 256,
          .longest      = 256,
          .scanned      = extent(1) << 23,
          .mean_scanned = 24,
          .mean_long    = 512};
}

/// Which segments are sorted by digits, the number of a segment among them, and not in rounds of merges.
struct digits_tuning {
  extent mean;      ///< items of a segment, at least
  extent from = 0;  ///< and items in all, at least

  constexpr bool wanted(extent items, extent segments) const { return items >= from && items >= mean * segments; }
};

/// How many items are sorted by merging, and not by the digits of their codes.
struct merges_tuning {
  extent from = 1, to = 0;

  constexpr bool wanted(extent items) const { return from <= items && items <= to; }
};

/// How many items are sorted by their ranks (programs/rank_sort.hpp), where relay programs run.
struct rank_tuning {
  extent from, from_in_place, to;
  extent turns;  ///< two for each multiprocessor: of one each, some would get two and others none

  constexpr bool wanted(extent items, bool in_place) const
  {
    return (in_place ? from_in_place : from) <= items && items <= to;
  }
};
/// By codes of so many bits. One digit is sorted by one block as fast, if it has few items.
template <class Tuning>
constexpr rank_tuning rank_tuning_for(int bits)
{
  if (is_tiny<Tuning>) return {40, 40, 100, 7};
  if (bits <= 8) return {1024, 4096, 6144, 264};
  return {257, 257, bits <= 32 ? 10240 : 12288, 264};
}
/// The same of segments, however many bits. One team sorts few in place. Of several segments, which have half of the
/// comparisons at most, there may be more items, as far as the memory of any device's team allows.
struct segment_rank_tuning : rank_tuning {
  extent most;

  constexpr bool wanted(extent items, extent segments, bool in_place) const
  {
    return rank_tuning::wanted(items, in_place)
           || (to < items && items <= most && items * items <= to * to * (segments / 2));
  }
};
template <class Tuning>
constexpr segment_rank_tuning segment_rank_tuning_for(std::size_t key_bytes)
{
  if (is_tiny<Tuning>) return {{40, 40, 100, 7}, 150};
  if (key_bytes > 4) return {{1, 129, 8192, 264}, 10240};
  return {{1, 129, 12288, 264}, key_bytes == 4 ? 20480 : 32768};
}

/// The heads of so few segments, of so few items together, are marked by one team.
struct few_segments {
  extent segments, items;
};
template <class Tuning>
constexpr few_segments few_segments_for()
{
  if (is_tiny<Tuning>) return {50, 500};
  return {2048, extent(1) << 18};
}

/// How many runs are expanded in how many steps, where every tile of the output adds up all lengths, or all sums of
/// groups of runs: as long as these are few, and all tiles together do not read them too often. Without items nobody
/// would write the total.
struct few_runs {
  extent runs, groups;
  extent work;  ///< of lengths or sums times items

  constexpr bool in_one_step(extent all, extent items) const { return are_few(all, runs, items); }
  constexpr bool in_two_steps(extent all, extent items) const { return are_few(all, groups, items); }

private:
  constexpr bool are_few(extent all, extent most, extent items) const
  {
    return items > 0 && all <= most && all * items <= work;
  }
};
template <bool Host, class Tuning>
constexpr few_runs few_runs_for()
{
  if (is_tiny<Tuning>) return {Host ? 50 : 150, Host ? 0 : 20, 60000};
  if (Host) return {2048, 0, extent(1) << 29};
  return {extent(1) << 13, extent(1) << 13, extent(1) << 33};
}

/// Items from which on host threads encode by a table of the codes of pairs, which must be made first.
template <class Tuning>
constexpr extent codes_of_pairs_from()
{
  return is_tiny<Tuning> ? 0 : extent(1) << 22;
}

}  // namespace onepass::ONEPASS_ABI
