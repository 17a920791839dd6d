// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/portability.hpp>

#include <cstdint>

namespace onepass::ONEPASS_ABI {

/// A number of items, or the position of one. Signed, 64 bits on every backend.
using extent = std::int64_t;

#ifdef __SIZEOF_INT128__
__extension__ using signed_128   = __int128;
__extension__ using unsigned_128 = unsigned __int128;
#endif

/// The smallest number of groups of `size` that hold `items`.
ONEPASS_FUNCTION constexpr extent div_up(extent items, extent size) { return (items + size - 1) / size; }

/// A divisor of many positions, as a product with its reciprocal where that is exact.
struct divisor {
  std::uint64_t number, reciprocal = 0;  ///< ceil(2^64 / number), or 0

  /// Of positions below n. The error of the quotient, n times less than `number` of 2^64 parts, is below one of them.
  ONEPASS_FUNCTION constexpr divisor(extent by, extent n)
      : number(std::uint64_t(by))
  {
    constexpr std::uint64_t most = ~std::uint64_t(0);
    if (by > 1 && std::uint64_t(n) <= most / number) reciprocal = most / number + 1;
  }
  ONEPASS_FUNCTION constexpr extent quotient(extent i) const
  {
#ifdef __SIZEOF_INT128__
    if (reciprocal != 0) return extent(static_cast<unsigned_128>(std::uint64_t(i)) * reciprocal >> 64);
#endif
    return number == 1 ? i : i / extent(number);
  }
};

/// How many items a call works on: known on the host, or read on the device when the kernel starts.
struct item_count {
  extent limit;                    ///< as many as the input can hold; the launch is sized by it
  extent const* actual = nullptr;  ///< device-resident count; values outside [0, limit] are clamped

  ONEPASS_FUNCTION extent operator()() const
  {
    if (!actual) return limit;
    extent const n = *actual;
    return n < 0 ? 0 : n > limit ? limit : n;
  }
};

}  // namespace onepass::ONEPASS_ABI
