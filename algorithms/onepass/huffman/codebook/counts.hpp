// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/version.hpp>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>

namespace onepass::ONEPASS_ABI::huffman {

/// \addtogroup codebooks
/// \{

/// How many symbols there are: symbols are bytes.
inline constexpr int alphabet = 256;

/// How often each symbol occurs.
using counts = std::array<std::uint64_t, alphabet>;

/// The length of each symbol's code in bits; 0 for a symbol that has none.
using code_lengths = std::array<std::uint8_t, alphabet>;

/// How often each symbol occurs among `n`, which the calling thread reads once.
inline counts count_symbols(std::uint8_t const* symbols, std::size_t n)
{
  std::array<counts, 4> several{};  // one table would wait for itself wherever a symbol repeats
  for (std::size_t i = 0; i < n; ++i) ++several[i % 4][symbols[i]];
  counts all{};
  for (int s = 0; s < alphabet; ++s)
    for (auto const& some : several) all[std::size_t(s)] += some[std::size_t(s)];
  return all;
}

/// How many symbols were counted; 2^64 - 1 if they are more.
inline std::uint64_t total_of(counts const& c)
{
  std::uint64_t total = 0;
  for (auto const x : c) total = x > ~total ? ~std::uint64_t(0) : total + x;
  return total;
}

/// The entropy of the counts: bits a symbol that no code of single symbols can beat; 0 where nothing was counted.
inline double entropy(counts const& c)
{
  auto const total = double(total_of(c));
  double bits      = 0;
  for (auto const x : c)
    if (x) bits -= double(x) / total * std::log2(double(x) / total);
  return bits;
}

/// Bits that these codes take for all symbols counted.
inline std::uint64_t coded_bits(counts const& c, code_lengths const& lengths)
{
  return std::inner_product(c.begin(), c.end(), lengths.begin(), std::uint64_t(0));
}

/// Bits a symbol with these codes; 0 where nothing was counted.
inline double average_length(counts const& c, code_lengths const& lengths)
{
  auto const total = total_of(c);
  return total ? double(coded_bits(c, lengths)) / double(total) : 0;
}

/// \}

}  // namespace onepass::ONEPASS_ABI::huffman
