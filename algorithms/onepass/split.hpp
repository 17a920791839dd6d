// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/extent.hpp>

#include <cstdint>
#include <cstring>

namespace onepass::split {

// How an item parts into a symbol, which is worth coding, and the rest, which is stored as it is. Items are bit patterns:
// every one of them, infinities and payloads of NaN included, is put together again exactly.
//
//   item           the unsigned integer that holds an item
//   unit           items of a lane that lie side by side: 16 bytes of them, eight at least
//   planes, plane_bytes(p)   the rest is so many arrays; plane p has plane_bytes(p) bytes for each 8 items. Each begins
//                  at a multiple of 16 bytes (rest_layout)
//   part(items, symbols, rest)    a unit in 32-bit words: items, symbols four a word, rest (its planes one after another)
//   join(pairs, rest, items)      the inverse; of a pair of symbols the first is in bits 8-15, the second in 24-31 of a
//                  word whose other bits do not matter
//   join_item(symbol, rest, k)    item k of the unit
//   ahead          units whose rest a lane asks for before it decodes

namespace detail {

/// Four of the eight bytes of {low, high}, chosen by the four lowest hexadecimal digits of `choice`.
ONEPASS_FUNCTION std::uint32_t chosen_bytes(std::uint32_t low, std::uint32_t high, std::uint32_t choice)
{
#ifdef __CUDA_ARCH__
  return __byte_perm(low, high, choice);
#else
  const std::uint64_t all = std::uint64_t(high) << 32 | low;
  std::uint32_t       made = 0;
  for (int b = 0; b < 4; ++b) made |= std::uint32_t(all >> (choice >> 4 * b & 7) * 8 & 255) << 8 * b;
  return made;
#endif
}

ONEPASS_FUNCTION constexpr std::uint32_t rotated_left(std::uint32_t x, int by) { return by == 0 ? x : x << by | x >> (32 - by); }

inline std::uint32_t byte_of(std::uint32_t const* words, int k) { return words[k / 4] >> k % 4 * 8 & 255; }

}  // namespace detail

/// Whole bytes: text, 8-bit integers, e5m2.
struct bytes {
  using item                 = std::uint8_t;
  static constexpr int unit = 16, planes = 0, rest_words = 0, ahead = 1;
  ONEPASS_FUNCTION static constexpr int plane_bytes(int) { return 0; }

  ONEPASS_FUNCTION static void part(std::uint32_t const* items, std::uint32_t* symbols, std::uint32_t*)
  {
    ONEPASS_UNROLL for (int w = 0; w < 4; ++w) symbols[w] = items[w];
  }
  ONEPASS_FUNCTION static void join(std::uint32_t const* pairs, std::uint32_t const*, std::uint32_t* items)
  {
    ONEPASS_UNROLL for (int w = 0; w < 4; ++w) items[w] = detail::chosen_bytes(pairs[2 * w], pairs[2 * w + 1], 0x7531);
  }
  static item join_item(std::uint32_t symbol, std::uint32_t const*, int) { return item(symbol); }
};

/// bfloat16: the exponent is coded; sign (bit 7) and mantissa are a byte of rest.
struct bf16 {
  using item                 = std::uint16_t;
  static constexpr int unit = 8, planes = 1, rest_words = 2, ahead = 16;
  ONEPASS_FUNCTION static constexpr int plane_bytes(int) { return 8; }

  ONEPASS_FUNCTION static void part(std::uint32_t const* items, std::uint32_t* symbols, std::uint32_t* rest)
  {
    ONEPASS_UNROLL for (int w = 0; w < 2; ++w)
    {
      const std::uint32_t a = items[2 * w], b = items[2 * w + 1];
      symbols[w] = detail::chosen_bytes(a >> 7, b >> 7, 0x6420);
      rest[w]    = detail::chosen_bytes((a >> 8 & 0x00800080u) | (a & 0x007f007fu), (b >> 8 & 0x00800080u) | (b & 0x007f007fu), 0x6420);
    }
  }
  ONEPASS_FUNCTION static void join(std::uint32_t const* pairs, std::uint32_t const* rest, std::uint32_t* items)
  {
    ONEPASS_UNROLL for (int w = 0; w < 4; ++w)
    {
      const std::uint32_t twice = detail::chosen_bytes(rest[w / 2], 0, w % 2 ? 0x3322 : 0x1100);  // a byte in both halves of 16 bits
      items[w]                  = (pairs[w] >> 1 & 0x7f807f80u) | (twice & 0x807f807fu);
    }
  }
  static item join_item(std::uint32_t symbol, std::uint32_t const* rest, int k)
  {
    const std::uint32_t r = detail::byte_of(rest, k);
    return item(symbol << 7 | (r & 0x80u) << 8 | (r & 0x7fu));
  }
};

/// IEEE half: the high byte (sign, exponent, two bits of mantissa) is coded, the low byte is rest. The two parts of the
/// high byte that do not compress cost next to nothing in a code of their own.
struct f16 {
  using item                 = std::uint16_t;
  static constexpr int unit = 8, planes = 1, rest_words = 2, ahead = 16;
  ONEPASS_FUNCTION static constexpr int plane_bytes(int) { return 8; }

