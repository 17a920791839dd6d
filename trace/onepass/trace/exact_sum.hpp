// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "portability.hpp"

#include <cstdint>
#include <vector>

namespace onepass::trace {

/// A sum of floats without rounding: a fixed-point number whose unit is the smallest f64, 2^-1074, in digits of 32 bits
/// that lie in words of 64 bits, so that 2^31 digits may be added before carries have to move. It does not depend on
/// the order in which items are added. Source: Kulisch 2013.
constexpr int sum_digits = 72;

/// sign * mantissa * 2^(exponent - 1075), as f64 has it; exponent 0 says that there is nothing to add.
struct split_float {
  std::uint64_t mantissa;
  int exponent;
  bool negative;
};

ONEPASS_TRACE_FUNCTION constexpr split_float split_f64(std::uint64_t bits)
{
  int const exponent = int(bits >> 52 & 0x7ff);
  auto const low     = bits & ((std::uint64_t(1) << 52) - 1);
  if (exponent == 0x7ff) return {0, 0, false};
  return {low | std::uint64_t(exponent > 0) << 52, exponent > 0 ? exponent : 1, bits >> 63 != 0};
}
ONEPASS_TRACE_FUNCTION constexpr split_float split_f32(std::uint32_t bits)
{
  int const exponent = int(bits >> 23 & 0xff);
  auto const low     = bits & ((1u << 23) - 1);
  if (exponent == 0xff) return {0, 0, false};
  constexpr int moved = 1075 - 150;  // the last bit of an f32 weighs 2^(exponent - 150)
  return {low | unsigned(exponent > 0) << 23, (exponent > 0 ? exponent : 1) + moved, bits >> 31 != 0};
}

/// Adds floats whose exponents are near each other in 128 bits, and hands digits on only when one is not:
/// add_digit(which, digit) gets digits between -2^32 and 2^32.
class sum_window {
public:
  template <class AddDigit>
  ONEPASS_TRACE_FUNCTION void add(split_float x, AddDigit const& add_digit)
  {
    if (x.mantissa == 0) return;
    auto shift = x.exponent - base_;
    if (shift < 0 || shift > widest || count_ == most) {
      flush(add_digit);
      base_ = x.exponent > widest / 2 ? x.exponent - widest / 2 : 1;
      shift = x.exponent - base_;
    }
    auto const moved = static_cast<unsigned __int128>(x.mantissa) << shift;
    held_ += x.negative ? -moved : moved;
    ++count_;
  }
  template <class AddDigit>
  ONEPASS_TRACE_FUNCTION void flush(AddDigit const& add_digit)
  {
    if (held_ != 0) {
      bool const negative = held_ >> 127 != 0;
      auto const size     = negative ? -held_ : held_;
      int const at = (base_ - 1) / 32, shift = (base_ - 1) % 32;
      auto const low  = size << shift;
      auto const rest = shift > 0 ? std::uint32_t(size >> (128 - shift)) : 0u;
      for (int d = 0; d < 5; ++d) {
        auto const digit = d < 4 ? std::int64_t(std::uint32_t(low >> 32 * d)) : std::int64_t(rest);
        if (digit != 0) add_digit(at + d, negative ? -digit : digit);
      }
    }
    held_  = 0;
    count_ = 0;
  }

private:
  static constexpr int widest = 58, most = 1 << 15;  // 53 bits, moved by 58, 2^15 times, and a sign: 127
  unsigned __int128 held_ = 0;
  int base_ = 1, count_ = 0;
};

/// Adds every float to its digits at once: on the host these lie in the first cache, and a window that moves costs
/// more.
struct sum_by_digits {
  template <class AddDigit>
  constexpr void add(split_float x, AddDigit const& add_digit) const
  {
    int const at = (x.exponent - 1) / 32, shift = (x.exponent - 1) % 32;
    auto const low  = (x.mantissa & 0xffffffff) << shift;
    auto const high = (x.mantissa >> 32 << shift) + (low >> 32);
    auto const sign = x.negative ? -1 : 1;
    add_digit(at, sign * std::int64_t(low & 0xffffffff));
    add_digit(at + 1, sign * std::int64_t(high & 0xffffffff));
    add_digit(at + 2, sign * std::int64_t(high >> 32));
  }
  template <class AddDigit>
  constexpr void flush(AddDigit const&) const
  {}
};

/// The sum, normalised: a sign and digits from the lowest that is not zero on. Equal sums are equal in every field.
struct exact_sum {
  bool negative    = false;
  std::uint8_t low = 0;               ///< the position of the first digit
  std::vector<std::uint32_t> digits;  ///< the last is not zero
  friend bool operator==(exact_sum const&, exact_sum const&) = default;

  /// From words of digits, each between -2^63 and 2^63.
  static exact_sum of(std::int64_t const* words);
  /// The nearest double, up to the last bit.
  double rounded() const;
  /// a - b, without rounding.
  static exact_sum difference(exact_sum const& a, exact_sum const& b);
};

}  // namespace onepass::trace
