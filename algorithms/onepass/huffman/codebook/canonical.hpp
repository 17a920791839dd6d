// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/huffman/codebook/lengths.hpp>
#include <onepass/version.hpp>

namespace onepass::ONEPASS_ABI::huffman {

/// \addtogroup codebooks
/// \{

/// One symbol's code. The first bit of the code is the most significant of the `length` lowest bits.
struct code {
  std::uint32_t bits  = 0;  ///< the code, in the lowest bits
  std::uint8_t length = 0;  ///< how many bits it has; 0 for a symbol without a code

  /// Whether two codes are the same.
  friend bool operator==(code const&, code const&) = default;

  /// The code as it is written: its first bit is the lowest.
  std::uint32_t reversed() const
  {
    std::uint32_t r = 0;
    for (int b = 0; b < length; ++b) r |= (bits >> b & 1u) << (length - 1 - b);
    return r;
  }
};

/// The code of each symbol.
using codes = std::array<code, alphabet>;

/// Throws precondition_error unless the lengths are those of a complete prefix code of at most `limit` bits: every
/// sequence of bits then is a sequence of codes.
inline void require_complete(code_lengths const& lengths, int limit = longest_code)
{
  std::uint64_t taken = 0;  // of all 2^32 words of 32 bits, those that begin with a code
  for (int s = 0; s < alphabet; ++s) {
    int const l = lengths[std::size_t(s)];
    require(l <= limit, "huffman: symbol ", s, " has a code of ", l, " bits; at most ", limit, " are allowed");
    if (l) taken += std::uint64_t(1) << (32 - l);
  }
  require(taken >> 32 <= 1 && taken <= std::uint64_t(1) << 32,
          "huffman: the code lengths are too short to be those of a prefix code");
  require(taken == std::uint64_t(1) << 32,
          "huffman: the code lengths leave sequences of bits without a meaning; a code must be complete");
}

/// Canonical codes: by length, and for equal lengths by symbol, each the one before plus one. The lengths, at most 32,
/// are those of a prefix code.
inline codes canonical(code_lengths const& lengths)
{
  codes all{};
  std::uint64_t next = 0;
  for (std::uint8_t l = 1; l <= 32; ++l, next <<= 1)
    for (std::size_t s = 0; s < alphabet; ++s)
      if (lengths[s] == l) all[s] = {std::uint32_t(next++), l};
  return all;
}

/// Code lengths as they are stored: four bits a symbol, an even one in the lower half of its byte.
using packed_lengths = std::array<std::uint8_t, alphabet / 2>;

/// Lengths of at most 15, in half a byte each.
inline packed_lengths packed(code_lengths const& lengths)
{
  packed_lengths p{};
  for (std::size_t s = 0; s < alphabet; ++s) p[s / 2] |= std::uint8_t(lengths[s] << s % 2 * 4);
  return p;
}

/// The lengths that packed() was given.
inline code_lengths unpacked(packed_lengths const& p)
{
  code_lengths lengths{};
  for (std::size_t s = 0; s < alphabet; ++s) lengths[s] = p[s / 2] >> s % 2 * 4 & 15;
  return lengths;
}

/// \}

}  // namespace onepass::ONEPASS_ABI::huffman
