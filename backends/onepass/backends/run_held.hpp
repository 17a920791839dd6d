// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/exact_sum.hpp>
#include <onepass/extent.hpp>
#ifdef ONEPASS_HIGHWAY
#include <onepass/backends/host/hold.hpp>
#endif

#include <algorithm>
#include <bit>
#include <cstdint>
#include <memory>
#include <type_traits>

namespace onepass::ONEPASS_ABI {

/// Floats added up by exponent: the lower 32 bits of their mantissas, and the others. There may be 2^31 of them.
///
/// Source: Neal 2015; see docs/references.md.
class exponent_sums {
public:
  /// Adds x; false if it is no number.
  bool add(double x)
  {
    auto const split = split_f64(std::bit_cast<std::uint64_t>(x));
    if (split.exponent == 0) return false;
    auto const sign   = -std::int64_t(split.negative);  // signs are hard to predict
    auto& [low, high] = of_[split.exponent];
    low += (std::int64_t(split.mantissa & 0xffffffff) ^ sign) - sign;
    high += (std::int64_t(split.mantissa >> 32) ^ sign) - sign;
    return true;
  }
  /// Calls put(m, e) for all sums, which are m 2^(e - 1075).
  template <class Put>
  void each(Put const& put) const
  {
    for (int e = 0; e < exponents; ++e) {
      if (of_[e].low != 0) put(of_[e].low, e);
      if (of_[e].high != 0) put(of_[e].high, e + 32);
    }
  }

private:
  static constexpr int exponents = 2047;
  struct words {
    std::int64_t low = 0, high = 0;
  };
  words of_[exponents];
};

/// Adds up to 2^31 floats that lie in host memory, in vector registers as far as they are held there: calls
/// to.add(x) for what they hold, and to.put(x) or to.put(m, e), which is m 2^(e - 1075), for items that they do not.
template <class T, class To>
void hold_on_host(T const* in, extent n, To& to)
{
  extent i = 0;
#ifdef ONEPASS_HIGHWAY
  if constexpr (std::is_same_v<T, float> || std::is_same_v<T, double>) {
    using backends::host::held_lanes;
    constexpr extent block = 4096, lanes = held_lanes::lanes;
    held_lanes sums;
    std::unique_ptr<exponent_sums> others;
    auto const flush = [&] {
      for (auto const& part : sums.part)
        for (double const x : part) to.add(x);
      sums = {};
    };
    for (extent items; (items = std::min(block, (n - i) / lanes * lanes)) > 0; i += items) {
      auto const hold = [&] { return backends::host::hold_in_lanes(in + i, std::size_t(items), sums); };
      if (hold()) continue;
      if (sums.added > 0) {  // maybe of other magnitudes, or too many
        flush();
        if (hold()) continue;
      }
      if (!others) others = std::make_unique<exponent_sums>();
      for (extent k = i; k < i + items; ++k)
        if (!others->add(double(in[k]))) to.put(double(in[k]));
    }
    flush();
    if (others) others->each([&](std::int64_t m, int e) { to.put(m, e); });
  }
#endif
  for (; i < n; ++i) to.add(double(in[i]));
}

}  // namespace onepass::ONEPASS_ABI
