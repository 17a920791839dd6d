// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/engine/relays.hpp>
#include <onepass/execution/tuning.hpp>

#include <algorithm>
#include <cstddef>

namespace onepass::ONEPASS_ABI::backends::cuda {

// Measured on an H200 (perf/results/h200). Kernels are templates over the tuning's tag, never over these numbers: a
// kernel's name cannot hold a value of a struct.

/// Bytes of shared memory that one block may have.
inline constexpr int most_shared = 227 * 1024;

/// How large the tiles of a chained schedule are.
enum class tile_size { small, middle, large };

/// By bytes of input, which schedule and which tiles item programs take.
struct item_thresholds {
  extent middle_from;      ///< below, tiles are small, so that every multiprocessor has a share
  extent large_from;       ///< from here on they are large
  extent exchange_from;    ///< from here on tiles publish by an exchange
  extent look_ahead_from;  ///< from here on look-ahead's fill and drain are worth it

  template <class F>
  void each(F const& f) const
  {
    f("middle_from", middle_from), f("large_from", large_from), f("exchange_from", exchange_from);
    f("look_ahead_from", look_ahead_from);
  }
};
/// Programs that count flags, or the items of each column, publish little, and wait for their output: few large tiles
/// would leave multiprocessors idle. Others have no tiles of middle size.
template <class Tuning>
constexpr item_thresholds item_thresholds_for(bool counts = false)
{
  if (is_tiny<Tuning>) return {0, 0, 0, 0};
  constexpr extent half = extent(1) << 19;
  return {.middle_from     = (counts ? 2 : 4) * half,
          .large_from      = (counts ? 9 : 4) * half,
          .exchange_from   = 16 * half,
          .look_ahead_from = 40 * half};
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
  if (is_tiny<Tuning>) return {.threads = 32, .packs = 1, .min_teams = 1};
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

/// Whether threads hold positions in registers, and of how many positions in all.
enum class held_positions { none, few, many };

/// Range programs: many short blocks on a multiprocessor hide each other's waits. Threads that hold positions in
/// registers have more of them each, and blocks are fewer, where there are positions for all multiprocessors.
template <class Tuning>
constexpr team_tuning range_tuning_for(held_positions held)
{
  if (is_tiny<Tuning>) return {.threads = 32, .packs = held == held_positions::many ? 2 : 1, .min_teams = 1};
  if (held == held_positions::few) return {.threads = 128, .packs = 4, .min_teams = 12};
  if (held == held_positions::many) return {.threads = 128, .packs = 12, .min_teams = 8};
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

/// Bin programs.
struct bin_tuning {
  int threads;        ///< of a block
  int blocks;         ///< on a multiprocessor; one where registers or tables leave no room for more
  int most_blocks;    ///< in all; 0: as many as fit
  int reads;          ///< loads that a thread has in flight
  unsigned counters;  ///< of a block's table, at most
  unsigned slices;    ///< that bins are cut into where there are more of them: a block counts one, and all of a share
                      ///< of the items are read at about the same time
  unsigned copies;    ///< of a small table, at most: one for each bank
  extent alone_items, alone_bins;  ///< so few are counted by one block
  extent sliced_from;              ///< items; below, a table for any of many bins is quicker to add up
  extent sampled_from;             ///< items from which on a sample decides how many bins are counted

  template <class F>
  void each(F const& f) const
  {
    f("threads", threads), f("blocks", blocks), f("most_blocks", most_blocks), f("reads", reads);
    f("counters", counters), f("slices", slices), f("copies", copies), f("alone_items", alone_items);
    f("alone_bins", alone_bins), f("sliced_from", sliced_from), f("sampled_from", sampled_from);
  }
};
template <class Tuning>
constexpr bin_tuning bin_tuning_for(bool by_value = false, bool packed = true)
{
  bin_tuning t{.threads      = 1024,
               .blocks       = by_value ? 2 : 1,
               .most_blocks  = 0,
               .reads        = packed ? 2 : 8,
               .counters     = 56 * 1024,
               .slices       = 4,
               .copies       = 32,
               .alone_items  = extent(1) << 14,
               .alone_bins   = extent(1) << 15,
               .sliced_from  = extent(1) << 17,
               .sampled_from = extent(1) << 23};
  if (is_tiny<Tuning>) {
    t.threads = 64, t.most_blocks = 3, t.counters = 96;
    t.alone_items = 100, t.alone_bins = 80, t.sliced_from = 200, t.sampled_from = 10000;
  }
  return t;
}

/// Sum programs.
struct sum_tuning {
  int threads;              ///< of a block
  int blocks;               ///< on a multiprocessor
  int most_blocks;          ///< in all; 0: as many as fit
  unsigned table_words;     ///< of a block's table, at most
  unsigned copies;          ///< of a small table, at most: one for each bank
  extent many_each;         ///< items for each bin from which on a table of all bins is worth its while,
  extent table_from;        ///< of so many and more,
  extent first_table_from;  ///< and items from which on others may have a table of bins that ask first:
  int sample_words;         ///< memory by which a sample of items is counted,
  int crowd, crowded_from;  ///< more threads than these that meet the last of so many items of a bin, for a table,
  int sampled_each;         ///< and the units of a thread until the next one
  int part_threads;     ///< of a block that adds parts, of which others are to work while one looks for the next part
  int part_blocks;      ///< on a multiprocessor
  unsigned part_words;  ///< of such a block's table, at most
  int part_stretches;   ///< for each of those blocks: where parts have few items a stretch takes longer

  template <class Table>
  constexpr Table table(extent n, extent bins) const
  {
    if (bins <= n / many_each && n >= table_from) return Table::of(bins, table_words, copies);
    return n < first_table_from ? Table::of_none() : Table::of_first(table_words);
  }

  template <class F>
  void each(F const& f) const
  {
    f("threads", threads), f("blocks", blocks), f("most_blocks", most_blocks), f("table_words", table_words);
    f("copies", copies), f("many_each", many_each), f("table_from", table_from);
    f("first_table_from", first_table_from), f("sample_words", sample_words), f("crowd", crowd);
    f("crowded_from", crowded_from), f("sampled_each", sampled_each), f("part_threads", part_threads);
    f("part_blocks", part_blocks), f("part_words", part_words), f("part_stretches", part_stretches);
  }
};
template <class Tuning>
constexpr sum_tuning sum_tuning_for()
{
  if (is_tiny<Tuning>) return {64, 1, 3, 96, 4, 4, 20, 50, 32, 4, 2, 2, 64, 1, 96, 1};
  return {1024, 1, 0, 56 * 1024, 32, 16, 8192, extent(1) << 16, 14 * 1024, 16, 2, 16, 512, 2, 28 * 1024, 4};
}

/// How many digits are counted together.
inline constexpr int digits_together = 8;

/// What keys carry: nothing, their places, which are not read, or values.
enum class cargo_kind { nothing, places, values };

/// Order programs: how digits are counted, and how few items one block sorts alone.
struct order_tuning {
  extent large_from;         ///< items from which on counters have many copies, and tiles of keys alone are as large as
                             ///< registers allow: more items share the fixed cost of a tile - to publish, to look back,
                             ///< to add up its warps' counts
  extent large_pairs_from;   ///< the same of tiles of pairs of at most 8 bytes,
  extent large_wide_from;    ///< and of more,
  extent large_places_from;  ///< and of keys with their places
  int count_threads;         ///< of a block that counts
  int count_bytes;           ///< bytes of items that a thread has in flight
  int copies, few_copies;    ///< of each counter, from large_from on, and below
  std::size_t table_bytes;   ///< of a block's counters, at most
  int block_threads[3];      ///< of the one block that sorts few items, at most, and
  int block_items[3];  ///< items of each of its threads, at most: the fewest that suffice, since more threads wait
                       ///< for each other less
  int wide_items;      ///< the same of more than 4 bytes: more do not fit registers
  int block_bytes;     ///< bytes of items and values of each of its threads, at most
  int compared;        ///< items of the block that are compared with each other, at most

  /// Items, of `bytes` bytes with what they carry, from which on tiles are large.
  constexpr extent large_tiles_from(std::size_t bytes, cargo_kind carried) const
  {
    if (carried == cargo_kind::nothing) return large_from;
    if (carried == cargo_kind::places) return large_places_from;
    return bytes > 8 ? large_wide_from : large_pairs_from;
  }
  /// Items of so many bytes, and values of so many, that each of the block's threads takes.
  constexpr int items_of_block(int item, int value, int choice) const
  {
    int const most = item > 4 ? std::min(block_items[choice], wide_items) : block_items[choice];
    return std::clamp(block_bytes / (item + value), 1, most);
  }

  template <class F>
  void each(F const& f) const
  {
    f("large_from", large_from), f("large_pairs_from", large_pairs_from), f("large_wide_from", large_wide_from);
    f("large_places_from", large_places_from), f("count_threads", count_threads);
    f("count_bytes", count_bytes), f("copies", copies), f("few_copies", few_copies), f("table_bytes", table_bytes);
    f("block_threads", block_threads[2]), f("block_items", block_items[2]);
    f("wide_items", wide_items), f("block_bytes", block_bytes), f("compared", compared);
  }
};
template <class Tuning>
constexpr order_tuning order_tuning_for()
{
  order_tuning t{.large_from        = extent(1) << 22,
                 .large_pairs_from  = extent(1) << 21,
                 .large_wide_from   = extent(1) << 22,
                 .large_places_from = extent(1) << 23,
                 .count_threads     = 1024,
                 .count_bytes       = 32,
                 .copies            = 32,
                 .few_copies        = 4,
                 .table_bytes       = 128 * 1024,
                 .block_threads     = {1024, 1024, 896},
                 .block_items       = {2, 4, 6},
                 .wide_items        = 5,
                 .block_bytes       = 128,
                 .compared          = 256};
  if (is_tiny<Tuning>) {
    t.large_from = t.large_pairs_from = t.large_wide_from = t.large_places_from = 0;
    t.block_threads[0] = t.block_threads[1] = t.block_threads[2] = 64;
    t.block_items[0] = t.block_items[1] = 1, t.block_items[2] = 2, t.compared = 20;
  }
  return t;
}

/// Segments that are sorted by digits, with items of so many bytes. Merges take a round more for each doubling.
template <class Tuning>
constexpr digits_tuning digits_tuning_for(std::size_t bytes)
{
  if (is_tiny<Tuning>) return {.mean = 3000};
  return {.mean = extent(1) << (bytes == 8 ? 19 : bytes > 8 ? 18 : 17), .from = extent(1) << (bytes > 8 ? 19 : 18)};
}

/// Sorts by so many bits of keys that are done by merging: where they are too many to go by their ranks, which are
/// asked first, and not so few that one block compares them. Up to 16 bits are few digits.
template <class Tuning>
constexpr merges_tuning merges_tuning_for(int bits, bool values)
{
  if (is_tiny<Tuning>) return {.from = 200, .to = 1500};
  if (bits <= 16) return {};
  return {.from = 257, .to = extent(1) << (bits > 32 ? 18 : values ? 14 : 15)};
}

/// Order programs: the tiles of the passes that move items by one digit.
struct scatter_tuning {
  int threads;
  int blocks;      ///< resident blocks wanted on a multiprocessor
  int items;       ///< of a thread: as many as do not spill
  int window;      ///< descriptors that a thread reads at once when it looks back
  extent portion;  ///< items of a launch, at most: positions in it have 32 bits

  template <class F>
  void each(F const& f) const
  {
    f("threads", threads), f("blocks", blocks), f("items", items), f("window", window), f("portion", portion);
  }
};

/// `bytes` are those of an item and what it carries, as far as that is staged.
template <class Tuning>
constexpr scatter_tuning scatter_tuning_for(std::size_t bytes, cargo_kind carried, bool large)
{
  auto const shape = [](int threads, int blocks, int items) -> scatter_tuning {
    return {threads, blocks, items, 4, (extent(1) << 30) / (threads * items) * threads * items};
  };
  auto const held    = [=](int stage, int most) { return std::clamp(stage / int(bytes), 2, most); };
  bool const carries = carried != cargo_kind::nothing;
  if (is_tiny<Tuning>) return {64, 1, 2, 2, 20 * 64 * 2};
  if (!large) return carries ? shape(256, 2, held(192, 16)) : shape(256, 3, held(64, 16));
  if (!carries) return bytes <= 4 ? shape(320, 3, held(128, 32)) : shape(256, 3, held(176, 22));
  if (bytes <= 8) return shape(384, 2, held(432, 24));
  return shape(384, 2, held(264, carried == cargo_kind::places ? 20 : 22));
}

/// Calls f(kind of program, numbers) for all of the above.
template <class F>
void each_tuning(F const& f)
{
  using t = measured_tuning;
  f("items", item_thresholds_for<t>());
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
