// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "harness/inputs.hpp"
#include "harness/race.hpp"

#include <bit>
#include <cmath>

// Races of entropy coding: `encode` (the codebook is given), `compress` (counts and codebook included) and `decode`.
// The input is always the uncoded items: a contender of `decode` makes its own coded form when it is added.
namespace perf {

// Weights, their exponents alone, and bytes of 4.6 bits of entropy.
struct bf16 {
  using item = std::uint16_t;
};
struct e4m3 {
  using item = std::uint8_t;
};
struct exponents {
  using item = std::uint8_t;
};
struct text {
  using item = std::uint8_t;
};
template <>
inline constexpr char const* type_name<bf16> = "bf16";
template <>
inline constexpr char const* type_name<e4m3> = "e4m3";
template <>
inline constexpr char const* type_name<exponents> = "exponents";
template <>
inline constexpr char const* type_name<text> = "text";

/// Item i: from N(0, .02), rounded to nearest; e4m3 scaled so that the largest just fit; for text, its absolute value
/// in steps.
inline float weight(std::int64_t i)
{
  auto const unit = [](std::uint64_t bits) { return float((bits >> 40) + 1) * 0x1p-24f; };  // (0, 1]
  return .02f * std::sqrt(-2 * std::log(unit(mixed(2 * std::uint64_t(i)))))
         * std::cos(6.2831853f * unit(mixed(2 * std::uint64_t(i) + 1)));
}
inline std::uint16_t made(bf16, std::int64_t i)
{
  auto const bits = std::bit_cast<std::uint32_t>(weight(i));
  return std::uint16_t((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}
inline std::uint8_t made(exponents, std::int64_t i) { return std::uint8_t(made(bf16{}, i) >> 7); }
inline std::uint8_t made(text, std::int64_t i) { return std::uint8_t(std::abs(weight(i)) * 600); }
inline std::uint8_t made(e4m3, std::int64_t i)
{
  float const x = weight(i) * (448 / .12f), size = std::abs(x);
  auto const sign = x < 0 ? 0x80 : 0;
  if (size >= 448) return std::uint8_t(sign | 0x7e);
  if (size < 0x1p-6f) return std::uint8_t(sign | int(std::rint(size * 512)));
  auto const bits = std::bit_cast<std::uint32_t>(size), rounded = bits + 0x7ffff + (bits >> 20 & 1);
  return std::uint8_t(sign | ((rounded >> 20) - (120 << 3)));
}

// The part of an item that is coded, and the bits that are not.
inline int symbol(bf16, std::uint16_t x) { return x >> 7 & 255; }
inline int symbol(e4m3, std::uint8_t x) { return x >> 3 & 15; }
inline int symbol(exponents, std::uint8_t x) { return x; }
inline int symbol(text, std::uint8_t x) { return x; }
inline int rest_bits(bf16) { return 8; }
inline int rest_bits(e4m3) { return 4; }
inline int rest_bits(exponents) { return 0; }
inline int rest_bits(text) { return 0; }

}  // namespace perf