  ONEPASS_FUNCTION static void part(std::uint32_t const* items, std::uint32_t* symbols, std::uint32_t* rest)
  {
    ONEPASS_UNROLL for (int w = 0; w < 2; ++w)
    {
      symbols[w] = detail::chosen_bytes(items[2 * w], items[2 * w + 1], 0x7531);
      rest[w]    = detail::chosen_bytes(items[2 * w], items[2 * w + 1], 0x6420);
    }
  }
  ONEPASS_FUNCTION static void join(std::uint32_t const* pairs, std::uint32_t const* rest, std::uint32_t* items)
  {
    ONEPASS_UNROLL for (int w = 0; w < 4; ++w)
      items[w] = (pairs[w] & 0xff00ff00u) | detail::chosen_bytes(rest[w / 2], 0, w % 2 ? 0x4342 : 0x4140);
  }
  static item join_item(std::uint32_t symbol, std::uint32_t const* rest, int k) { return item(symbol << 8 | detail::byte_of(rest, k)); }
};

/// IEEE single: the exponent is coded; the rest is the byte of a bfloat16 and, in a plane of its own, the lower half.
struct f32 {
  using item                 = std::uint32_t;
  static constexpr int unit = 8, planes = 2, rest_words = 6, ahead = 4;
  ONEPASS_FUNCTION static constexpr int plane_bytes(int p) { return p == 0 ? 8 : 16; }

  ONEPASS_FUNCTION static void part(std::uint32_t const* items, std::uint32_t* symbols, std::uint32_t* rest)
  {
    std::uint32_t upper[4];
    ONEPASS_UNROLL for (int w = 0; w < 4; ++w)
    {
      upper[w]    = detail::chosen_bytes(items[2 * w], items[2 * w + 1], 0x7632);
      rest[2 + w] = detail::chosen_bytes(items[2 * w], items[2 * w + 1], 0x5410);
    }
    bf16::part(upper, symbols, rest);
  }
  ONEPASS_FUNCTION static void join(std::uint32_t const* pairs, std::uint32_t const* rest, std::uint32_t* items)
  {
    std::uint32_t upper[4];
    bf16::join(pairs, rest, upper);
    ONEPASS_UNROLL for (int w = 0; w < 4; ++w)
    {
      items[2 * w]     = detail::chosen_bytes(rest[2 + w], upper[w], 0x5410);
      items[2 * w + 1] = detail::chosen_bytes(rest[2 + w], upper[w], 0x7632);
    }
  }
  static item join_item(std::uint32_t symbol, std::uint32_t const* rest, int k)
  {
    return std::uint32_t(bf16::join_item(symbol, rest, k)) << 16 | (rest[2 + k / 2] >> k % 2 * 16 & 0xffffu);
  }
};

/// FP8 e4m3: the exponent is coded; sign and mantissa are half a byte of rest. Of eight items the first four keep these
/// bits where they are in a word (0x87878787), the others are rotated left by four bits into the gaps.
struct e4m3 {
  using item                 = std::uint8_t;
  static constexpr int unit = 16, planes = 1, rest_words = 2, ahead = 8;
  static constexpr std::uint32_t kept = 0x87878787u;
  ONEPASS_FUNCTION static constexpr int plane_bytes(int) { return 4; }

  ONEPASS_FUNCTION static void part(std::uint32_t const* items, std::uint32_t* symbols, std::uint32_t* rest)
  {
    ONEPASS_UNROLL for (int w = 0; w < 4; ++w) symbols[w] = items[w] >> 3 & 0x0f0f0f0fu;
    ONEPASS_UNROLL for (int w = 0; w < 2; ++w) rest[w] = (items[2 * w] & kept) | detail::rotated_left(items[2 * w + 1] & kept, 4);
  }
  ONEPASS_FUNCTION static void join(std::uint32_t const* pairs, std::uint32_t const* rest, std::uint32_t* items)
  {
    ONEPASS_UNROLL for (int w = 0; w < 4; ++w)
    {
      const std::uint32_t symbols = detail::chosen_bytes(pairs[2 * w], pairs[2 * w + 1], 0x7531);
      items[w] = (symbols << 3 & 0x78787878u) | (detail::rotated_left(rest[w / 2], w % 2 * 28) & kept);
    }
  }
  static item join_item(std::uint32_t symbol, std::uint32_t const* rest, int k)
  {
    const std::uint32_t word = detail::rotated_left(rest[k / 8], k / 4 % 2 * 28);
    return item((symbol << 3 & 0x78u) | (word >> k % 4 * 8 & 0x87u));
  }
};

/// Where the planes of the rest of n items lie, in bytes.
template <class Split>
struct rest_layout {
  extent n;

  /// Half-used words of e4m3 count whole.
  ONEPASS_FUNCTION constexpr extent plane_size(int p) const
  {
    const extent b = Split::plane_bytes(p);
    return b < 8 ? div_up(n, 8) * b : n * (b / 8);
  }
  ONEPASS_FUNCTION constexpr extent begin(int p) const
  {
    extent at = 0;
    for (int q = 0; q < p; ++q) at += div_up(plane_size(q), 16) * 16;
    return at;
  }
  ONEPASS_FUNCTION constexpr extent bytes() const { return Split::planes == 0 ? 0 : begin(Split::planes - 1) + plane_size(Split::planes - 1); }
};

}  // namespace onepass::split
