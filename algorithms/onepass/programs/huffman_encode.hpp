// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/programs/huffman_units.hpp>

namespace onepass::huffman {

// Encoding is two lane programs with a scan between them: measure how long each lane's string is and store the rest,
// scan the tiles' sizes, write the strings. The scan reads the lengths, 1/64 of an item each.

/// What measuring and writing share: the items, the codes, the lengths of all strings.
template <class Split>
struct encode_parts {
  block_layout         layout;
  unit_memory<Split>   memory;
  std::uint32_t const* codes;    ///< encode_table
  std::uint16_t*       lengths;  ///< bits of each lane's string, 32 a tile

  static constexpr int unit = Split::unit;

  static constexpr int  table_words = alphabet;
  static constexpr bool stages = false;

  ONEPASS_FUNCTION extent               tiles() const { return layout.tiles(); }
  ONEPASS_FUNCTION std::uint32_t const* table() const { return codes; }
  ONEPASS_FUNCTION bounded_words        words(extent) const { return {nullptr, 0}; }
  ONEPASS_FUNCTION std::uint32_t        staged_words() const { return 0; }

  struct held {};
  ONEPASS_FUNCTION held fetch(extent, int) const { return {}; }

  /// The symbols of a unit, four a word, and its rest.
  ONEPASS_FUNCTION void parted(extent first, int present, std::uint32_t* symbols, std::uint32_t* rest) const
  {
    std::uint32_t items[unit_memory<Split>::item_words];
    memory.load_items(first, present, items);
    Split::part(items, symbols, rest);
  }
  /// Symbols of a whole tile on a host thread, those of a lane side by side; `keep_rest` stores the rest as well.
  template <bool keep_rest>
  void part_tile(extent tile, std::uint8_t* symbols) const
  {
    alignas(64) std::uint8_t row_symbols[tile_lanes * unit], elsewhere[2][2 * tile_lanes * unit];
    for (int row = 0; row < layout.rows(); ++row) {
      const extent first = layout.at(tile, row, 0);
      Split::part_row(row_symbols, keep_rest ? memory.planes(first) : split::detail::plane_pointers{elsewhere[0], elsewhere[1]},
                      memory.items + first, layout.in_row(first));
      for (int l = 0; l < tile_lanes; ++l) std::memcpy(symbols + l * layout.per_lane + row * unit, row_symbols + l * unit, unit);
    }
  }
  ONEPASS_FUNCTION static std::uint32_t entry(std::uint32_t const* table, std::uint32_t const* symbols, int k)
  {
    return table[symbols[k / 4] >> k % 4 * 8 & 255u];
  }
};

/// lengths = bits of each lane's string; stores the rest.
template <class Split>
struct measure_program : encode_parts<Split> {
  using base = encode_parts<Split>;
  using base::unit;

  ONEPASS_FUNCTION void run(extent tile, int lane, typename base::held&, std::uint32_t const* table, bounded_words) const
  {
    std::uint32_t bits = 0;
    for (int row = 0; row < base::layout.rows(); ++row) {
      const extent first   = base::layout.at(tile, row, lane);
      const int    present = base::layout.present(first);
      std::uint32_t symbols[unit / 4], rest[Split::rest_words + 1];
      if (present == 0) break;
      base::parted(first, present, symbols, rest);
      base::memory.store_rest(first, present, rest);
      if (present == unit) {
        ONEPASS_UNROLL for (int k = 0; k < unit; ++k) bits += base::entry(table, symbols, k) >> 16;
      } else
        for (int k = 0; k < present; ++k) bits += base::entry(table, symbols, k) >> 16;
    }
    base::lengths[tile * tile_lanes + lane] = std::uint16_t(bits);
  }

  void run_tile(extent tile) const
  {
    std::uint8_t symbols[most_tile_items];
    base::template part_tile<true>(tile, symbols);
    for (int lane = 0; lane < tile_lanes; ++lane) {
      std::uint8_t const* const mine = symbols + lane * base::layout.per_lane;
      std::uint32_t             bits = 0;
      const int                 count = base::layout.lane_items(tile, lane);
      for (int k = 0; k < count; ++k) bits += base::codes[mine[k]] >> 16;
      base::lengths[tile * tile_lanes + lane] = std::uint16_t(bits);
    }
  }
};

namespace detail {

/// Bits into the bytes of a host thread, a few codes at a time. Writes up to eight bytes behind the last.
class host_writer {
public:
  explicit host_writer(std::uint8_t* to) : next_(to) {}

  /// At most 56 bits.
  [[gnu::always_inline]] void put(std::uint64_t bits, int count)
  {
    bits_ |= bits << have_;
    have_ += count;
    std::memcpy(next_, &bits_, 8);
    next_ += have_ >> 3;
    bits_ >>= have_ & ~7;
    have_ &= 7;
  }
  /// Codes are joined before they meet those already written, so that only one addition in four symbols waits for another.
  void put_string(std::uint32_t const* table, std::uint8_t const* symbols, int count)
  {
    const auto bits = [](std::uint32_t e) { return std::uint64_t(e & 0xffffu); };
    int        k    = 0;
    for (; k + 4 <= count; k += 4) {
      const std::uint32_t a = table[symbols[k]], b = table[symbols[k + 1]], c = table[symbols[k + 2]], d = table[symbols[k + 3]];
      const std::uint64_t ab = bits(a) | bits(b) << (a >> 16), cd = bits(c) | bits(d) << (c >> 16);
      const int           first = int((a >> 16) + (b >> 16));
      put(ab | cd << first, first + int((c >> 16) + (d >> 16)));
    }
    for (; k < count; ++k) put(bits(table[symbols[k]]), int(table[symbols[k]] >> 16));
  }

private:
  std::uint8_t* next_;
  std::uint64_t bits_ = 0;
  int           have_ = 0;
};

}  // namespace detail

/// The sizes of the tiles in units of four words: what the scan reads.
struct tile_sizes {
  using value_type = std::uint32_t;
  std::uint16_t const* lengths;
  extent               size;  ///< one more than there are tiles, so that the scan gives where the last one ends

