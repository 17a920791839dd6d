// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "portability.hpp"

#include <onepass/exact_digits.hpp>

#include <cstdint>
#include <vector>

namespace onepass::trace {

// The digits of sums are the library's: onepass/exact_digits.hpp, the one header of it that knows nothing of Kokkos.

/// Adds floats whose exponents are near each other, and hands on those that are not: they are many where what is no
/// float is read as one. After a number of them in turn it moves to where they are. `Parts`: words of 27 bits in which
/// the mantissas of the floats lie. At most `most` floats may be added.
template <int Parts>
class sum_window {
public:
  static constexpr int most = 1 << 13;

  /// Either the float goes to to.add(float), or what was held to to.put(magnitude, at, negative), whose unit is
  /// 2^(sum_lowest + at), once a part, or neither.
  template <class Sink>
  ONEPASS_TRACE_FUNCTION void add(split_float x, Sink const& to)
  {
    int const shift = x.exponent - base_;
    if (unsigned(shift) <= unsigned(widest)) hold(x, shift);
    else if (x.mantissa != 0) add_far(x, to);
  }
  template <class Sink>
  ONEPASS_TRACE_FUNCTION void flush(Sink const& to)
  {
    for (int p = 0; p < Parts; ++p) {
      auto const size = static_cast<std::uint64_t>(held_[p] < 0 ? -held_[p] : held_[p]);
      if (size != 0) to.put(size, base_ - 1 + p * part_bits, held_[p] < 0);
      held_[p] = 0;
    }
  }

private:
  // A part and a shift make 50 bits, and 2^13 of these are below 2^63.
  static constexpr int part_bits = 27, widest = 23, patience = 64;

  ONEPASS_TRACE_FUNCTION void hold(split_float x, int shift)
  {
    int const weight = x.negative ? -(1 << shift) : 1 << shift;
    for (int p = 0; p < Parts; ++p) {
      auto const part = static_cast<int>(x.mantissa >> p * part_bits) & ((1 << part_bits) - 1);
      held_[p] += std::int64_t(part) * weight;
    }
  }
  template <class Sink>
  ONEPASS_TRACE_FUNCTION void add_far(split_float x, Sink const& to)
  {
    if (--left_ > 0) return to.add(x);
    flush(to);
    left_ = patience;
    base_ = x.exponent > widest / 2 ? x.exponent - widest / 2 : 1;
    hold(x, x.exponent - base_);
  }

  std::int64_t held_[Parts] = {};
  int base_ = 1, left_ = 1;  ///< left_: floats that may be far before the window moves
};

/// A window for each half of words: of numbers of 8 bytes, the lower half is noise.
class windows_of_halves {
public:
  ONEPASS_TRACE_FUNCTION sum_window<1>& of(bool is_high) { return is_high ? high_ : low_; }
  template <class Sink>
  ONEPASS_TRACE_FUNCTION void flush(Sink const& to)
  {
    low_.flush(to);
    high_.flush(to);
  }

private:
  sum_window<1> low_, high_;
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
