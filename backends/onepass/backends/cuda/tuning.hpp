// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/backends/cuda/bin_tuning.hpp>
#include <onepass/backends/cuda/item_tuning.hpp>
#include <onepass/backends/cuda/order_tuning.hpp>
#include <onepass/engine/relays.hpp>
#include <onepass/execution/tuning.hpp>

#include <cstddef>

namespace onepass::ONEPASS_ABI::backends::cuda {

// Measured on an H200 (perf/results/h200). Kernels are templates over the tuning's tag, never over these numbers: a
// kernel's name cannot hold a value of a struct. Items, bins and sums, and orders have files of their own.

/// Bytes of shared memory that one block may have.
inline constexpr int most_shared = 227 * 1024;

/// Lane programs.
struct lane_tuning {
  int warps;       ///< of a block, one tile each
  int min_blocks;  ///< resident blocks wanted on a multiprocessor

  template <class F>
  void each(F const& f) const
  {
    f("warps", warps), f("min_blocks", min_blocks);
  }
};
constexpr lane_tuning lane_tuning_for(std::size_t item_bytes)
{
  if (item_bytes == 1) return {8, 5};  // tiles are half as long, so more of them share a table
  return {4, 6};
}

/// Whether threads hold positions in registers, and of how many positions in all, or items of one.
enum class held_positions { none, few, many, items };

/// Range programs: many short blocks on a multiprocessor hide each other's waits. Threads that hold positions in
/// registers have more of them each, and blocks are fewer, where there are positions for all multiprocessors.
template <class Tuning>
constexpr team_tuning range_tuning_for(held_positions held)
{
  if (is_tiny<Tuning>) return {.threads = 32, .packs = held == held_positions::many ? 2 : 1, .min_teams = 1};
  if (held == held_positions::few) return {.threads = 128, .packs = 4, .min_teams = 12};
  if (held == held_positions::many) return {.threads = 128, .packs = 12, .min_teams = 8};
  if (held == held_positions::items) return {.threads = 128, .packs = 8, .min_teams = 8};
  return {.threads = 128, .packs = 8, .min_teams = 12};
}
/// Positions that are few.
template <class Tuning>
constexpr extent few_positions()
{
  return is_tiny<Tuning> ? 100 : extent(1) << 18;
}

/// Which rounds of a program: the only one, of what fits its tile; any; where they are known, the first or a later; and
/// of few tiles the first or a later. Where they are not known, a tile alone is as the first of few, and any of few as
/// a later.
enum class round_kind { only, any, first, later, few, few_later };

/// Round programs. A first round makes as much as it can, since each doubling spares a later one; in those many blocks
/// hide that they wait for memory. Few tiles leave multiprocessors idle, and threads take one step after another: there
/// blocks have all threads that they can have, of few items each.
template <class Tuning>
constexpr team_tuning round_tuning_for(std::size_t bytes, round_kind kind)
{
  if (is_tiny<Tuning>)
    return {.threads   = kind == round_kind::first || kind == round_kind::few ? 64 : 32,
            .packs     = 1,
            .min_teams = 1,
            .lanes     = true};
  if (kind == round_kind::only) return {.threads = bytes <= 8 ? 1024 : 256, .packs = 2, .min_teams = 1, .lanes = true};
  if (kind == round_kind::few || kind == round_kind::few_later) {
    int const threads = kind == round_kind::few ? 1024 : 256;
    return {.threads   = threads,
            .packs     = bytes <= 4 ? 2 : 3,
            .min_teams = 1024 / threads,
            .lanes     = true,
            .stage     = 4 * int(bytes) * (128 + 4 * threads)};  // of segments: four items a thread
  }
  if (kind == round_kind::first && bytes <= 16) return {.threads = 512, .packs = 5, .min_teams = 2, .lanes = true};
  return {.threads   = 256,
          .packs     = 5,
          .min_teams = bytes <= 8 ? kind == round_kind::later ? 5 : 4 : 2,
          .lanes     = true,
          .stage     = 57 * 1024};
}

/// Rounds of few tiles, where items have so many bytes: so many tiles at most. Larger items have none.
struct few_tiles_tuning {
  extent from;     ///< of rounds that are known: so many items at least, even if larger tiles take a round less
  bool as_few;     ///< or fewer, if they do not
  int most_known;  ///< tiles: a block on each multiprocessor
  int most_told;   ///< the same where the first round tells how many follow
  extent mean_from, mean_to;  ///< of segments that lanes sort, in tiles of 1024 threads: so long on average
  extent mean_beside_few;     ///< and at least so long where smaller tiles are few, too

