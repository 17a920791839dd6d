// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <cstring>
#include <type_traits>

// This header knows nothing of Kokkos, since what is loaded into any program reads floats with it too (trace/).
#if defined(__CUDACC__) || defined(__HIPCC__)
#define ONEPASS_DIGITS_FUNCTION __host__ __device__
#else
#define ONEPASS_DIGITS_FUNCTION
#endif
/// Before a loop over digits, which a device's compiler would unroll and run out of registers.
#if defined(__CUDA_ARCH__)
#define ONEPASS_DIGITS_LOOP _Pragma("unroll 1")
#else
#define ONEPASS_DIGITS_LOOP
#endif

namespace onepass {

// Sums of floats without rounding: a fixed-point number in digits of 32 bits that lie in words of 64 bits, so that 2^31
// digits may be added before carries have to move. It depends neither on the order in which items are added nor on who
// adds them. Digit d weighs 2^(lowest + 32 d).
//
// Source: Kulisch 2013; see docs/references.md.

/// Digits whose unit is the smallest f64.
constexpr int sum_lowest = -1074, sum_digits = 72;
/// Digits whose unit is the square of that, for products.
constexpr int product_lowest = -2148, product_digits = 136;

/// sign * mantissa * 2^(exponent - 1075), as f64 has it; exponent 0 says that there is nothing to add.
struct split_float {
  std::uint64_t mantissa;
  int exponent;
  bool negative;
};

/// A finite f64 by its bits; of others there is nothing to add.
ONEPASS_DIGITS_FUNCTION constexpr split_float split_f64(std::uint64_t bits)
{
  int const exponent = int(bits >> 52 & 0x7ff);
  auto const low     = bits & ((std::uint64_t(1) << 52) - 1);
  if (exponent == 0x7ff) return {0, 0, false};
  return {low | std::uint64_t(exponent > 0) << 52, exponent > 0 ? exponent : 1, bits >> 63 != 0};
}
/// The same of an f32.
ONEPASS_DIGITS_FUNCTION constexpr split_float split_f32(std::uint32_t bits)
{
  int const exponent = int(bits >> 23 & 0xff);
  auto const low     = bits & ((1u << 23) - 1);
  if (exponent == 0xff) return {0, 0, false};
  constexpr int moved = 1075 - 150;  // the last bit of an f32 weighs 2^(exponent - 150)
  return {low | std::uint64_t(exponent > 0) << 23, (exponent > 0 ? exponent : 1) + moved, bits >> 31 != 0};
}

/// Calls add_digit(which, digit) for the digits of sign * mantissa * 2^(lowest + at); each is between -2^32 and 2^32.
template <class AddDigit>
ONEPASS_DIGITS_FUNCTION constexpr void put_digits(std::uint64_t mantissa, int at, bool negative,
                                                  AddDigit const& add_digit)
{
  int const first = at / 32, shift = at % 32;
  auto const low  = (mantissa & 0xffffffff) << shift;
  auto const high = (mantissa >> 32 << shift) + (low >> 32);
  auto const sign = negative ? -1 : 1;
  add_digit(first, sign * std::int64_t(low & 0xffffffff));
  add_digit(first + 1, sign * std::int64_t(high & 0xffffffff));
  add_digit(first + 2, sign * std::int64_t(high >> 32));
}

/// Moves carries up, so that every word but the last is between 0 and 2^32; the last has the sign.
ONEPASS_DIGITS_FUNCTION constexpr void carry_digits(std::int64_t* words, int count)
{
  ONEPASS_DIGITS_LOOP for (int i = 0; i + 1 < count; ++i)
  {
    words[i + 1] += words[i] >> 32;
    words[i] &= 0xffffffff;
  }
}

/// Makes the digits those of the magnitude, all between 0 and 2^32; returns whether the number is negative.
ONEPASS_DIGITS_FUNCTION constexpr bool take_sign(std::int64_t* words, int count)
{
  carry_digits(words, count);
  bool const negative = words[count - 1] < 0;
  if (negative) {
    ONEPASS_DIGITS_LOOP for (int i = 0; i < count; ++i) words[i] = -words[i];
    carry_digits(words, count);
  }
  return negative;
}

/// The float that is nearest to a number, the even one of two. Its magnitude is at least 2^exponent and less than twice
/// that: `high` is the highest 64 bits of it, and `below` whether any bit below is set.
template <class Float>
ONEPASS_DIGITS_FUNCTION Float round_highest(std::uint64_t high, bool below, int exponent, bool negative)
{
  using bits_type         = std::conditional_t<sizeof(Float) == 8, std::uint64_t, std::uint32_t>;
  constexpr int precision = sizeof(Float) == 8 ? 53 : 24, largest = sizeof(Float) == 8 ? 1023 : 127;
  bits_type bits;
  if (exponent > largest) bits = bits_type(2 * largest + 1) << (precision - 1);
  else {
    std::uint64_t q = high >> (64 - precision), rest = high << precision;
    bool const is_normal = exponent >= 1 - largest;
    if (!is_normal) {
      int const kept = precision - (1 - largest - exponent);
      q = 0, rest = 0;
      if (kept > 0) q = high >> (64 - kept), rest = high << kept;
      else if (kept == 0) rest = high;
      else below = false;  // less than half of the smallest float
    }
    bool const half = rest >> 63 != 0;
    below           = below || (rest << 1) != 0;
    q += half && (below || (q & 1) != 0);
    bits = bits_type(q);  // a carry becomes the next exponent
    if (is_normal) bits += bits_type(exponent + largest - 1) << (precision - 1);
  }
  bits |= bits_type(negative) << (8 * sizeof(Float) - 1);
  Float x;
  std::memcpy(&x, &bits, sizeof x);
  return x;
}

/// The float that is nearest to the number, the even one of two; +0.0 if it is zero. The words are changed.
template <class Float>
ONEPASS_DIGITS_FUNCTION Float round_digits(std::int64_t* words, int count, int lowest)
{
  bool const negative = take_sign(words, count);
  int top             = count - 1;
  while (top >= 0 && words[top] == 0) --top;
  if (top < 0) return Float(0);
  auto const digit = [&](int d) { return d >= 0 ? std::uint64_t(words[d]) : std::uint64_t(0); };
  int width        = 0;
  while (digit(top) >> width != 0) ++width;
  // The highest 64 bits, and whether any bit below is set.
  std::uint64_t const upper = digit(top) << 32 | digit(top - 1), low = digit(top - 2);
  std::uint64_t const high = width == 32 ? upper : upper << (32 - width) | low >> width;
  bool below               = (low & ((std::uint64_t(1) << width) - 1)) != 0;
  for (int d = top - 3; d >= 0 && !below; --d) below = words[d] != 0;

  return round_highest<Float>(high, below, lowest + 32 * top + width - 1, negative);
}

}  // namespace onepass
