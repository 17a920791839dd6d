// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/huffman/codebook/canonical.hpp>

namespace test {

/// The example code of the literature: 16 symbols and an end marker, here symbol 16.
inline onepass::huffman::codes golden_codes()
{
  onepass::huffman::codes all{};
  auto const set = [&](std::size_t symbol, char const* bits) {
    onepass::huffman::code c;
    for (; *bits; ++bits, ++c.length) c.bits = c.bits << 1 | unsigned(*bits - '0');
    all[symbol] = c;
  };
  set(10, "000"), set(9, "0010"), set(8, "00110"), set(6, "0011100"), set(16, "0011101000000"), set(0, "0011101000001");
  set(1, "001110100001"), set(2, "00111010001"), set(3, "0011101001"), set(4, "001110101"), set(5, "00111011");
  set(15, "0011110"), set(7, "0011111"), set(12, "01"), set(14, "100"), set(11, "101"), set(13, "11");
  return all;
}

/// Symbols, and their stream in the literature: 159 bits, the first bit of a byte the most significant, padded with a
/// bit of the end marker.
inline std::vector<int> golden_symbols()
{
  return {12, 13, 12, 14, 11, 10, 9, 8, 0, 13, 12, 1, 5, 7, 15, 6, 4, 3, 2, 13, 12, 14, 11, 10, 13, 12, 0, 0, 12, 13};
}
inline std::vector<std::uint8_t> golden_stream()
{
  return {0x76, 0x50, 0x46, 0x3a, 0x0e, 0x9d, 0x09, 0xd9, 0xf3, 0xc7,
          0x0e, 0xa7, 0x49, 0xd1, 0xd9, 0x46, 0x9d, 0x04, 0xe8, 0x2e};
}

}  // namespace test