  ONEPASS_FUNCTION std::uint32_t operator()(extent tile) const
  {
    if (tile + 1 >= size) return 0;
    return tile_words([&](int l) { return std::uint32_t(lengths[tile * tile_lanes + l]); }) / 4;
  }
};

/// Writes headers and strings where the index says. A word belongs to the lane whose string (or what follows it up to the
/// next) holds its first bit; that lane also writes what other strings have of it. So nobody needs to wait, and a word is
/// written once.
template <class Split>
struct write_program : encode_parts<Split> {
  using base = encode_parts<Split>;
  using base::unit;

  std::uint32_t const* index;
  std::uint32_t*       coded;
  std::uint32_t        room;  ///< units of four words; a tile that does not fit is not written

  ONEPASS_FUNCTION void run(extent tile, int lane, typename base::held&, std::uint32_t const* table, bounded_words) const
  {
    if (index[tile + 1] > room) return;
    std::uint32_t* const to      = coded + std::size_t(index[tile]) * 4;
    const std::uint32_t  words   = (index[tile + 1] - index[tile]) * 4;
    const auto           bits_of = [&](int l) { return std::uint32_t(base::lengths[tile * tile_lanes + l]); };
    const auto           header  = tile_header::of(bits_of);
    if (lane == 0) to[0] = header.word();
    if (lane < tile_lanes / 4) {
      std::uint32_t more = 0;
      for (int b = 0; b < 4; ++b) more |= header.more(bits_of(4 * lane + b)) << 8 * b;
      to[1 + lane] = more;
    }

    std::uint32_t begin = header_bits;
    for (int l = 0; l < lane; ++l) begin += header.stated(bits_of(l));
    std::uint32_t       end = begin + header.stated(bits_of(lane));
    const std::uint32_t last = lane == tile_lanes - 1 ? words : (end + 31) / 32;  // behind the last word of this lane
    writer out{to, (begin + 31) / 32, last, begin / 32, begin % 32, 0};
    for (int l = lane; !out.full() && l < tile_lanes; ++l) {
      if (l > lane) end += header.stated(bits_of(l));
      put_string(tile, l, table, out);
      out.fill(end);
    }
    out.fill(words * 32);  // behind the last string
  }

  void run_tile(extent tile) const
  {
    if (index[tile + 1] > room) return;
    std::uint8_t symbols[most_tile_items];
    base::template part_tile<false>(tile, symbols);
    const auto           bits_of = [&](int l) { return std::uint32_t(base::lengths[tile * tile_lanes + l]); };
    const auto           header  = tile_header::of(bits_of);
    const std::size_t    bytes   = std::size_t(index[tile + 1] - index[tile]) * 16;
    alignas(64) std::uint8_t made[longest_tile_bytes + 16];
    detail::host_writer      out(made);
    out.put(header.word(), 32);
    for (int l = 0; l < tile_lanes; ++l) out.put(header.more(bits_of(l)), 8);
    for (int l = 0; l < tile_lanes; ++l) {
      out.put_string(base::codes, symbols + l * base::layout.per_lane, base::layout.lane_items(tile, l));
      out.put(0, int(header.stated(bits_of(l)) - bits_of(l)));
    }
    std::size_t stated = header_bits;
    for (int l = 0; l < tile_lanes; ++l) stated += header.stated(bits_of(l));
    for (std::size_t at = stated; at < bytes * 8; at += 32) out.put(0, at + 32 < bytes * 8 ? 32 : int(bytes * 8 - at));
    std::memcpy(coded + std::size_t(index[tile]) * 4, made, bytes);
  }

private:
  /// Bits into the words [begin, end); the words before belong to somebody else.
  struct writer {
    std::uint32_t* to;
    std::uint32_t  begin, end, word, have;
    std::uint64_t  bits;

    ONEPASS_FUNCTION bool full() const { return word >= end; }
    ONEPASS_FUNCTION void put(std::uint32_t entry)
    {
      bits |= std::uint64_t(entry & 0xffffu) << have;
      have += entry >> 16;
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
        const std::uint32_t gap = at - (word * 32 + have), step = gap < 32 - have ? gap : 32 - have;
        have += step;
        if (have >= 32) flush();
      }
    }
  };

  ONEPASS_FUNCTION void put_string(extent tile, int lane, std::uint32_t const* table, writer& out) const
  {
    for (int row = 0; row < base::layout.rows(); ++row) {
      const extent first   = base::layout.at(tile, row, lane);
      const int    present = base::layout.present(first);
      if (present == 0 || out.full()) return;
      std::uint32_t symbols[unit / 4], rest[Split::rest_words + 1];
      base::parted(first, present, symbols, rest);
      if (present == unit) {
        ONEPASS_UNROLL for (int k = 0; k < unit; ++k) out.put(base::entry(table, symbols, k));
      } else
        for (int k = 0; k < present; ++k) out.put(base::entry(table, symbols, k));
    }
  }
};

}  // namespace onepass::huffman
