// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/execution/tuning.hpp>

#include <algorithm>
#include <cstddef>

namespace onepass::ONEPASS_ABI::backends::cuda {

// Order programs, and what is put in order by merges or by digits.

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

}  // namespace onepass::ONEPASS_ABI::backends::cuda
