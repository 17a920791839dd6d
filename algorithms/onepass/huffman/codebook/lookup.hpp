// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/huffman/codebook/canonical.hpp>
#include <onepass/portability.hpp>

namespace onepass::ONEPASS_ABI::huffman {

/// \addtogroup codebooks
/// \{

// Tables for the next 12 bits of a stream, its first bit the lowest, of complete codes of at most 12 bits. Every entry
// is valid, whatever the bits.

inline constexpr int window_bits           = longest_code;      ///< bits that a table looks at
inline constexpr int windows               = 1 << window_bits;  ///< entries of a table
inline constexpr std::uint32_t window_mask = windows - 1;       ///< of a window in a stream's next bits

/// What a device looks up: the next two symbols, placed so that a pair of them needs no shift to become two 16-bit
/// halves.
///
///   bits 0-4    bits that the entry's symbols take
///   bit  6      one symbol only: the second does not fit the window
///   bits 8-15   first symbol       bits 16-20  bits that it takes
///   bits 24-31  second symbol, 0 where it does not fit
using pair_table = std::array<std::uint32_t, windows>;

/// An entry of a pair_table.
struct pair_entry {
  static constexpr std::uint32_t single_flag = 1u << 6;  ///< bit 6

  std::uint32_t word;  ///< the entry

  ONEPASS_FUNCTION int taken() const { return int(word & 31); }              ///< bits that its symbols take
  ONEPASS_FUNCTION bool single() const { return word & single_flag; }        ///< whether there is one symbol only
  ONEPASS_FUNCTION int first() const { return int(word >> 8 & 255); }        ///< the first symbol
  ONEPASS_FUNCTION int first_taken() const { return int(word >> 16 & 31); }  ///< bits that it takes
  ONEPASS_FUNCTION int second() const { return int(word >> 24); }            ///< the second symbol, 0 if there is none
};

/// What a host thread looks up: as many symbols as fit, six at most.
///
///   bytes 0-5  symbols      byte 6  how many      byte 7  bits that they take
using many_table = std::array<std::uint64_t, windows>;

/// An entry of a many_table.
struct many_entry {
  static constexpr int most = 6;  ///< symbols

  std::uint64_t word;  ///< the entry

  int symbol(int k) const { return int(word >> 8 * k & 255); }  ///< symbol k
  int symbols() const { return int(word >> 48 & 255); }         ///< how many there are
  int taken() const { return int(word >> 56); }                 ///< bits that they take
};

/// What an encoder looks up: the code, its first bit the lowest, and from bit 16 on its length.
using encode_table = std::array<std::uint32_t, alphabet>;

namespace detail {

/// The symbol whose code begins a window, and from bit 8 on the code's length.
inline std::array<std::uint16_t, windows> first_symbols(code_lengths const& lengths)
{
  require_complete(lengths);
  auto const all = canonical(lengths);
  std::array<std::uint16_t, windows> first{};
  for (std::size_t s = 0; s < alphabet; ++s)
    if (int const l = all[s].length)
      for (std::uint32_t w = all[s].reversed(); w < windows; w += 1u << l) first[w] = std::uint16_t(int(s) | l << 8);
  return first;
}

/// The entry of a window, as the first symbols of all windows tell it.
ONEPASS_FUNCTION std::uint32_t pair_of(std::uint16_t const* first, std::uint32_t w)
{
  std::uint32_t const a = first[w] & 255u, taken = first[w] >> 8, next = first[w >> taken], both = taken + (next >> 8);
  return (both <= window_bits ? both | (next & 255u) << 24 : taken | pair_entry::single_flag) | a << 8 | taken << 16;
}

ONEPASS_FUNCTION std::uint64_t many_of(std::uint16_t const* first, std::uint32_t w)
{
  std::uint64_t entry = 0, symbols = 0;
  int taken = 0;
  while (symbols < many_entry::most) {
    auto const next = first[w >> taken];
    if (taken + (next >> 8) > window_bits) break;
    entry |= std::uint64_t(next & 255u) << 8 * symbols++;
    taken += next >> 8;
  }
  return entry | symbols << 48 | std::uint64_t(taken) << 56;
}

}  // namespace detail

/// The pair_table of a code. Throws precondition_error unless the lengths are those of a complete code of at most 12
/// bits.
inline pair_table make_pair_table(code_lengths const& lengths)
{
  auto const first = detail::first_symbols(lengths);
  pair_table table;
  for (std::uint32_t w = 0; w < windows; ++w) table[w] = detail::pair_of(first.data(), w);
  return table;
}

/// The many_table of a code. Throws precondition_error as make_pair_table() does.
inline many_table make_many_table(code_lengths const& lengths)
{
  auto const first = detail::first_symbols(lengths);
  many_table table;
  for (std::uint32_t w = 0; w < windows; ++w) table[w] = detail::many_of(first.data(), w);
  return table;
}

/// The encode_table of a code. Throws precondition_error as make_pair_table() does.
inline encode_table make_encode_table(code_lengths const& lengths)
{
  require_complete(lengths);
  auto const all = canonical(lengths);
  encode_table table{};
  for (std::size_t s = 0; s < alphabet; ++s) table[s] = all[s].reversed() | std::uint32_t(all[s].length) << 16;
  return table;
}

/// \}

}  // namespace onepass::ONEPASS_ABI::huffman
