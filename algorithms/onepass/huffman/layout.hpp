// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/engine/lanes.hpp>
#include <onepass/huffman/codebook/lengths.hpp>

namespace onepass::ONEPASS_ABI::huffman {

/// \addtogroup huffman
///
/// The block layout (docs/format.md): a tile is 32 strings of bits, one a lane, one behind another; it begins with nine
/// words from which the strings' places follow, and its length is a multiple of 16 bytes.
/// \{

inline constexpr int header_words = 9;                  ///< words at the beginning of a tile
inline constexpr int header_bits  = header_words * 32;  ///< the same in bits

/// Whether a lane may have this many symbols in a full tile.
constexpr bool is_per_lane(int symbols) { return symbols == 32 || symbols == 64 || symbols == 128 || symbols == 256; }

/// Symbols of a lane, at most.
inline constexpr int most_per_lane = 256;
/// Symbols of a tile, at most.
inline constexpr int most_tile_items = tile_lanes * most_per_lane;
/// Bytes that a tile may take.
inline constexpr int longest_tile_bytes = (header_words + most_per_lane * longest_code + 20) * 4;

/// Which symbols belong to which lane: lane l of a tile has those at r * 32 * unit + l * unit + [0, unit) for r = 0, 1,
/// ...
struct block_layout {
  extent items;  ///< of the block
  int per_lane;  ///< symbols of a lane of a full tile
  int unit;      ///< items of a lane that lie side by side

  /// Items of a full tile.
  ONEPASS_FUNCTION constexpr extent tile_items() const { return extent(tile_lanes) * per_lane; }
  /// Tiles of the block.
  ONEPASS_FUNCTION constexpr extent tiles() const { return div_up(items, tile_items()); }
  /// Rows of a full tile: units of a lane.
  ONEPASS_FUNCTION constexpr int rows() const { return per_lane / unit; }
  /// Whether the tile has all its items.
  ONEPASS_FUNCTION constexpr bool full(extent tile) const { return (tile + 1) * tile_items() <= items; }

  /// The position of a lane's unit in row r.
  ONEPASS_FUNCTION constexpr extent at(extent tile, int row, int lane) const
  {
    return tile * tile_items() + (extent(row) * tile_lanes + lane) * unit;
  }
  /// How many items of the unit there are.
  ONEPASS_FUNCTION constexpr int present(extent first) const
  {
    return items - first >= unit ? unit : items > first ? int(items - first) : 0;
  }

  /// How many items of the row that begins at `first` there are.
  constexpr int in_row(extent first) const
  {
    return int(items < first ? 0 : items - first < tile_lanes * unit ? items - first : tile_lanes * unit);
  }

  /// Symbols that a lane has.
  ONEPASS_FUNCTION constexpr int lane_items(extent tile, int lane) const
  {
    if (full(tile)) return per_lane;
    int const left = int(items - tile * tile_items()), row = tile_lanes * unit, more = left % row - lane * unit;
    return left / row * unit + (more < 0 ? 0 : more < unit ? more : unit);
  }

  /// More than any tile has, with codes of `longest` bits: header, strings, what their lengths are rounded up by.
  ONEPASS_FUNCTION constexpr std::uint32_t most_tile_words(int longest = longest_code) const
  {
    return std::uint32_t(header_words + per_lane * longest + 16 + 3) / 4 * 4;
  }

  /// How many words behind a tile a lane can read that begins at its end: all its codes, and three words at a time.
  ONEPASS_FUNCTION constexpr std::uint32_t slack_words() const
  {
    return std::uint32_t(per_lane * longest_code / 32 + 4);
  }
};

/// \}

}  // namespace onepass::ONEPASS_ABI::huffman
