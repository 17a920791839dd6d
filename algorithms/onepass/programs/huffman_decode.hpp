// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/programs/huffman_units.hpp>

namespace onepass::huffman {

/// The bits of one lane, the first the lowest. Any position and any content are safe: behind the last word all is zero.
template <class Words>
class lane_bits {
public:
  ONEPASS_FUNCTION lane_bits(Words const& words, std::uint32_t position)
      : words_(words), next_(position / 32 + 3), position_(position), low_(words(next_ - 3)), high_(words(next_ - 2)), ahead_(words(next_ - 1))
  {
  }

  /// Two symbols twice, placed as in a pair_entry.
  ONEPASS_FUNCTION void pairs(std::uint32_t const* table, std::uint32_t& first, std::uint32_t& second)
  {
    std::uint32_t window = shifted(low_, high_, position_), moved;
    first  = table[window & window_mask];
    window = shifted(window, 0, first);
    moved  = position_ + first;
    if (first & pair_entry::single_flag) {
      const std::uint32_t more = table[window & window_mask];
      advance(moved + (more >> 16));
      first  = joined(first, more);
      window = shifted(low_, high_, position_);
      moved  = position_;
    }
    second = table[window & window_mask];
    moved += second;
    if (second & pair_entry::single_flag) {
      advance(moved);
      const std::uint32_t more = table[shifted(low_, high_, position_) & window_mask];
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
  ONEPASS_FUNCTION static std::uint32_t shifted(std::uint32_t low, std::uint32_t high, std::uint32_t by)
  {
#ifdef __CUDA_ARCH__
    return __funnelshift_r(low, high, by);
#else
    return std::uint32_t((std::uint64_t(high) << 32 | low) >> (by & 31));
#endif
  }
  ONEPASS_FUNCTION static std::uint32_t joined(std::uint32_t first, std::uint32_t more) { return split::detail::chosen_bytes(first, more, 0x5210); }

  Words         words_;
  std::uint32_t next_, position_, low_, high_, ahead_;
};

/// Items from their coded symbols and their rest.
template <class Split>
struct decode_program {
  using item = typename Split::item;

  static constexpr int  table_words = windows, unit = Split::unit;
  static constexpr bool stages = true;

  block_layout          layout;
  unit_memory<Split>    memory;
  std::uint32_t const*  index;  ///< where each tile begins, in units of four words; one more than there are tiles
  bounded_words         coded;  ///< its size in units of four words
  std::uint32_t const*  pairs;
  std::uint64_t const*  many;
  std::uint32_t         longest_tile;  ///< words

  ONEPASS_FUNCTION extent               tiles() const { return layout.tiles(); }
  ONEPASS_FUNCTION std::uint32_t const* table(extent) const { return pairs; }
  ONEPASS_FUNCTION std::uint32_t        staged_words() const { return longest_tile; }
  ONEPASS_FUNCTION std::uint32_t        slack_words() const { return layout.slack_words(); }

  /// Of an index that is wrong, what lies inside.
  ONEPASS_FUNCTION bounded_words words(extent tile) const
  {
    const std::uint32_t end = at_most(index[tile + 1], coded.size), begin = at_most(index[tile], end);
    return {begin < end ? coded.data + std::size_t(begin) * 4 : pairs, at_most(end - begin, longest_tile / 4) * 4};
  }

  struct held {
    std::uint32_t rest[Split::ahead * Split::rest_words + 1];
  };
  ONEPASS_FUNCTION held fetch(extent tile, int lane) const
  {
    held h;
    if (whole(tile)) {
      const auto rows = memory.rows_of(layout.at(tile, 0, lane));
      ONEPASS_UNROLL for (int u = 0; u < Split::ahead; ++u)
        if (u < layout.rows()) rows.load_rest(u, h.rest + u * Split::rest_words);
    }
    return h;
  }

  template <class Words>
  ONEPASS_FUNCTION void run(extent tile, int lane, held& h, std::uint32_t const* table, Words const& words) const
  {
    const auto rows = memory.rows_of(layout.at(tile, 0, lane));
    each_unit(tile, lane, h, table, words, [&](int row, int present, std::uint32_t const* items) {
      if (present == unit && memory.packed) rows.store_items(row, items);
      else memory.store_items(layout.at(tile, row, lane), present, items);
    });
  }

  /// take(row, how many of the unit there are, the unit's items in words) for a lane's units.
  template <class Words, class Take>
  ONEPASS_FUNCTION void each_unit(extent tile, int lane, held& h, std::uint32_t const* table, Words const& words, Take const& take) const
  {
    lane_bits bits(words, string_begin(words, lane));
    if (whole(tile)) whole_rows(tile, lane, h, table, bits, take);
    else
      for (int row = 0; row < layout.rows(); ++row) {
        const extent first   = layout.at(tile, row, lane);
        const int    present = layout.present(first);
        if (present == 0) return;
        std::uint32_t rest[Split::rest_words + 1], items[unit_memory<Split>::item_words];
        memory.load_rest(first, present, rest);
        decode_unit(rest, table, bits, items);
        take(row, present, items);
      }
  }

  void run_tile(extent tile) const;

private:
  ONEPASS_FUNCTION static std::uint32_t at_most(std::uint32_t x, std::uint32_t most) { return x < most ? x : most; }
  ONEPASS_FUNCTION bool whole(extent tile) const { return memory.packed && layout.full(tile); }

  /// The items of a unit, in words.
  template <class Words>
  ONEPASS_FUNCTION static void decode_unit(std::uint32_t const* rest, std::uint32_t const* table, lane_bits<Words>& bits, std::uint32_t* items)
  {
    std::uint32_t symbols[unit / 2];
    ONEPASS_UNROLL for (int k = 0; k < unit / 2; k += 2) bits.pairs(table, symbols[k], symbols[k + 1]);
    Split::join(symbols, rest, items);
  }

  /// The rest of `ahead` units is on its way while a unit is decoded.
  template <class Words, class Take>
  ONEPASS_FUNCTION void whole_rows(extent tile, int lane, held& h, std::uint32_t const* table, lane_bits<Words>& bits, Take const& take) const
  {
    const int  rows = layout.rows();
    const auto at   = memory.rows_of(layout.at(tile, 0, lane));
#ifdef __CUDA_ARCH__
#pragma unroll 1
#endif
    for (int row = 0; row < rows; row += Split::ahead)
      ONEPASS_UNROLL for (int u = 0; u < Split::ahead; ++u)
        if (row + u < rows) {
          std::uint32_t rest[Split::rest_words + 1], items[unit_memory<Split>::item_words];
          ONEPASS_UNROLL for (int w = 0; w < Split::rest_words; ++w) rest[w] = h.rest[u * Split::rest_words + w];
          if (row + u + Split::ahead < rows) at.load_rest(row + u + Split::ahead, h.rest + u * Split::rest_words);
          decode_unit(rest, table, bits, items);
          take(row + u, unit, items);
        }
  }
};

namespace detail {

/// One lane's string on a host thread: a window of 64 bits, several symbols a look-up.
struct host_string {
  std::uint64_t       bits;
  int                 have;
  std::uint8_t const* next;
  std::uint8_t*       out;
  std::uint8_t*       end;

  [[gnu::always_inline]] host_string(std::uint8_t const* tile, std::uint32_t begin, std::uint8_t* symbols, int count)
      : bits(0), have(0), next(tile + begin / 8), out(symbols), end(symbols + count)
  {
    refill();
    bits >>= begin % 8;
    have -= int(begin % 8);
  }
  [[gnu::always_inline]] void refill()
  {
    std::uint64_t x;
    std::memcpy(&x, next, 8);
    bits |= x << have;
    next += (63 - have) >> 3;
    have |= 56;
  }
  [[gnu::always_inline]] void step(std::uint64_t const* table)
  {
    const std::uint64_t e = table[bits & window_mask];
    std::memcpy(out, &e, 8);
    out += e >> 48 & 255;
    bits >>= e >> 56;
    have -= int(e >> 56);
  }
  /// A string that is done stays at its end, where it may write and read a little further.
  [[gnu::always_inline]] bool wants_more() { return out < end ? true : (out = end, false); }
};

/// Symbols behind a lane's last that decoding may write: four look-ups and a whole word.
inline constexpr int overrun = 4 * many_entry::most + 8;

/// Bytes behind a tile that decoding may read: a string is at most 256 / 4 times four codes long and begins inside.
inline constexpr int host_slack = 512;

}  // namespace detail

template <class Split>
void decode_program<Split>::run_tile(extent tile) const
{
  constexpr int              stride = most_per_lane + detail::overrun;
  alignas(64) std::uint8_t   symbols[tile_lanes * stride];
  alignas(64) std::uint8_t   bytes[longest_tile_bytes + detail::host_slack];
  const auto                 source = words(tile);
  std::memcpy(bytes, source.data, source.size * std::size_t(4));
  std::memset(bytes + source.size * std::size_t(4), 0, detail::host_slack);

  std::uint32_t begin[tile_lanes];
  std::uint32_t at = header_bits;
  const auto    first = source(0);
  for (int l = 0; l < tile_lanes; ++l) {
    begin[l] = at < source.size * 32 ? at : source.size * 32;
    at += (first & 0xffffu) + ((source(std::uint32_t(1 + l / 4)) >> l % 4 * 8 & 255u) << (first >> 16 & 15));
  }
  for (int l = 0; l < tile_lanes; l += 4) {
    const auto string = [&](int k) { return detail::host_string(bytes, begin[l + k], symbols + (l + k) * stride, layout.lane_items(tile, l + k)); };
    auto       a = string(0), b = string(1), c = string(2), d = string(3);
    while (int(a.wants_more()) | int(b.wants_more()) | int(c.wants_more()) | int(d.wants_more())) {
      a.refill(), b.refill(), c.refill(), d.refill();
      for (int k = 0; k < 4; ++k) a.step(many), b.step(many), c.step(many), d.step(many);
    }
  }
  alignas(64) std::uint8_t side_by_side[tile_lanes * unit];
  for (int row = 0; row < layout.rows(); ++row) {
    const extent from    = layout.at(tile, row, 0);
    const int    present = layout.in_row(from);
    for (int l = 0; l < tile_lanes; ++l) std::memcpy(side_by_side + l * unit, symbols + l * stride + row * unit, unit);
    Split::join_row(side_by_side, memory.planes(from), memory.items + from, present);
  }
}

}  // namespace onepass::huffman
