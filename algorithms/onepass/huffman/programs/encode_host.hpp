// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/huffman/programs/encode.hpp>

#include <cstring>

namespace onepass::ONEPASS_ABI::huffman {

// Encoding by host threads, which make whole tiles, and many of them by the codes of pairs.

/// Two codes one behind the other: 24 bits, and above them how many count.
ONEPASS_FUNCTION std::uint32_t joined_codes(std::uint32_t a, std::uint32_t b)
{
  return (a & 0xffffu) | (b & 0xffffu) << (a >> 16) | ((a >> 16) + (b >> 16)) << 24;
}

/// Makes the codes of all pairs of symbols.
struct join_codes {
  static constexpr extent pairs = extent(alphabet) * alphabet;

  std::uint32_t const* codes;
  std::uint32_t* joined;

  ONEPASS_FUNCTION void operator()(extent i) const
  {
    joined[i] = joined_codes(codes[i % alphabet], codes[i / alphabet]);
  }
};

namespace detail {

/// Bits into the bytes of a host thread, a few codes at a time. Writes up to eight bytes behind the last.
class host_writer {
public:
  explicit host_writer(std::uint8_t* to)
      : begin_(to)
      , next_(to)
  {}

  int bits() const { return int(next_ - begin_) * 8 + have_; }

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
  /// Zeros up to bit `at`.
  void fill(int at)
  {
    for (int gap = at - bits(); gap > 0; gap -= 48) put(0, gap < 48 ? gap : 48);
  }
  /// Codes are joined before they meet those already written, so that only one addition in four symbols waits for
  /// another. `joined`: of pairs, or null.
  void put_string(std::uint32_t const* codes, std::uint32_t const* joined, std::uint8_t const* symbols, int count)
  {
    int k                  = 0;
    auto const put_by_four = [&](auto const& code_of) {
      for (; k + 4 <= count; k += 4) {
        std::uint16_t pairs[2];
        std::memcpy(pairs, symbols + k, 4);
        std::uint32_t const a = code_of(pairs[0]), b = code_of(pairs[1]);
        put((a & 0xffffffu) | std::uint64_t(b & 0xffffffu) << (a >> 24), int((a >> 24) + (b >> 24)));
      }
    };
    if (joined) put_by_four([&](std::uint16_t pair) { return joined[pair]; });
    else put_by_four([&](std::uint16_t pair) { return joined_codes(codes[pair & 255], codes[pair >> 8]); });
    for (; k < count; ++k) put(codes[symbols[k]] & 0xffffu, int(codes[symbols[k]] >> 16));
  }

private:
  std::uint8_t *begin_, *next_;
  std::uint64_t bits_ = 0;
  int have_           = 0;
};

}  // namespace detail

/// Some tiles in the memory of a thread, one behind the other.
struct made_tiles {
  static constexpr int most = 8;

  std::uint8_t bytes[most * longest_tile_bytes + 8];
  std::uint32_t units[most];  ///< of four words, of each tile
  std::uint32_t all;
};

/// A thread makes some tiles in memory of its own, reading their items once, and moves them when it knows what the
/// tiles before them take.
template <class Split>
struct encode_alone : encode_groups<Split> {
  using encode_groups<Split>::parts, encode_groups<Split>::to;

  std::uint32_t const* joined;  ///< the codes of pairs, or null

  extent tiles(int) const { return this->groups_of(made_tiles::most); }
  static constexpr std::size_t stage_bytes(int) { return sizeof(made_tiles); }

  /// The tiles' rest is stored.
  std::uint32_t upsweep(lone_team const& team, extent group) const
  {
    auto& made = *reinterpret_cast<made_tiles*>(team.stage());
    made.all   = 0;
    for (int t = 0; t < made_tiles::most; ++t) {
      extent const tile = group * made_tiles::most + t;
      made.units[t]     = tile < parts.layout.tiles() ? make_tile(tile, made.bytes + made.all * 16) : 0;
      made.all += made.units[t];
    }
    return made.all;
  }

  /// Moves them behind this number of units.
  void downsweep(lone_team const& team, extent group, std::uint32_t before) const
  {
    auto const& made         = *reinterpret_cast<made_tiles const*>(team.stage());
    std::uint8_t const* from = made.bytes;
    for (int t = 0; t < made_tiles::most && group * made_tiles::most + t < parts.layout.tiles(); ++t) {
      to.index[group * made_tiles::most + t] = before;
      if (before + made.units[t] <= to.room) std::memcpy(to.coded + std::size_t(before) * 4, from, made.units[t] * 16);
      before += made.units[t];
      from += made.units[t] * 16;
    }
  }

private:
  /// Symbols of a tile, those of a lane side by side; stores the rest.
  void part(extent tile, std::uint8_t* symbols) const
  {
    constexpr int unit = Split::unit;
    auto const& layout = parts.layout;
    alignas(64) std::uint8_t row_symbols[tile_lanes * unit];
    for (int row = 0; row < layout.rows(); ++row) {
      extent const first = layout.at(tile, row, 0);
      Split::part_row(row_symbols, parts.memory.planes(first), parts.memory.items + first, layout.in_row(first));
      for (int l = 0; l < tile_lanes; ++l)
        std::memcpy(symbols + l * layout.per_lane + row * unit, row_symbols + l * unit, unit);
    }
  }

  /// The strings follow one another as they are made, and the header says so; where it can not, since it would round
  /// their lengths up, they are made again.
  std::uint32_t make_tile(extent tile, std::uint8_t* at) const
  {
    std::uint8_t symbols[most_tile_items];
    std::uint16_t lengths[tile_lanes];
    std::uint32_t slot[sealed_words];
    part(tile, symbols);
    auto const strings = [&](auto const& after) {
      detail::host_writer out(at + header_bits / 8);
      for (int lane = 0; lane < tile_lanes; ++lane) {
        out.put_string(parts.codes, joined, symbols + lane * parts.layout.per_lane,
                       parts.layout.lane_items(tile, lane));
        after(out, lane);
      }
      return out;
    };
    int before = 0;
    auto out   = strings([&](auto const& made, int lane) {
      lengths[lane] = std::uint16_t(made.bits() - before);
      before        = made.bits();
    });
    std::memcpy(slot, lengths, sizeof(lengths));
    std::uint32_t const units = seal(slot);
    header_of const header{slot};
    if (stated_begin(header, tile_lanes) != std::uint32_t(header_bits + out.bits()))
      out = strings([&](auto& made, int lane) { made.fill(int(stated_begin(header, lane + 1)) - header_bits); });
    out.fill(int(units) * 128 - header_bits);
    std::memcpy(at, slot, header_words * sizeof(std::uint32_t));
    return units;
  }
};

template <class Split>
encode_alone<Split> encode_program<Split>::alone() const
{
  return {*this, pairs};
}

}  // namespace onepass::ONEPASS_ABI::huffman
