// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/engine/registers.hpp>
#include <onepass/huffman/codebook/lookup.hpp>
#include <onepass/huffman/layout.hpp>
#include <onepass/huffman/split.hpp>

namespace onepass::ONEPASS_ABI::huffman {

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
      std::uint32_t const bits = lengths(l);
      least                    = bits < least ? bits : least;
      most                     = bits > most ? bits : most;
    }
    std::uint32_t granule = 0;
    while ((most - least + (1u << granule) - 1) >> granule > 255) ++granule;
    if (least == most && least % 512 == 0 && least > 0) least += 8;
    return {least, granule};
  }

  ONEPASS_FUNCTION std::uint32_t more(std::uint32_t bits) const
  {
    return bits <= least ? 0 : (bits - least + (1u << granule) - 1) >> granule;
  }
  ONEPASS_FUNCTION std::uint32_t stated(std::uint32_t bits) const { return least + (more(bits) << granule); }
  ONEPASS_FUNCTION std::uint32_t word() const { return least | granule << 16; }
};

/// Words that the 32 lengths of a tile take, and in their place its header before it is written.
inline constexpr int sealed_words = 16;

/// The words of a tile that is sealed, or of one whose header is there.
struct header_of {
  std::uint32_t const* slot;

  ONEPASS_FUNCTION std::uint32_t operator()(int w) const { return slot[w]; }
};

/// Turns a tile's lengths into its header; the units of four words that it takes.
ONEPASS_FUNCTION std::uint32_t seal(std::uint32_t* slot)
{
  std::uint32_t pairs[sealed_words], bits = header_bits;
  ONEPASS_UNROLL for (int w = 0; w < sealed_words; ++w) pairs[w] = slot[w];
  auto const length = [&](int l) { return pairs[l / 2] >> l % 2 * 16 & 0xffffu; };
  auto const header = tile_header::of(length);
  slot[0]           = header.word();
  ONEPASS_UNROLL for (int w = 0; w < tile_lanes / 4; ++w)
  {
    std::uint32_t more = 0;
    ONEPASS_UNROLL for (int b = 0; b < 4; ++b)
    {
      more |= header.more(length(4 * w + b)) << 8 * b;
      bits += header.stated(length(4 * w + b));
    }
    slot[1 + w] = more;
  }
  return (bits + 127) / 128;
}

/// The bit of the tile where a lane's string begins, as the header's nine words(i) say; lane 32 gives where the last
/// ends.
template <class Words>
ONEPASS_FUNCTION std::uint32_t stated_begin(Words const& words, int lane)
{
  std::uint32_t sum = 0;
  ONEPASS_UNROLL for (int w = 0; w < tile_lanes / 4; ++w)
  {
    int const before = lane - 4 * w;  // bytes of this word that belong to lanes before
    sum              = plus_bytes(sum, before <= 0 ? 0 : words(1 + w) & (before >= 4 ? ~0u : (1u << 8 * before) - 1));
  }
  std::uint32_t const first = words(0);
  return header_bits + std::uint32_t(lane) * (first & 0xffffu) + (sum << (first >> 16 & 15));
}

/// The same in a tile that may be damaged: never behind its end.
ONEPASS_FUNCTION std::uint32_t string_begin(padded_words const& words, int lane)
{
  std::uint32_t const begin = stated_begin(header_of{words.data}, lane);
  return begin < words.size * 32 ? begin : words.size * 32;
}
ONEPASS_FUNCTION std::uint32_t string_begin(bounded_words const& words, int lane)
{
  if (words.size >= header_words) return string_begin(padded_words{words.data, words.size}, lane);
  std::uint32_t const begin = stated_begin([&](int w) { return words(std::uint32_t(w)); }, lane);
  return begin < words.size * 32 ? begin : words.size * 32;
}

}  // namespace onepass::ONEPASS_ABI::huffman
