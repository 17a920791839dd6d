// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/extent.hpp>

#include <array>
#include <cstdint>
#include <cstring>

namespace onepass::ONEPASS_ABI::split {

/// \defgroup splits Splits
/// How an item parts into a symbol, which is worth coding, and the rest, which is stored as it is. Items are bit
/// patterns: every one of them, infinities and payloads of NaN included, is put together again exactly. A split has:
///
/// - `item`: the unsigned integer that holds an item
/// - `unit`: items of a lane that lie side by side: 16 bytes of them, eight at least
/// - `symbol(item)`: what is coded of an item, 0 to 255
/// - `planes`, `plane_bytes(p)`: how many arrays the rest is, and how many bytes plane p has for each 8 items. Each
///   plane begins at a multiple of 16 bytes (rest_layout)
/// - `part(items, symbols, rest)`: a unit in 32-bit words: items, symbols four a word, rest (its planes one after
///   another)
/// - `join(pairs, rest, items)`: the inverse; of a pair of symbols the first is in bits 8-15, the second in 24-31 of a
///   word whose other bits do not matter
/// - `part_row`, `join_row(symbols, planes, items, n)`: the same for n items side by side on a host thread, symbols in
///   bytes, with the place of the first item's rest in each plane; the first of all is the first of a unit
/// - `ahead`: units whose rest a lane loads before it decodes, so that the loads are on their way meanwhile: measured
///   for each split, as many as registers allow
///
/// Source: exponents of bfloat16, Zhang et al. 2025 (DFloat11); of FP8, Yang et al. 2025 (ECF8); see
/// docs/references.md.
/// \{

namespace detail {

ONEPASS_FUNCTION constexpr std::uint32_t rotated_left(std::uint32_t x, int by)
{
  return by == 0 ? x : x << by | x >> (32 - by);
}

/// Places in the planes of the rest; a plane that is not there is null.
using plane_pointers = std::array<std::uint8_t*, 2>;

}  // namespace detail

/// Whole bytes: text, 8-bit integers, e5m2.
struct bytes {
  /// \cond
  using item                = std::uint8_t;
  static constexpr int unit = 16, planes = 0, rest_words = 0, ahead = 1;
  ONEPASS_FUNCTION static constexpr int symbol(item x) { return x; }
  ONEPASS_FUNCTION static constexpr int plane_bytes(int) { return 0; }

  ONEPASS_FUNCTION static void part(std::uint32_t const* items, std::uint32_t* symbols, std::uint32_t*)
  {
    ONEPASS_UNROLL for (int w = 0; w < 4; ++w) symbols[w] = items[w];
  }
  ONEPASS_FUNCTION static void join(std::uint32_t const* pairs, std::uint32_t const*, std::uint32_t* items)
  {
    ONEPASS_UNROLL for (int w = 0; w < 4; ++w) items[w] = chosen_bytes(pairs[2 * w], pairs[2 * w + 1], 0x7531);
  }
  static void part_row(std::uint8_t* symbols, detail::plane_pointers const&, item const* items, int n)
  {
    std::memcpy(symbols, items, std::size_t(n));
  }
  static void join_row(std::uint8_t const* symbols, detail::plane_pointers const&, item* items, int n)
  {
    std::memcpy(items, symbols, std::size_t(n));
  }
  /// \endcond
};

/// bfloat16: the exponent is coded; sign (bit 7) and mantissa are a byte of rest.
struct bf16 {
  /// \cond
  using item                = std::uint16_t;
  static constexpr int unit = 8, planes = 1, rest_words = 2, ahead = 16;
  ONEPASS_FUNCTION static constexpr int symbol(item x) { return x >> 7 & 255; }
  ONEPASS_FUNCTION static constexpr int plane_bytes(int) { return 8; }

