// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/huffman/programs/units.hpp>

namespace onepass::huffman {

// What a tile's encoding is made of: measure how long each lane's string is and store the rest; make the tile's header
// of the lengths (seal, tile_header.hpp); write the strings where the tile is to be. Here these are lane programs,
// with a scan of the tiles' sizes between them; encode_chained.hpp does all of it in one kernel of teams, and
// encode_host.hpp on host threads.

/// The items and their codes.
template <class Split>
struct encode_parts {
  using item = std::uint32_t;

  block_layout layout;
  unit_memory<Split> memory;
  std::uint32_t const* codes;  ///< encode_table

  static constexpr int unit = Split::unit, item_words = unit_memory<Split>::item_words;

  static constexpr int table_words = alphabet;
  static constexpr bool stages     = false;

  ONEPASS_FUNCTION extent tiles() const { return layout.tiles(); }
  ONEPASS_FUNCTION std::uint32_t const* table(extent) const { return codes; }
  ONEPASS_FUNCTION bounded_words words(extent) const { return {nullptr, 0}; }
  ONEPASS_FUNCTION std::uint32_t staged_words() const { return 0; }
  ONEPASS_FUNCTION std::uint32_t slack_words() const { return 0; }

  struct held {};
  ONEPASS_FUNCTION held fetch(extent, int) const { return {}; }

  /// Bits of a lane's string; stores the rest.
  ONEPASS_FUNCTION std::uint32_t measure(extent tile, int lane, std::uint32_t const* table) const
  {
    std::uint32_t bits = 0;
    bool const whole   = memory.packed && layout.full(tile);
    auto const rows    = memory.rows_of(layout.at(tile, 0, lane));
    each_unit(tile, lane, [&](std::uint32_t const* symbols, std::uint32_t const* rest, int present, int row) {
      if (whole) rows.store_rest(row, rest);
      else memory.store_rest(layout.at(tile, row, lane), present, rest);
      ONEPASS_UNROLL for (int k = 0; k < unit; ++k) if (k < present) bits += entry(table, symbols, k) >> 16;
      return true;
    });
    return bits;
  }

  /// Writes a lane's part of a tile of `words` words to `to`. A word belongs to the lane whose string (or what follows
  /// it up to the next) holds its first bit; that lane also writes what other strings have of it. So no lane needs to
  /// wait, and a word is written once.
  ONEPASS_FUNCTION void write(extent tile, int lane, std::uint32_t const* table, header_of const& slot,
                              std::uint32_t* to, std::uint32_t words) const
  {
    if (lane < header_words) to[lane] = slot(lane);
    std::uint32_t const begin = stated_begin(slot, lane);
    std::uint32_t end         = stated_begin(slot, lane + 1);
    std::uint32_t const last  = lane == tile_lanes - 1 ? words : (end + 31) / 32;  // behind the last word of this lane
    writer out{to, (begin + 31) / 32, last, begin / 32, begin % 32, 0};
    put_string(tile, lane, table, out);
    out.fill(end);
    for (int l = lane + 1; !out.full() && l < tile_lanes; ++l) {
      end = stated_begin(slot, l + 1);
      put_string(tile, l, table, out);
      out.fill(end);
    }
    out.fill(words * 32);  // behind the last string
  }

  /// The same to a stage of zeros that the tile's lanes share: where two strings meet in a word, both add their bits.
  ONEPASS_FUNCTION void write_to_stage(extent tile, int lane, std::uint32_t const* table, header_of const& slot,
                                       std::uint32_t* stage) const
  {
    if (lane < header_words) stage[lane] = slot(lane);
    std::uint32_t const begin = stated_begin(slot, lane);
    stage_writer out{stage + begin / 32, begin % 32, 0};
    put_string(tile, lane, table, out);
    if (out.have > 0) out.flush();
  }

private:
  /// f(symbols four a word, rest, how many of the unit there are, row) for a lane's units, until it returns false. Of a
  /// whole tile a few rows are on their way together.
  template <class F>
  ONEPASS_FUNCTION void each_unit(extent tile, int lane, F const& f) const
  {
    constexpr int together = item_words == 4 && unit == 8 ? 4 : 2;
    std::uint32_t symbols[unit / 4], rest[Split::rest_words + 1] = {};
    if (memory.packed && layout.full(tile)) {
      auto const rows = memory.rows_of(layout.at(tile, 0, lane));
      std::uint32_t items[together][item_words];
#ifdef __CUDA_ARCH__
#pragma unroll 1
#endif
      for (int row = 0; row < layout.rows(); row += together) {
        ONEPASS_UNROLL for (int k = 0; k < together; ++k) rows.load_items(row + k, items[k]);
        ONEPASS_UNROLL for (int k = 0; k < together; ++k)
        {
          Split::part(items[k], symbols, rest);
          if (!f(symbols, rest, unit, row + k)) return;
        }
      }
    } else
      for (int row = 0; row < layout.rows(); ++row) {
        extent const first = layout.at(tile, row, lane);
        int const present  = layout.present(first);
        if (present == 0) return;
        std::uint32_t items[item_words];
        memory.load_items(first, present, items);
        Split::part(items, symbols, rest);
        if (!f(symbols, rest, present, row)) return;
      }
  }
  ONEPASS_FUNCTION static std::uint32_t entry(std::uint32_t const* table, std::uint32_t const* symbols, int k)
  {
    return table[symbols[k / 4] >> k % 4 * 8 & 255u];
  }

