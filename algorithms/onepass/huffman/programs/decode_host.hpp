// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/huffman/programs/tile_header.hpp>

#include <cstring>
#include <utility>

namespace onepass::ONEPASS_ABI::huffman {

/// One lane's string on a host thread.
struct host_string {
  static constexpr int at_once = 8;  ///< strings side by side, since one waits for its own look-ups most of the time
  static constexpr int parts   = tile_lanes / at_once;
  static constexpr int steps   = 4;  ///< look-ups for which a window of bits is enough

  // A look-up finds a symbol at least, so no string takes more turns than the one with the longest codes, and those
  // beside it take as many: so much they write at most, and read behind where they begin.
  static constexpr int turns = most_per_lane / steps;
  static constexpr int room  = turns * steps * many_entry::most + 8;
  static constexpr int slack = turns * steps * window_bits / 8 + 8;

  std::uint64_t position, bits;
  std::uint8_t* next;

  /// 57 bits or more.
  [[gnu::always_inline]] void refill(std::uint8_t const* tile)
  {
    std::memcpy(&bits, tile + position / 8, 8);
    bits >>= position % 8;
  }
  /// Several symbols. Always writes eight bytes; those that are none are written over by what follows.
  [[gnu::always_inline]] void step(std::uint64_t const* table)
  {
    std::uint64_t const entry = table[bits & window_mask];
    std::memcpy(next, &entry, 8);
    next += entry >> 48 & 255;
    bits >>= entry >> 56;
    position += entry >> 56;
  }
};

/// Decodes strings that begin at these bits of a tile into rooms side by side: sizes[s] symbols of string s, and some
/// more.
inline void decode_strings(std::uint8_t const* tile, std::uint32_t const* begins, int const* sizes,
                           std::uint64_t const* table, std::uint8_t* rooms)
{
  static_assert(host_string::steps * window_bits <= 57);
  host_string strings[host_string::at_once];
  auto const each = [&](auto const& f) {  // unrolled, so that strings are in registers
    [&]<int... S>(std::integer_sequence<int, S...>) { (f(strings[S], S), ...); }
    (std::make_integer_sequence<int, host_string::at_once>{});
  };

  each([&](host_string& s, int k) { s = {begins[k], 0, rooms + k * host_string::room}; });
  for (;;) {
    bool missing = false;
    each([&](host_string& s, int k) { missing |= s.next < rooms + k * host_string::room + sizes[k]; });
    if (!missing) return;
    each([&](host_string& s, int) { s.refill(tile); });
    for (int k = 0; k < host_string::steps; ++k) each([&](host_string& s, int) { s.step(table); });
  }
}

/// A tile's words near a host thread, with zeros behind them, and where its strings begin.
struct host_tile {
  alignas(64) std::uint8_t bytes[longest_tile_bytes + host_string::slack];
  std::uint32_t begins[tile_lanes];

  void open(bounded_words const& words)
  {
    auto const size = words.size * std::size_t(4);
    std::memcpy(bytes, words.data, size);
    std::memset(bytes + size, 0, host_string::slack);
    std::uint32_t at = header_bits;
    auto const first = words(0);
    for (int l = 0; l < tile_lanes; ++l) {
      begins[l] = at < words.size * 32 ? at : words.size * 32;
      at += (first & 0xffffu) + ((words(std::uint32_t(1 + l / 4)) >> l % 4 * 8 & 255u) << (first >> 16 & 15));
    }
  }
};

}  // namespace onepass::ONEPASS_ABI::huffman