  constexpr bool known(extent items, extent tiles, bool spares_a_round) const
  {
    return tiles <= most_known && (items >= from || (as_few && !spares_a_round));
  }
  constexpr bool large(extent tiles, extent smaller_tiles, extent mean) const
  {
    return tiles <= most_told && (smaller_tiles <= most_told ? mean_beside_few : mean_from) <= mean && mean <= mean_to;
  }
};
template <class Tuning>
constexpr few_tiles_tuning few_tiles_for(std::size_t bytes, int multiprocessors)
{
  if (is_tiny<Tuning>)
    return {.from            = 600,
            .as_few          = true,
            .most_known      = 5,
            .most_told       = 5,
            .mean_from       = 30,
            .mean_to         = 600,
            .mean_beside_few = 60};
  if (bytes > 8) return {};
  return {.from            = extent(9) << 14,
          .as_few          = bytes <= 4,
          .most_known      = multiprocessors,
          .most_told       = multiprocessors,
          .mean_from       = 128,
          .mean_to         = 6000,
          .mean_beside_few = 384};
}

/// The tiles of a known round from which on their splits are found before it: a kernel more, but less is read.
template <class Tuning>
constexpr extent round_seek_from()
{
  return is_tiny<Tuning> ? 6 : 1024;
}

/// Tile programs: the program says how many tiles there are for such blocks.
template <class Tuning>
constexpr team_tuning tile_tuning_for()
{
  if (is_tiny<Tuning>) return {.threads = 32, .packs = 0};
  return {.threads = 256, .packs = 0, .min_teams = 4};
}

/// Relay programs: turns wait for memory most of the time, and others hide that.
template <class Tuning>
constexpr team_tuning relay_tuning_for(std::size_t sum_bytes, relay_weight weight)
{
  if (is_tiny<Tuning>) return {.threads = 64, .packs = 0};
  int const teams[] = {sum_bytes > 16 ? 3 : 4, 6, 8};
  return {.threads = 256, .packs = 0, .min_teams = teams[int(weight)]};
}

/// Grid programs.
struct grid_tuning {
  int warps;   ///< warps that sum and write, one strip of columns each
  int rows;    ///< of a tile, at most
  int stage;   ///< of a tile's pixels, in bytes, at most
  int blocks;  ///< resident blocks wanted on a multiprocessor
  int ahead;   ///< the L2 prefetches the tile that comes this many later: about ten tiles begin in a microsecond
  bool late;   ///< for many tiles: columns are looked up late, and bands may begin before the image