  /// Bits into the words [begin, end); the words before belong to somebody else.
  struct writer {
    std::uint32_t* to;
    std::uint32_t begin, end, word, have;
    std::uint64_t bits;

    ONEPASS_FUNCTION bool full() const { return word >= end; }
    ONEPASS_FUNCTION void put(std::uint32_t code, std::uint32_t length)  // at most 24 bits
    {
      bits |= std::uint64_t(code) << have;
      have += length;
      if (have >= 32) flush();
    }
    ONEPASS_FUNCTION void flush()
    {
      if (word >= begin && word < end) to[word] = std::uint32_t(bits);
      ++word;
      bits >>= 32;
      have -= 32;
    }
    /// Zeros up to bit `at`.
    ONEPASS_FUNCTION void fill(std::uint32_t at)
    {
      while (word * 32 + have < at && !full()) {
        std::uint32_t const gap = at - (word * 32 + have), step = gap < 32 - have ? gap : 32 - have;
        have += step;
        if (have >= 32) flush();
      }
    }
  };

  /// Bits added to words that were zero.
  struct stage_writer {
    std::uint32_t* word;
    std::uint32_t have;
    std::uint64_t bits;

    ONEPASS_FUNCTION static constexpr bool full() { return false; }
    ONEPASS_FUNCTION void put(std::uint32_t code, std::uint32_t length)  // at most 24 bits
    {
      bits |= std::uint64_t(code) << have;
      have += length;
      if (have >= 32) flush();
    }
    ONEPASS_FUNCTION void flush()
    {
      Kokkos::atomic_or(word++, std::uint32_t(bits));
      bits >>= 32;
      have -= 32;
    }
  };

  template <class Writer>
  ONEPASS_FUNCTION void put_string(extent tile, int lane, std::uint32_t const* table, Writer& out) const
  {
    each_unit(tile, lane, [&](std::uint32_t const* symbols, std::uint32_t const*, int present, int) {
      ONEPASS_UNROLL for (int k = 0; k < unit; k += 2) if (k < present)
      {  // two codes are joined before they meet those already there
        std::uint32_t const a = entry(table, symbols, k), b = k + 1 < present ? entry(table, symbols, k + 1) : 0;
        out.put((a & 0xffffu) | (b & 0xffffu) << (a >> 16), (a >> 16) + (b >> 16));
      }
      return !out.full();
    });
  }
};

/// lengths = bits of each lane's string, 32 a tile; stores the rest.
template <class Split>
struct measure_program : encode_parts<Split> {
  using base = encode_parts<Split>;

  std::uint16_t* lengths;

  ONEPASS_FUNCTION void run(extent tile, int lane, typename base::held&, std::uint32_t const* table,
                            bounded_words) const
  {
    lengths[tile * tile_lanes + lane] = std::uint16_t(base::measure(tile, lane, table));
  }
};

/// Seals the tiles, a lane a tile: sizes = the units of four words of each tile, and a zero, so that a scan gives where
/// the last one ends.
struct seal_program {
  using item = std::uint32_t;

  static constexpr int table_words = 4;
  static constexpr bool stages     = false;

  std::uint32_t* slots;  ///< sealed_words a tile
  std::uint32_t* sizes;
  extent count;
  std::uint32_t const* codes;  ///< of no use but as a table

  ONEPASS_FUNCTION extent tiles() const { return div_up(count + 1, tile_lanes); }
  ONEPASS_FUNCTION std::uint32_t const* table(extent) const { return codes; }
  ONEPASS_FUNCTION bounded_words words(extent) const { return {nullptr, 0}; }
  ONEPASS_FUNCTION std::uint32_t staged_words() const { return 0; }
  ONEPASS_FUNCTION std::uint32_t slack_words() const { return 0; }

  struct held {};
  ONEPASS_FUNCTION held fetch(extent, int) const { return {}; }
  ONEPASS_FUNCTION void run(extent group, int lane, held&, std::uint32_t const*, bounded_words) const
  {
    extent const tile = group * tile_lanes + lane;
    if (tile <= count) sizes[tile] = tile < count ? seal(slots + tile * sealed_words) : 0;
  }
};

/// Where a block goes.
struct encode_target {
  std::uint32_t* index;
  std::uint32_t* coded;
  std::uint32_t room;  ///< units of four words; a tile that does not fit is not written
};

/// Writes headers and strings where the index says.
template <class Split>
struct write_program : encode_parts<Split> {
  using base = encode_parts<Split>;

  encode_target to;
  std::uint32_t const* slots;  ///< sealed_words a tile

  ONEPASS_FUNCTION void run(extent tile, int lane, typename base::held&, std::uint32_t const* table,
                            bounded_words) const
  {
    if (to.index[tile + 1] > to.room) return;
    std::uint32_t const begin = to.index[tile];
    base::write(tile, lane, table, {slots + tile * sealed_words}, to.coded + std::size_t(begin) * 4,
                (to.index[tile + 1] - begin) * 4);
  }
};

}  // namespace onepass::huffman
