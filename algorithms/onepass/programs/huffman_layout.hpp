// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/codebook/lookup.hpp>
#include <onepass/engine/lanes.hpp>
#include <onepass/engine/registers.hpp>
#include <onepass/split.hpp>

namespace onepass::huffman {

// The block layout (docs/format.md). A tile is 32 strings of bits, one a lane, one behind another; it begins with nine
// words from which the strings' places follow, and its length is a multiple of 16 bytes.

inline constexpr int header_words = 9;
inline constexpr int header_bits  = header_words * 32;

/// Symbols a lane may have in a full tile.
constexpr bool is_per_lane(int symbols) { return symbols == 32 || symbols == 64 || symbols == 128 || symbols == 256; }

/// Symbols of the largest tile, and bytes that it may take.
inline constexpr int most_per_lane = 256, most_tile_items = tile_lanes * most_per_lane;
inline constexpr int longest_tile_bytes = (header_words + most_per_lane * longest_code + 20) * 4;

/// Which symbols belong to whom: lane l of a tile has those at r * 32 * unit + l * unit + [0, unit) for r = 0, 1, ...
struct block_layout {
  extent items;
  int    per_lane, unit;

  ONEPASS_FUNCTION constexpr extent tile_items() const { return extent(tile_lanes) * per_lane; }
  ONEPASS_FUNCTION constexpr extent tiles() const { return div_up(items, tile_items()); }
  ONEPASS_FUNCTION constexpr int    rows() const { return per_lane / unit; }
  ONEPASS_FUNCTION constexpr bool   full(extent tile) const { return (tile + 1) * tile_items() <= items; }

  /// The position of a lane's unit in row r.
  ONEPASS_FUNCTION constexpr extent at(extent tile, int row, int lane) const
  {
    return tile * tile_items() + (extent(row) * tile_lanes + lane) * unit;
  }
  /// How many items of the unit there are.
  ONEPASS_FUNCTION constexpr int present(extent first) const { return items - first >= unit ? unit : items > first ? int(items - first) : 0; }

  /// How many items of the row that begins at `first` there are.
  constexpr int in_row(extent first) const { return int(items < first ? 0 : items - first < tile_lanes * unit ? items - first : tile_lanes * unit); }

  /// Symbols that a lane has.
  ONEPASS_FUNCTION constexpr int lane_items(extent tile, int lane) const
  {
    if (full(tile)) return per_lane;
    const int left = int(items - tile * tile_items()), row = tile_lanes * unit, more = left % row - lane * unit;
    return left / row * unit + (more < 0 ? 0 : more < unit ? more : unit);
  }

  /// More than any tile has, with codes of `longest` bits: header, strings, what their lengths are rounded up by.
  ONEPASS_FUNCTION constexpr std::uint32_t most_tile_words(int longest = longest_code) const
  {
    return std::uint32_t(header_words + per_lane * longest + 16 + 3) / 4 * 4;
  }
};

/// How a tile states the lengths of its strings: the least, and in a byte for each lane how much more, in units of
/// 2^granule bits. A string is as long as stated; what its symbols leave of it is zero.
struct tile_header {
  std::uint32_t least, granule;

  /// For strings of lengths(0), ..., lengths(31) bits. Strings that are all alike and would begin in one or two of the
  /// 32 memory banks get 8 bits more, so that lanes side by side do not wait for each other.
  template <class Lengths>
  ONEPASS_FUNCTION static tile_header of(Lengths const& lengths)
  {
    std::uint32_t least = ~0u, most = 0;
    for (int l = 0; l < tile_lanes; ++l) {
      const std::uint32_t bits = lengths(l);
      least                    = bits < least ? bits : least;
      most                     = bits > most ? bits : most;
    }
    std::uint32_t granule = 0;
    while ((most - least + (1u << granule) - 1) >> granule > 255) ++granule;
    if (least == most && least % 512 == 0 && least > 0) least += 8;
    return {least, granule};
  }

  ONEPASS_FUNCTION std::uint32_t more(std::uint32_t bits) const { return bits <= least ? 0 : (bits - least + (1u << granule) - 1) >> granule; }
  ONEPASS_FUNCTION std::uint32_t stated(std::uint32_t bits) const { return least + (more(bits) << granule); }
  ONEPASS_FUNCTION std::uint32_t word() const { return least | granule << 16; }
};

/// Words of a tile with such strings.
template <class Lengths>
ONEPASS_FUNCTION std::uint32_t tile_words(Lengths const& lengths)
{
  const auto    header = tile_header::of(lengths);
  std::uint32_t bits   = header_bits;
  for (int l = 0; l < tile_lanes; ++l) bits += header.stated(lengths(l));
  return (bits + 127) / 128 * 4;
}

/// The bit of the tile where a lane's string begins, as its header says; never behind the tile's end.
ONEPASS_FUNCTION std::uint32_t string_begin(bounded_words const& words, int lane)
{
  std::uint32_t pairs = 0;  // two sums of bytes, in the two halves
  ONEPASS_UNROLL for (int w = 0; w < tile_lanes / 4; ++w)
  {
    const int           before = lane - 4 * w;  // bytes of this word that belong to lanes before
    const std::uint32_t kept   = before <= 0 ? 0 : words(std::uint32_t(1 + w)) & (before >= 4 ? ~0u : (1u << 8 * before) - 1);
    pairs += (kept & 0x00ff00ffu) + (kept >> 8 & 0x00ff00ffu);
  }
  const std::uint32_t first = words(0), sum = (pairs & 0xffffu) + (pairs >> 16);
  const std::uint32_t begin = header_bits + std::uint32_t(lane) * (first & 0xffffu) + (sum << (first >> 16 & 15));
  return begin < words.size * 32 ? begin : words.size * 32;
}

}  // namespace onepass::huffman
