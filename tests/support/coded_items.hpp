// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "seed.hpp"

#include <onepass/huffman/codebook/walk.hpp>
#include <onepass/huffman/split.hpp>

#include <random>
#include <string>
#include <vector>

// Items to code, and the block layout of docs/format.md, written and read bit by bit.
namespace test {

using onepass::extent;
namespace huffman = onepass::huffman;
namespace split   = onepass::split;

/// The distribution of the items' symbols.
enum class value_mix { one_value, two_values, uniform, normal, rare_tail };

inline char const* name_of(value_mix s)
{
  char const* const names[] = {"one value", "two values", "uniform", "normal", "rare tail"};
  return names[int(s)];
}

template <class Split>
inline constexpr int symbols_of = std::is_same_v<Split, split::e4m3> ? 16 : 256;

// For each split, the symbol and the rest of an item. The rest's planes follow each other at multiples of 16 bytes.
inline int symbol_of(split::bytes, std::uint8_t x) { return x; }
inline int symbol_of(split::bf16, std::uint16_t x) { return x >> 7 & 255; }
inline int symbol_of(split::f16, std::uint16_t x) { return x >> 8; }
inline int symbol_of(split::f32, std::uint32_t x) { return int(x >> 23 & 255); }
inline int symbol_of(split::e4m3, std::uint8_t x) { return x >> 3 & 15; }

/// An item with this symbol and random rest.
inline std::uint8_t with_symbol(split::bytes, std::uint32_t, std::uint32_t s) { return std::uint8_t(s); }
inline std::uint16_t with_symbol(split::bf16, std::uint32_t x, std::uint32_t s)
{
  return std::uint16_t((x & 0x807f) | s << 7);
}
inline std::uint16_t with_symbol(split::f16, std::uint32_t x, std::uint32_t s)
{
  return std::uint16_t((x & 0xff) | s << 8);
}
inline std::uint32_t with_symbol(split::f32, std::uint32_t x, std::uint32_t s) { return (x & 0x807fffffu) | s << 23; }
inline std::uint8_t with_symbol(split::e4m3, std::uint32_t x, std::uint32_t s)
{
  return std::uint8_t((x & 0x87) | s << 3);
}

/// n items with random rest and symbols of this distribution.
template <class Split>
std::vector<typename Split::item> spread_items(extent n, value_mix how)
{
  random_words engine(seed() + std::uint64_t(n) * 8 + std::uint64_t(how));
  std::normal_distribution<double> normal(0, symbols_of<Split> / 80.0);
  constexpr int all = symbols_of<Split>;
  std::vector<typename Split::item> items;
  for (extent i = 0; i < n; ++i) {
    int symbol = 0;
    switch (how) {
    case value_mix::one_value:
      symbol = 5;
      break;
    case value_mix::two_values:
      symbol = engine() % 2 ? 3 : 11;
      break;
    case value_mix::uniform:
      symbol = int(engine() % all);
      break;
    case value_mix::normal:
      symbol = int(std::abs(normal(engine)) + all / 2) % all;
      break;
    case value_mix::rare_tail:
      while (symbol < all - 1 && engine() % 3 != 0) ++symbol;
      break;
    }
    items.push_back(with_symbol(Split{}, std::uint32_t(engine()), std::uint32_t(symbol)));
  }
  return items;
}

inline std::vector<std::uint8_t> rest_of(split::bytes, std::vector<std::uint8_t> const&) { return {}; }
inline std::vector<std::uint8_t> rest_of(split::bf16, std::vector<std::uint16_t> const& items)
{
  std::vector<std::uint8_t> rest;
  for (auto const x : items) rest.push_back(std::uint8_t((x >> 15) << 7 | (x & 127)));
  return rest;
}
inline std::vector<std::uint8_t> rest_of(split::f16, std::vector<std::uint16_t> const& items)
{
  return {items.begin(), items.end()};
}
inline std::vector<std::uint8_t> rest_of(split::f32, std::vector<std::uint32_t> const& items)
{
  std::vector<std::uint8_t> rest;
  for (auto const x : items) rest.push_back(std::uint8_t((x >> 31) << 7 | (x >> 16 & 127)));
  rest.resize((rest.size() + 15) / 16 * 16, 0xa5);
  for (auto const x : items) rest.push_back(std::uint8_t(x)), rest.push_back(std::uint8_t(x >> 8));
  return rest;
}
inline std::vector<std::uint8_t> rest_of(split::e4m3, std::vector<std::uint8_t> const& items)
{
  std::vector<std::uint8_t> rest((items.size() + 7) / 8 * 4, 0);
  for (std::size_t i = 0; i < items.size(); ++i) {
    unsigned const kept = items[i] & 0x87u;
    for (unsigned b = 0; b < 8; ++b)
      if (kept >> b & 1) {
        auto const bit = (i % 4 * 8 + b + (i % 8 >= 4 ? 4 : 0)) % 32;
        rest[i / 8 * 4 + bit / 8] |= std::uint8_t(1u << bit % 8);
      }
  }
  return rest;
}

/// Coded data by an independent writer.
struct reference {
  std::vector<std::uint32_t> index{0};
  std::vector<std::uint8_t> bytes;
};

/// The positions of a lane's symbols in a tile that begins at item `first`.
inline std::vector<extent> lane_positions(extent n, extent first, int lane, int per_lane, int unit)
{
  std::vector<extent> at;
  for (int k = 0; k < per_lane; ++k) {
    extent const i = first + extent(k / unit) * 32 * unit + lane * unit + k % unit;
    if (i < n) at.push_back(i);
  }
  return at;
}

inline reference write_reference(std::vector<int> const& symbols, huffman::codes const& codes, int per_lane, int unit)
{
  reference made;
  extent const n = extent(symbols.size());
  for (extent first = 0; first < n; first += 32 * per_lane) {
    std::vector<unsigned> length(32, 0);
    for (int l = 0; l < 32; ++l)
      for (auto const i : lane_positions(n, first, l, per_lane, unit))
        length[std::size_t(l)] += codes[std::size_t(symbols[std::size_t(i)])].length;
    unsigned least = *std::min_element(length.begin(), length.end()), granule = 0;
    unsigned const most = *std::max_element(length.begin(), length.end());
    while ((most - least + (1u << granule) - 1) / (1u << granule) > 255) ++granule;
    if (most == least && least > 0 && least % 512 == 0) least += 8;

    huffman::bit_writer tile;
    auto const zeros = [&](std::size_t count) {
      for (; count; --count) tile.put({0, 1});
    };
    auto const number = [&](unsigned x, int bits) {
      for (int b = 0; b < bits; ++b) tile.put({x >> b & 1, 1});
    };
    number(least, 16), number(granule, 16);
    std::vector<std::size_t> stated;
    for (auto const l : length) {
      unsigned const more = l <= least ? 0 : (l - least + (1u << granule) - 1) >> granule;
      number(more, 8);
      stated.push_back(least + (more << granule));
    }
    for (int l = 0; l < 32; ++l) {
      for (auto const i : lane_positions(n, first, l, per_lane, unit))
        tile.put(codes[std::size_t(symbols[std::size_t(i)])]);
      zeros(stated[std::size_t(l)] - length[std::size_t(l)]);
    }
    while (tile.bits() % 128) zeros(1);
    made.bytes.insert(made.bytes.end(), tile.bytes().begin(), tile.bytes().end());
    made.index.push_back(std::uint32_t(made.bytes.size() / 16));
  }
  return made;
}

/// The symbols that an independent reader gets, whatever index and bytes contain: positions outside the data are
/// clamped, and zeros are read after a tile's end.
inline std::vector<int> read_reference(reference const& coded, extent n, huffman::codes const& codes, int per_lane,
                                       int unit)
{
  std::vector<int> symbols(std::size_t(n), -1);
  extent tile             = 0;
  std::size_t const units = coded.bytes.size() / 16, longest = std::size_t(9 + per_lane * 12 + 16 + 3) / 4;
  for (extent first = 0; first < n; first += 32 * per_lane, ++tile) {
    std::size_t const end   = std::min<std::size_t>(coded.index[std::size_t(tile) + 1], units),
                      begin = std::min<std::size_t>(coded.index[std::size_t(tile)], end);
    std::vector<std::uint8_t> bytes(coded.bytes.begin() + std::ptrdiff_t(begin * 16),
                                    coded.bytes.begin() + std::ptrdiff_t(std::min(end, begin + longest) * 16));
    std::size_t const bits = bytes.size() * 8;
    bytes.resize(bytes.size() + 64, 0);
    std::size_t const least = bytes[0] | bytes[1] << 8, granule = bytes[2] & 15;
    std::size_t at = 9 * 32;
    for (int l = 0; l < 32; ++l) {
      std::size_t here = std::min(at, bits);
      for (auto const i : lane_positions(n, first, l, per_lane, unit))
        symbols[std::size_t(i)] = huffman::walk(codes, bytes, here);
      at += least + (std::size_t(bytes[std::size_t(4 + l)]) << granule);
    }
  }
  return symbols;
}

}  // namespace test
