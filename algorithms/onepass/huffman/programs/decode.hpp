// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/engine/stream.hpp>
#include <onepass/huffman/programs/decode_host.hpp>
#include <onepass/huffman/programs/units.hpp>

#include <algorithm>

namespace onepass::ONEPASS_ABI::huffman {

/// The bits of one lane, the first the lowest. Any position and any content are safe: behind the last word all is zero.
template <class Words>
class lane_bits {
public:
  ONEPASS_FUNCTION lane_bits(Words const& words, std::uint32_t position)
      : words_(words)
      , next_(position / 32 + 3)
      , position_(position)
      , low_(words(next_ - 3))
      , high_(words(next_ - 2))
      , ahead_(words(next_ - 1))
  {}

  /// Two symbols twice, placed as in a pair_entry.
  ONEPASS_FUNCTION void pairs(std::uint32_t const* table, std::uint32_t& first, std::uint32_t& second)
  {
    std::uint32_t window = funnel_shifted(low_, high_, position_), moved;
    first                = table[window & window_mask];
    window               = funnel_shifted(window, 0, first);
    moved                = position_ + first;
    if (first & pair_entry::single_flag) {
      std::uint32_t const more = table[window & window_mask];
      advance(moved + (more >> 16));
      first  = joined(first, more);
      window = funnel_shifted(low_, high_, position_);
      moved  = position_;
    }
    second = table[window & window_mask];
    moved += second;
    if (second & pair_entry::single_flag) {
      advance(moved);
      std::uint32_t const more = table[funnel_shifted(low_, high_, position_) & window_mask];
      moved                    = position_ + (more >> 16);
      second                   = joined(second, more);
    }
    advance(moved);  // 24 bits at most since the last time: one word at most
  }

private:
  /// Of positions only the six lowest bits mean anything, so entries are added without a mask.
  ONEPASS_FUNCTION void advance(std::uint32_t position)
  {
    if ((position ^ position_) & 32) {
      low_   = high_;
      high_  = ahead_;
      ahead_ = words_(next_++);
    }
    position_ = position;
  }
  ONEPASS_FUNCTION static std::uint32_t joined(std::uint32_t first, std::uint32_t more)
  {
    return chosen_bytes(first, more, 0x5210);
  }

  Words words_;
  std::uint32_t next_, position_, low_, high_, ahead_;
};

/// Items from their coded symbols and their rest.
template <class Split>
struct decode_program {
  using item = typename Split::item;

  static constexpr int table_words = windows, unit = Split::unit;
  static constexpr bool stages = true;

  block_layout layout;
  unit_memory<Split> memory;
  std::uint32_t const* index;  ///< where each tile begins, in units of four words; one more than there are tiles
  bounded_words coded;         ///< its size in units of four words
  std::uint32_t const* pairs;
  std::uint64_t const* many;
  std::uint32_t longest_tile;  ///< words

  ONEPASS_FUNCTION extent tiles() const { return layout.tiles(); }
  ONEPASS_FUNCTION std::uint32_t const* table(extent) const { return pairs; }
  ONEPASS_FUNCTION std::uint32_t staged_words() const { return longest_tile; }
  ONEPASS_FUNCTION std::uint32_t slack_words() const { return layout.slack_words(); }

  /// Of an index that is wrong, what lies inside.
  ONEPASS_FUNCTION bounded_words words(extent tile) const
  {
    std::uint32_t const end = at_most(index[tile + 1], coded.size), begin = at_most(index[tile], end);
    return {begin < end ? coded.data + std::size_t(begin) * 4 : pairs, at_most(end - begin, longest_tile / 4) * 4};
  }

  struct held {
    std::uint32_t rest[Split::ahead * Split::rest_words + 1];
  };
  ONEPASS_FUNCTION held fetch(extent tile, int lane) const
  {
    held h;
    if (whole(tile)) {
      auto const rows = memory.rows_of(layout.at(tile, 0, lane));
      ONEPASS_UNROLL for (int u = 0; u < Split::ahead; ++u) if (u < layout.rows())
          rows.load_rest(u, h.rest + u * Split::rest_words);
    }
    return h;
  }

  template <class Words>
  ONEPASS_FUNCTION void run(extent tile, int lane, held& h, std::uint32_t const* table, Words const& words) const
  {
    auto const rows = memory.rows_of(layout.at(tile, 0, lane));
    each_unit(tile, lane, h, table, words, [&](int row, int present, std::uint32_t const* items) {
      if (present == unit && memory.packed) rows.store_items(row, items);
      else memory.store_items(layout.at(tile, row, lane), present, items);
    });
  }

