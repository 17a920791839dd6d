// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/execution/tuning.hpp>

#include <algorithm>
#include <cstddef>

namespace onepass::ONEPASS_ABI::backends::cuda {

// Item programs: by which schedule they run, and in which tiles.

/// How large the tiles of a chained schedule are. A thread takes a single item of the first.
enum class tile_size { single, small, middle, large };

/// By bytes of input, which schedule and which tiles item programs take.
struct item_thresholds {
  extent middle_from;      ///< below, tiles are small, so that every multiprocessor has a share
  extent large_from;       ///< from here on they are large
  extent exchange_from;    ///< from here on tiles publish by an exchange
  extent look_ahead_from;  ///< from here on look-ahead's fill and drain are worth it
  extent single_to;        ///< items: where users' functions are called for so many or fewer, a thread has one

  template <class F>
  void each(F const& f) const
  {
    f("single_to", single_to), f("middle_from", middle_from), f("large_from", large_from),
        f("exchange_from", exchange_from);
    f("look_ahead_from", look_ahead_from);
  }
};
/// Programs that count flags, or the items of each column, publish little, and wait for their output: few large tiles
/// would leave multiprocessors idle. Others have no tiles of middle size.
template <class Tuning>
constexpr item_thresholds item_thresholds_for(bool counts = false)
{
  if (is_tiny<Tuning>) return {0, 0, 0, 0, 100};
  constexpr extent half = extent(1) << 19;
  return {.middle_from     = (counts ? 2 : 4) * half,
          .large_from      = (counts ? 9 : 4) * half,
          .exchange_from   = 16 * half,
          .look_ahead_from = 40 * half,
          .single_to       = extent(1) << 17};
}

/// The properties of a program that decide how many of its items a thread can hold.
struct item_load {
  bool splits  = false;  ///< every item goes to one of several columns, and holding them all takes registers
  bool carries = false;  ///< memos are kept, or the item before is needed
  bool by_key  = false;  ///< items are pairs, of which all are written, and memos flags alone
  int sum      = 4;      ///< bytes of what is combined inside a tile, without padding
  int called   = 0;      ///< bytes that user code reads for an item, where it makes the items and uses the results
  int bytes    = 4;      ///< of an item
};

/// Item programs, chained.
template <class Tuning>
constexpr team_tuning chained_tuning_for(tile_size size, item_load load)
{
  if (is_tiny<Tuning>) return {.threads = 32, .packs = size != tile_size::single, .min_teams = 1};
  if (size == tile_size::single) return {.threads = load.sum > 16 ? 512 : 1024, .packs = 0, .min_teams = 1};
  if (load.sum > (load.carries ? 12 : 16)) {
    int const teams = load.sum > 40 ? 1 : load.sum > 24 ? 2 : 3;
    return {.threads = 256, .packs = size == tile_size::small ? 3 : 9, .min_teams = teams};
  }
  // To sort a thread's many small items into columns takes longer than a chain of more tiles.
  if (load.splits && load.bytes == 1)
    return {.threads = 256, .packs = size == tile_size::small ? 1 : 3, .min_teams = 4};
  if (size != tile_size::large) return {.threads = 256, .packs = size == tile_size::small ? 3 : 5, .min_teams = 4};
  // User code waits for its loads, and nothing but other threads hides that; and it reads twice, so what all threads of
  // a multiprocessor have read once must still be in its first-level cache.
  if (load.called > 0) {
    int const items = std::max(200 * 1024 / (2048 * load.called), 1);
    return {.threads = 512, .packs = std::clamp(items * load.bytes / 16, 1, 3), .min_teams = 4};
  }
  if (load.splits) return {.threads = 256, .packs = 7, .min_teams = 4};  // the most that does not spill; not timed
  if (load.bytes < 4 && !load.carries)  // more of such items spill, but for sums, and few tiles would be left
    return {.threads = 256, .packs = 5, .min_teams = 5};
  return {.threads = 256, .packs = 9, .min_teams = load.carries && !load.by_key ? 4 : 5};
}

/// Item programs, look-ahead.
struct pipeline_tuning {
  int warps;    ///< of a squad; one squad reduces and `writers` write
  int packs;    ///< 16-byte words of items per thread; odd numbers avoid bank conflicts in lists
  int slots;    ///< of the ring, at most
  int writers;  ///< squads that write, taking tiles in turn

  template <class F>
  void each(F const& f) const
  {
    f("warps", warps), f("packs", packs), f("slots", slots), f("writers", writers);
  }
};

/// The properties of a program that decide how its items go through the ring.
struct pipeline_load {
  bool lists;              ///< flags or parts are listed, two bytes per item
  bool pairs;              ///< the input is two zipped sequences
  bool compacts;           ///< sums are listed with the flags
  std::size_t item_bytes;  ///< of an item as it is read
  std::size_t most_bytes;  ///< of an item as it is read or written, whichever is more
};
template <class Tuning>
constexpr pipeline_tuning pipeline_tuning_for(pipeline_load load)
{
  if (is_tiny<Tuning>) return {.warps = 2, .packs = 1, .slots = 4, .writers = 2};  // small inputs go round the ring
  if (load.lists) return {.warps = 8, .packs = load.item_bytes < 4 ? 5 : 7, .slots = 8, .writers = 2};
  if (load.pairs && load.compacts) return {.warps = 6, .packs = 10, .slots = 8, .writers = 2};
  if (load.pairs) return {.warps = 10, .packs = 6, .slots = 8, .writers = 1};
  if (load.most_bytes == 1) return {.warps = 11, .packs = 5, .slots = 8, .writers = 1};  // more: too few registers
  if (load.compacts) return {.warps = 8, .packs = 5, .slots = 8, .writers = 2};
  return {.warps = 13, .packs = 5, .slots = 6, .writers = 1};
}

/// Item programs without output.
struct total_tuning {
  int threads;      ///< of a block
  int min_blocks;   ///< resident blocks wanted on a multiprocessor, and launched
  int most_blocks;  ///< in all; 0: as many as fit
  int bytes;        ///< of items that a thread has in flight
  int steps;        ///< of a warp, at least, where there are fewer blocks than these

  /// Loads of so many bytes that a thread has in flight.
  constexpr int loads(std::size_t bytes_of_load) const { return std::clamp(bytes / int(bytes_of_load), 1, 8); }

  template <class F>
  void each(F const& f) const
  {
    f("threads", threads), f("min_blocks", min_blocks), f("most_blocks", most_blocks), f("bytes", bytes),
        f("steps", steps);
  }
};
template <class Tuning>
constexpr total_tuning total_tuning_for(std::size_t item_bytes = 4, std::size_t sum_bytes = 4, bool commutes = true)
{
  if (is_tiny<Tuning>) return {.threads = 64, .min_blocks = 1, .most_blocks = 3, .bytes = 1, .steps = 1};
  // If the operator does not commute, a lane's loads are neighbours. On an H200 an item of f32 took 1.3 times as long
  // by 128 bytes as by 64, one of 24 bytes .7 times. Large sums leave registers for two blocks if their order matters.
  bool const few = sum_bytes >= 24 && !(commutes && sum_bytes <= 32);
  return {.threads     = 256,
          .min_blocks  = few ? 2 : 4,
          .most_blocks = 0,
          .bytes       = commutes || item_bytes <= 16 ? 64 : 168,
          .steps       = sum_bytes >= 24 ? 2 : 1};
}

}  // namespace onepass::ONEPASS_ABI::backends::cuda