  template <class F>
  void each(F const& f) const
  {
    f("warps", warps), f("rows", rows), f("stage", stage), f("blocks", blocks), f("ahead", ahead), f("late", late);
  }
};
template <class Tuning>
constexpr bool grids_are_small = is_tiny<Tuning>;  ///< no grid gets large tiles
template <class Tuning>
constexpr grid_tuning grid_tuning_for(bool large)
{
  constexpr int bytes = 1024;
  if (large) return {.warps = 4, .rows = 128, .stage = 64 * bytes, .blocks = 3, .ahead = 56, .late = true};
  return {.warps = 1, .rows = 32, .stage = 16 * bytes, .blocks = 3, .ahead = 2, .late = is_tiny<Tuning>};
}

/// Calls f(kind of program, numbers) for all of the above and of those files.
template <class F>
void each_tuning(F const& f)
{
  using t = measured_tuning;
  f("items", item_thresholds_for<t>());
  f("items, chained, one a thread", chained_tuning_for<t>(tile_size::single, {}));
  f("items, chained, small", chained_tuning_for<t>(tile_size::small, {}));
  f("items that are counted", item_thresholds_for<t>(true));
  f("items, chained, middle", chained_tuning_for<t>(tile_size::middle, {}));
  f("items, chained, large", chained_tuning_for<t>(tile_size::large, {}));
  f("items, chained, large, bytes", chained_tuning_for<t>(tile_size::large, {.bytes = 1}));
  f("items, chained, large, carrying memos", chained_tuning_for<t>(tile_size::large, {.carries = true}));
  f("items, chained, large, made by user code", chained_tuning_for<t>(tile_size::large, {.called = 8}));
  f("items, chained, large, several columns", chained_tuning_for<t>(tile_size::large, {.splits = true}));
  f("items, look-ahead", pipeline_tuning_for<t>({false, false, false, 4, 4}));
  f("items, look-ahead, bytes", pipeline_tuning_for<t>({false, false, false, 1, 1}));
  f("items, look-ahead, pairs", pipeline_tuning_for<t>({false, true, false, 8, 8}));
  f("items, look-ahead, flags of bytes", pipeline_tuning_for<t>({true, false, true, 1, 1}));
  f("items, look-ahead, flags", pipeline_tuning_for<t>({true, false, true, 4, 4}));
  f("items, look-ahead, sums of runs", pipeline_tuning_for<t>({false, false, true, 4, 4}));
  f("items, look-ahead, sums of runs of pairs", pipeline_tuning_for<t>({false, true, true, 8, 8}));
  f("items, totals", total_tuning_for<t>());
  f("lanes", lane_tuning_for(2));
  f("lanes, bytes", lane_tuning_for(1));
  f("ranges", range_tuning_for<t>(held_positions::none));
  f("ranges, held positions", range_tuning_for<t>(held_positions::many));
  f("ranges, few held positions", range_tuning_for<t>(held_positions::few));
  f("ranges, held items", range_tuning_for<t>(held_positions::items));
  f("rounds, one alone", round_tuning_for<t>(4, round_kind::only));
  f("rounds, few tiles", round_tuning_for<t>(4, round_kind::few));
  f("rounds, known ones after the first, few tiles", round_tuning_for<t>(4, round_kind::few_later));
  f("rounds, items of 4 bytes", round_tuning_for<t>(4, round_kind::any));
  f("rounds, items of 16 bytes", round_tuning_for<t>(16, round_kind::any));
  f("rounds, the first of known ones", round_tuning_for<t>(4, round_kind::first));
  f("rounds, known ones after the first", round_tuning_for<t>(4, round_kind::later));
  f("tiles", tile_tuning_for<t>());
  f("relays", relay_tuning_for<t>(4, relay_weight::full));
  f("relays, light", relay_tuning_for<t>(4, relay_weight::light));
  f("relays, lightest", relay_tuning_for<t>(4, relay_weight::lightest));
  f("grids, small", grid_tuning_for<t>(false));
  f("grids, large", grid_tuning_for<t>(true));
  f("bins", bin_tuning_for<t>());
  f("bins, values of bytes", bin_tuning_for<t>(true));
  f("sums", sum_tuning_for<t>());
  f("orders", order_tuning_for<t>());
  for (std::size_t const bytes : {4u, 8u}) {
    char const* const small[] = {"orders, small, keys of 4 bytes", "orders, small, keys of 8 bytes"};
    char const* const large[] = {"orders, large, keys of 4 bytes", "orders, large, keys of 8 bytes"};
    f(small[bytes / 8], scatter_tuning_for<t>(bytes, cargo_kind::nothing, false));
    f(large[bytes / 8], scatter_tuning_for<t>(bytes, cargo_kind::nothing, true));
  }
  f("orders, large, pairs of 8 bytes", scatter_tuning_for<t>(8, cargo_kind::values, true));
  f("orders, large, pairs of 16 bytes", scatter_tuning_for<t>(16, cargo_kind::values, true));
  f("orders, large, keys of 8 bytes and places", scatter_tuning_for<t>(12, cargo_kind::places, true));
}

}  // namespace onepass::ONEPASS_ABI::backends::cuda
