// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/sequences.hpp>

#include <concepts>
#include <cstdint>

namespace onepass {

/// Lanes of a tile of a lane program.
inline constexpr int tile_lanes = 32;

/// Tiles that share a table: the first of them is a multiple of this. A machine's team takes a divisor of it.
inline constexpr int table_group = 8;

/// Words of which everything behind the last is zero. One word can be read even if there are none: a load that depends
/// on the size would cost a branch.
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

/// The same where so many zeros lie behind the last word that no reader gets further.
struct padded_words {
  std::uint32_t const* data;
  std::uint32_t size;

  ONEPASS_FUNCTION std::uint32_t operator()(std::uint32_t i) const { return data[i]; }
};

// clang-format off
/// An algorithm whose tiles know nothing of each other. A tile is the work of 32 lanes, which know nothing of each
/// other either; a machine may run them as the threads of a warp, one after another, or give the whole tile to one
/// thread.
///
///   item                        what comes out; machines choose their numbers by its size
///   extent tiles()
///   table_words, table(tile)    what all lanes look up: 32-bit words, aligned to 16 bytes, a multiple of four; a
///                               machine may keep a copy near them. The same for all tiles of a table group
///   stages, words(tile)         where stages: what the lanes of a tile read most, bounded_words aligned to 16 bytes, a
///                               multiple of four, at most staged_words(); a machine may copy them near
///   slack_words()               where stages: how far behind its words a tile may read; a copy is followed by as many
///                               zeros, a multiple of four, and handed over as padded_words
///   held   fetch(tile, lane)    what a lane can ask for before it has seen its words
///   void   run(tile, lane, held, table, words)
///   void   run_tiles(first, last)  all lanes of tiles [first, last), on one host thread: where the serial or the host
///                               backend is to run it
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

}  // namespace onepass
