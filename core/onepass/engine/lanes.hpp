// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/sequences.hpp>

#include <concepts>
#include <cstdint>

namespace onepass::ONEPASS_ABI {

/// The number of lanes that work on a tile of a lane program.
inline constexpr int tile_lanes = 32;

/// The number of neighbouring tiles that share a table; the first of them has a multiple of it as its index. A team
/// takes a number of tiles that divides it.
inline constexpr int table_group = 8;

/// Words, followed by zeros for the reader. The first word can be loaded even if there are none: a load that depends on
/// the size would cost a branch.
struct bounded_words {
  std::uint32_t const* data;
  std::uint32_t size;

  ONEPASS_FUNCTION std::uint32_t operator()(std::uint32_t i) const
  {
    bool const inside        = i < size;
    std::uint32_t const word = data[inside ? i : 0];
    return inside ? word : 0;
  }
};

/// The same, where memory has enough zeros after the last word for every reader.
struct padded_words {
  std::uint32_t const* data;
  std::uint32_t size;

  ONEPASS_FUNCTION std::uint32_t operator()(std::uint32_t i) const { return data[i]; }
};

// clang-format off
/// An algorithm whose tiles are independent of each other. A tile is the work of 32 lanes, which are independent too; a
/// backend may run them as the threads of a warp, or one after another, or give the whole tile to one thread.
///
///   item                        the output's item; backends choose their tuning by its size
///   extent tiles()              the number of tiles
///   table_words, table(tile)    what all lanes look up: 32-bit words, aligned to 16 bytes, a multiple of four; a
///                               backend may keep a copy near them. The same for all tiles of a table group
///   stages, words(tile)         where stages: what the lanes of a tile read most, as bounded_words, aligned to 16
///                               bytes, a multiple of four, at most staged_words(); a backend may copy them near the
///                               lanes
///   slack_words()               where stages: how far behind its words a tile may read; a copy is followed by that
///                               many zeros, a multiple of four, and passed as padded_words
///   held   fetch(tile, lane)    what a lane can load before it has its words
///   void   run(tile, lane, held, table, words)   the work of one lane
///   void   run_tiles(first, last)  all lanes of tiles [first, last), on one host thread: needed where the serial or
///                               the host backend is to run the program
template <class P>
concept lane_program = requires(P const p, extent tile, int lane, typename P::held& held, bounded_words words) {
  sizeof(typename P::item);
  { p.tiles() } -> std::convertible_to<extent>;
  { P::table_words } -> std::convertible_to<int>;
  { P::stages } -> std::convertible_to<bool>;
  { p.table(tile) } -> std::convertible_to<std::uint32_t const*>;
  { p.words(tile) } -> std::same_as<bounded_words>;
  { p.staged_words() } -> std::convertible_to<std::uint32_t>;
  { p.slack_words() } -> std::convertible_to<std::uint32_t>;
  p.run(tile, lane, held, p.table(tile), words);
};
// clang-format on

}  // namespace onepass::ONEPASS_ABI
