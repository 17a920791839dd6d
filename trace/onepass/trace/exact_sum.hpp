// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "portability.hpp"

#include <onepass/exact_digits.hpp>

#include <cstdint>
#include <vector>

namespace onepass::trace {

// The digits of sums are the library's: onepass/exact_digits.hpp, the one header of it that knows nothing of Kokkos.

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
    auto const above = static_cast<std::uint64_t>(x.mantissa) >> 1 >> (63 - shift);  // a shift of 64 bits is none
    auto const moved = static_cast<unsigned __int128>(above) << 64 | static_cast<std::uint64_t>(x.mantissa) << shift;
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

/// The sum, normalised: a sign and digits from the lowest that is not zero on. Equal sums are equal in every field.
struct exact_sum {
  bool negative    = false;
  std::uint8_t low = 0;               ///< the position of the first digit
  std::vector<std::uint32_t> digits;  ///< the last is not zero
  friend bool operator==(exact_sum const&, exact_sum const&) = default;

  /// From words of digits, each between -2^63 and 2^63.
  static exact_sum of(std::int64_t const* words);
  /// The nearest double.
  double rounded() const;
  /// a - b, without rounding.
  static exact_sum difference(exact_sum const& a, exact_sum const& b);
};

}  // namespace onepass::trace