  ONEPASS_FUNCTION static void part(std::uint32_t const* items, std::uint32_t* symbols, std::uint32_t* rest)
  {
    ONEPASS_UNROLL for (int w = 0; w < 2; ++w)
    {
      std::uint32_t const a = items[2 * w], b = items[2 * w + 1];
      symbols[w] = chosen_bytes(a >> 7, b >> 7, 0x6420);
      rest[w] =
          chosen_bytes((a >> 8 & 0x00800080u) | (a & 0x007f007fu), (b >> 8 & 0x00800080u) | (b & 0x007f007fu), 0x6420);
    }
  }
  ONEPASS_FUNCTION static void join(std::uint32_t const* pairs, std::uint32_t const* rest, std::uint32_t* items)
  {
    ONEPASS_UNROLL for (int w = 0; w < 4; ++w)
    {
      std::uint32_t const twice =
          chosen_bytes(rest[w / 2], 0, w % 2 ? 0x3322 : 0x1100);  // a byte in both halves of 16 bits
      items[w] = (pairs[w] >> 1 & 0x7f807f80u) | (twice & 0x807f807fu);
    }
  }
  static void part_row(std::uint8_t* symbols, detail::plane_pointers const& rest_of, item const* items, int n)
  {
    std::uint8_t* const rest = rest_of[0];
    for (int i = 0; i < n; ++i) {
      symbols[i] = std::uint8_t(symbol(items[i]));
      rest[i]    = std::uint8_t((items[i] >> 8 & 0x80) | (items[i] & 0x7f));
    }
  }
  static void join_row(std::uint8_t const* symbols, detail::plane_pointers const& rest_of, item* items, int n)
  {
    std::uint8_t const* const rest = rest_of[0];
    for (int i = 0; i < n; ++i) items[i] = item(symbols[i] << 7 | (rest[i] & 0x80) << 8 | (rest[i] & 0x7f));
  }
  /// \endcond
};

/// IEEE half: the high byte (sign, exponent, two bits of mantissa) is coded, the low byte is rest. The two parts of the
/// high byte that do not compress cost next to nothing in a code of their own.
struct f16 {
  /// \cond
  using item                = std::uint16_t;
  static constexpr int unit = 8, planes = 1, rest_words = 2, ahead = 16;
  ONEPASS_FUNCTION static constexpr int symbol(item x) { return x >> 8; }
  ONEPASS_FUNCTION static constexpr int plane_bytes(int) { return 8; }

  ONEPASS_FUNCTION static void part(std::uint32_t const* items, std::uint32_t* symbols, std::uint32_t* rest)
  {
    ONEPASS_UNROLL for (int w = 0; w < 2; ++w)
    {
      symbols[w] = chosen_bytes(items[2 * w], items[2 * w + 1], 0x7531);
      rest[w]    = chosen_bytes(items[2 * w], items[2 * w + 1], 0x6420);
    }
  }
  ONEPASS_FUNCTION static void join(std::uint32_t const* pairs, std::uint32_t const* rest, std::uint32_t* items)
  {
    ONEPASS_UNROLL for (int w = 0; w < 4; ++w) items[w] =
        (pairs[w] & 0xff00ff00u) | chosen_bytes(rest[w / 2], 0, w % 2 ? 0x4342 : 0x4140);
  }
  static void part_row(std::uint8_t* symbols, detail::plane_pointers const& rest_of, item const* items, int n)
  {
    std::uint8_t* const rest = rest_of[0];
    for (int i = 0; i < n; ++i) {
      symbols[i] = std::uint8_t(symbol(items[i]));
      rest[i]    = std::uint8_t(items[i]);
    }
  }
  static void join_row(std::uint8_t const* symbols, detail::plane_pointers const& rest_of, item* items, int n)
  {
    std::uint8_t const* const rest = rest_of[0];
    for (int i = 0; i < n; ++i) items[i] = item(symbols[i] << 8 | rest[i]);
  }
  /// \endcond
};

/// IEEE single: the exponent is coded; the rest is the byte of a bfloat16 and, in a plane of its own, the lower half.
struct f32 {
  /// \cond
  using item                = std::uint32_t;
  static constexpr int unit = 8, planes = 2, rest_words = 6, ahead = 4;
  ONEPASS_FUNCTION static constexpr int symbol(item x) { return int(x >> 23 & 255); }
  ONEPASS_FUNCTION static constexpr int plane_bytes(int p) { return p == 0 ? 8 : 16; }

