// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/engine/tuning.hpp>

namespace onepass::backends::cuda {

// Numbers measured on an H200 (perf/results/h200); they change speed, never results.

// Each is a type, because a kernel's name cannot hold a value of a struct.

/// Small inputs: short tiles, so that many multiprocessors share the work and the first result is soon out.
struct small_tiles {
  static constexpr tuning numbers{.threads = 256, .packs = 3, .min_teams = 4};
};

/// Everything that the look-ahead pipeline does not take.
struct large_tiles {
  static constexpr tuning numbers{.threads = 256, .packs = 9, .min_teams = 5};
};

/// The same for programs that carry memos or look behind, which need more registers.
struct large_carrying_tiles {
  static constexpr tuning numbers{.threads = 256, .packs = 9, .min_teams = 4};
};

/// The same for programs that send every item to one of several columns: what is kept of all at once takes registers
/// too (as long as nothing spills; not timed).
struct large_splitting_tiles {
  static constexpr tuning numbers{.threads = 256, .packs = 7, .min_teams = 4};
};

/// Every edge and every wait is met by small inputs.
struct tiny_tiles {
  static constexpr tuning numbers{.threads = 32, .packs = 1, .min_teams = 1};
};

/// From this many bytes of input on, tiles are large.
inline constexpr extent large_from = extent(2) << 20;

/// Shared memory that one block may have.
inline constexpr int most_shared = 227 * 1024;

/// The look-ahead pipeline: warps of a squad, of which one reduces and `writers` write; 16-byte packs of a thread;
/// stages of the ring.
struct pipeline {
  static constexpr int warps = 13, packs = 5, stages = 6, writers = 1;
};

/// The same for single bytes: more of them in a thread would not fit the registers.
struct byte_pipeline {
  static constexpr int warps = 11, packs = 5, stages = 8, writers = 1;
};

/// The same where flags are listed: two squads write, so each is smaller; an odd number of packs keeps the banks apart.
/// A list takes two bytes an item, so tiles of short items are shorter.
template <std::size_t ItemBytes>
struct listing_pipeline {
  static constexpr int warps = 8, packs = ItemBytes < 4 ? 5 : 7, stages = 8, writers = 2;
};

/// The same where sums are listed beside the flags.
struct sum_listing_pipeline {
  static constexpr int warps = 8, packs = 5, stages = 8, writers = 2;
};

/// The same where two sequences come side by side.
struct pair_pipeline {
  static constexpr int warps = 10, packs = 6, stages = 8, writers = 1;
};

/// The same where pairs are compacted.
struct pair_listing_pipeline {
  static constexpr int warps = 6, packs = 10, stages = 8, writers = 2;
};

/// For tests: short tiles, so that small inputs go round the ring.
struct tiny_pipeline {
  static constexpr int warps = 2, packs = 1, stages = 4, writers = 2;
};

/// From this many bytes of input on, the pipeline's fill and drain are paid for.
inline constexpr extent look_ahead_from = extent(20) << 20;

/// Lane programs: warps, a tile each, of a block, and blocks wanted on a multiprocessor.
struct lane_blocks {
  static constexpr int warps = 4, min_blocks = 6;
};

/// The same where items are bytes: a tile is half as long, so more of them share a table.
struct byte_lane_blocks {
  static constexpr int warps = 8, min_blocks = 5;
};

/// Range programs: short blocks, many of them on a multiprocessor, hide each other's waits.
struct many_range_tiles {
  static constexpr tuning numbers{.threads = 128, .packs = 8, .min_teams = 12};
};

/// Grids: warps that sum and write, a strip of columns each; most rows of a tile; bytes of its pixels; blocks wanted on
/// a multiprocessor; how many tiles ahead the L2 is asked for pixels: about ten begin in a microsecond.
struct large_grid_tiles {
  static constexpr int warps = 4, rows = 128, stage = 64 * 1024, blocks = 3, ahead = 56;
};

/// Where large tiles would not keep all multiprocessors busy, and for tests.
struct small_grid_tiles {
  static constexpr int warps = 1, rows = 32, stage = 16 * 1024, blocks = 3, ahead = 2;
};

}  // namespace onepass::backends::cuda