  /// take(row, how many of the unit there are, the unit's items in words) for a lane's units.
  template <class Words, class Take>
  ONEPASS_FUNCTION void each_unit(extent tile, int lane, held& h, std::uint32_t const* table, Words const& words,
                                  Take const& take) const
  {
    lane_bits bits(words, string_begin(words, lane));
    if (whole(tile)) whole_rows(tile, lane, h, table, bits, take);
    else
      for (int row = 0; row < layout.rows(); ++row) {
        extent const first = layout.at(tile, row, lane);
        int const present  = layout.present(first);
        if (present == 0) return;
        std::uint32_t rest[Split::rest_words + 1], items[unit_memory<Split>::item_words];
        memory.load_rest(first, present, rest);
        decode_unit(rest, table, bits, items);
        take(row, present, items);
      }
  }

  void run_tiles(extent first, extent last) const;

private:
  // On a host thread: the symbols of some lanes of a tile, and as many of its items from the symbols of all.
  void decode_part(extent tile, int part, host_tile const& here, std::uint8_t* symbols) const;
  void write_part(extent tile, int part, std::uint8_t const* symbols) const;

  ONEPASS_FUNCTION static std::uint32_t at_most(std::uint32_t x, std::uint32_t most) { return x < most ? x : most; }
  ONEPASS_FUNCTION bool whole(extent tile) const { return memory.packed && layout.full(tile); }

  /// The items of a unit, in words.
  template <class Words>
  ONEPASS_FUNCTION static void decode_unit(std::uint32_t const* rest, std::uint32_t const* table,
                                           lane_bits<Words>& bits, std::uint32_t* items)
  {
    std::uint32_t symbols[unit / 2];
    ONEPASS_UNROLL for (int k = 0; k < unit / 2; k += 2) bits.pairs(table, symbols[k], symbols[k + 1]);
    Split::join(symbols, rest, items);
  }

  /// The rest of `ahead` units is on its way while a unit is decoded.
  template <class Words, class Take>
  ONEPASS_FUNCTION void whole_rows(extent tile, int lane, held& h, std::uint32_t const* table, lane_bits<Words>& bits,
                                   Take const& take) const
  {
    int const rows = layout.rows();
    auto const at  = memory.rows_of(layout.at(tile, 0, lane));
    ONEPASS_NO_UNROLL for (int row = 0; row < rows; row += Split::ahead)
        ONEPASS_UNROLL for (int u = 0; u < Split::ahead; ++u) if (row + u < rows)
    {
      std::uint32_t rest[Split::rest_words + 1], items[unit_memory<Split>::item_words];
      ONEPASS_UNROLL for (int w = 0; w < Split::rest_words; ++w) rest[w] = h.rest[u * Split::rest_words + w];
      if (row + u + Split::ahead < rows) at.load_rest(row + u + Split::ahead, h.rest + u * Split::rest_words);
      decode_unit(rest, table, bits, items);
      take(row + u, unit, items);
    }
  }
};

/// On a host thread a tile's items are written while the next tile is decoded, since decoding leaves memory idle.
template <class Split>
void decode_program<Split>::run_tiles(extent first, extent last) const
{
  alignas(64) std::uint8_t symbols[2][most_tile_items];  // of a tile and of the one before, in the order of their items
  host_tile here;
  for (extent tile = first; tile <= last; ++tile) {
    if (tile < last) here.open(words(tile));
    for (int part = 0; part < host_string::parts; ++part) {
      if (tile < last) decode_part(tile, part, here, symbols[tile % 2]);
      if (tile > first) write_part(tile - 1, part, symbols[(tile - 1) % 2]);
    }
  }
  release_streams();
}

template <class Split>
void decode_program<Split>::decode_part(extent tile, int part, host_tile const& here, std::uint8_t* symbols) const
{
  alignas(64) std::uint8_t rooms[host_string::at_once * host_string::room];
  int const lane = part * host_string::at_once;
  int sizes[host_string::at_once];
  for (int s = 0; s < host_string::at_once; ++s) sizes[s] = layout.lane_items(tile, lane + s);
  decode_strings(here.bytes, here.begins + lane, sizes, many, rooms);
  for (int row = 0; row < layout.rows(); ++row)
    for (int s = 0; s < host_string::at_once; ++s)
      std::memcpy(symbols + (row * tile_lanes + lane + s) * unit, rooms + s * host_string::room + row * unit, unit);
}

template <class Split>
void decode_program<Split>::write_part(extent tile, int part, std::uint8_t const* symbols) const
{
  alignas(64) item joined[most_tile_items / host_string::parts];
  extent const size = layout.tile_items() / host_string::parts, from = layout.at(tile, 0, 0) + part * size;
  int const count = int(std::min(size, layout.items - from));
  if (count <= 0) return;
  bool const stream =
      worth_streaming(std::size_t(layout.items) * 2 * sizeof(item));  // at most as much is read as written
  Split::join_row(symbols + part * size, memory.planes(from), stream ? joined : memory.items + from, count);
  if (stream) stream_out(memory.items + from, joined, std::size_t(count) * sizeof(item));
}

}  // namespace onepass::ONEPASS_ABI::huffman