  ONEPASS_FUNCTION static void part(std::uint32_t const* items, std::uint32_t* symbols, std::uint32_t* rest)
  {
    std::uint32_t upper[4];
    ONEPASS_UNROLL for (int w = 0; w < 4; ++w)
    {
      upper[w]    = chosen_bytes(items[2 * w], items[2 * w + 1], 0x7632);
      rest[2 + w] = chosen_bytes(items[2 * w], items[2 * w + 1], 0x5410);
    }
    bf16::part(upper, symbols, rest);
  }
  ONEPASS_FUNCTION static void join(std::uint32_t const* pairs, std::uint32_t const* rest, std::uint32_t* items)
  {
    std::uint32_t upper[4];
    bf16::join(pairs, rest, upper);
    ONEPASS_UNROLL for (int w = 0; w < 4; ++w)
    {
      items[2 * w]     = chosen_bytes(rest[2 + w], upper[w], 0x5410);
      items[2 * w + 1] = chosen_bytes(rest[2 + w], upper[w], 0x7632);
    }
  }
  static void part_row(std::uint8_t* symbols, detail::plane_pointers const& rest_of, item const* items, int n)
  {
    std::uint8_t *const rest = rest_of[0], *const lower = rest_of[1];
    for (int i = 0; i < n; ++i) {
      auto const low = std::uint16_t(items[i]);
      symbols[i]     = std::uint8_t(symbol(items[i]));
      rest[i]        = std::uint8_t((items[i] >> 24 & 0x80u) | (items[i] >> 16 & 0x7fu));
      std::memcpy(lower + 2 * i, &low, 2);
    }
  }
  static void join_row(std::uint8_t const* symbols, detail::plane_pointers const& rest_of, item* items, int n)
  {
    std::uint8_t const *const rest = rest_of[0], *const lower = rest_of[1];
    for (int i = 0; i < n; ++i) {
      std::uint16_t low;
      std::memcpy(&low, lower + 2 * i, 2);
      items[i] = item(symbols[i]) << 23 | (item(rest[i]) & 0x80u) << 24 | (item(rest[i]) & 0x7fu) << 16 | low;
    }
  }
  /// \endcond
};

/// FP8 e4m3: the exponent is coded; sign and mantissa are half a byte of rest. Of eight items the first four keep these
/// bits where they are in a word (0x87878787), the others are rotated left by four bits into the gaps.
struct e4m3 {
  /// \cond
  using item                = std::uint8_t;
  static constexpr int unit = 16, planes = 1, rest_words = 2, ahead = 4;
  static constexpr std::uint32_t kept = 0x87878787u;
  ONEPASS_FUNCTION static constexpr int symbol(item x) { return x >> 3 & 15; }
  ONEPASS_FUNCTION static constexpr int plane_bytes(int) { return 4; }

  ONEPASS_FUNCTION static void part(std::uint32_t const* items, std::uint32_t* symbols, std::uint32_t* rest)
  {
    ONEPASS_UNROLL for (int w = 0; w < 4; ++w) symbols[w] = items[w] >> 3 & 0x0f0f0f0fu;
    ONEPASS_UNROLL for (int w = 0; w < 2; ++w) rest[w] =
        (items[2 * w] & kept) | detail::rotated_left(items[2 * w + 1] & kept, 4);
  }
  ONEPASS_FUNCTION static void join(std::uint32_t const* pairs, std::uint32_t const* rest, std::uint32_t* items)
  {
    ONEPASS_UNROLL for (int w = 0; w < 4; ++w)
    {
      std::uint32_t const symbols = chosen_bytes(pairs[2 * w], pairs[2 * w + 1], 0x7531);
      items[w] = (symbols << 3 & 0x78787878u) | (detail::rotated_left(rest[w / 2], w % 2 * 28) & kept);
    }
  }
  static void part_row(std::uint8_t* symbols, detail::plane_pointers const& rest_of, item const* items, int n)
  {
    for (int i = 0; i < n; ++i) symbols[i] = std::uint8_t(symbol(items[i]));
    for (int i = 0; i < n; i += 8) {
      std::uint32_t word[2] = {};
      std::memcpy(word, items + i, std::size_t(n - i < 8 ? n - i : 8));
      std::uint32_t const rest = (word[0] & kept) | detail::rotated_left(word[1] & kept, 4);
      std::memcpy(rest_of[0] + i / 2, &rest, 4);
    }
  }
  static void join_row(std::uint8_t const* symbols, detail::plane_pointers const& rest_of, item* items, int n)
  {
    auto const some = [&](int i, int count) {
      std::uint32_t rest, word[2] = {};
      std::memcpy(word, symbols + i, std::size_t(count));
      std::memcpy(&rest, rest_of[0] + i / 2, 4);
      word[0] = (word[0] << 3 & 0x78787878u) | (rest & kept);
      word[1] = (word[1] << 3 & 0x78787878u) | (detail::rotated_left(rest, 28) & kept);
      std::memcpy(items + i, word, std::size_t(count));
    };
    int i = 0;
    for (; i + 8 <= n; i += 8) some(i, 8);
    if (i < n) some(i, n - i);
  }
  /// \endcond
};

/// Where the planes of the rest of n items lie, in bytes.
template <class Split>
struct rest_layout {
  extent n;  ///< items

  /// Bytes of plane p. Half-used words of e4m3 count whole.
  ONEPASS_FUNCTION constexpr extent plane_size(int p) const
  {
    extent const b = Split::plane_bytes(p);
    return b < 8 ? div_up(n, 8) * b : n * (b / 8);
  }
  /// Where plane p begins.
  ONEPASS_FUNCTION constexpr extent begin(int p) const
  {
    extent at = 0;
    for (int q = 0; q < p; ++q) at += div_up(plane_size(q), 16) * 16;
    return at;
  }
  /// Bytes of all planes.
  ONEPASS_FUNCTION constexpr extent bytes() const
  {
    return Split::planes == 0 ? 0 : begin(Split::planes - 1) + plane_size(Split::planes - 1);
  }
};

/// \}

}  // namespace onepass::ONEPASS_ABI::split
