// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/huffman/codebook/canonical.hpp>
#include <onepass/version.hpp>

namespace onepass::ONEPASS_ABI::huffman {

/// \addtogroup codebooks
/// \{

// Bits written and read one at a time: what the fast ways are checked against. Works for every prefix code.

/// In which order the bits of a stream lie in its bytes.
enum class bit_order {
  lowest_first,  ///< the first bit is the lowest of the first byte, as the block layout has it
  highest_first  ///< the first bit is the highest, as the classic layout has it
};

/// A growing row of bits.
class bit_writer {
public:
  /// An empty row, whose bits will lie in this order.
  explicit bit_writer(bit_order order = bit_order::lowest_first)
      : order_(order)
  {}

  /// Appends a code.
  void put(code const& c)
  {
    for (int b = c.length; b-- > 0;) {
      if (bits_ % 8 == 0) bytes_.push_back(0);
      bytes_.back() |=
          std::uint8_t((c.bits >> b & 1u) << (order_ == bit_order::lowest_first ? bits_ % 8 : 7 - bits_ % 8));
      ++bits_;
    }
  }

  std::size_t bits() const { return bits_; }                         ///< how many there are
  std::vector<std::uint8_t> const& bytes() const { return bytes_; }  ///< the bytes they lie in

private:
  bit_order order_;
  std::size_t bits_ = 0;
  std::vector<std::uint8_t> bytes_;
};

/// The symbol whose code begins at bit `at`, which moves behind it; -1 if none does within the next 32 bits. Bits
/// behind the last byte are zero.
inline int walk(codes const& all, std::vector<std::uint8_t> const& bytes, std::size_t& at,
                bit_order order = bit_order::lowest_first)
{
  code seen;
  for (auto b = at; seen.length < 32; ++b) {
    unsigned const bit =
        b / 8 < bytes.size() ? bytes[b / 8] >> (order == bit_order::lowest_first ? b % 8 : 7 - b % 8) & 1u : 0;
    seen.bits = seen.bits << 1 | bit;
    ++seen.length;
    for (int s = 0; s < alphabet; ++s)
      if (all[std::size_t(s)] == seen) {
        at = b + 1;
        return s;
      }
  }
  return -1;
}

/// \}

}  // namespace onepass::ONEPASS_ABI::huffman
