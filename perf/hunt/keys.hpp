// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "items.hpp"
#include "trial.hpp"

// Keys for sorts: their distributions, and checks of sorted keys.
namespace perf::hunt {

/// The key with these bits, the highest first, so that keys are in the order of their bits. Floats are finite, and not
/// zero.
template <class T>
T key_of(std::uint64_t high_bits)
{
  constexpr int digits = 8 * sizeof(T);
  auto const bits      = high_bits >> (64 - digits);
  if constexpr (std::is_floating_point_v<T>) {
    using bits_type   = std::conditional_t<digits == 32, u32, u64>;
    constexpr T most  = std::numeric_limits<T>::max();
    auto const sign   = bits_type(1) << (digits - 1);
    auto const folded = static_cast<bits_type>((bits & sign) != 0 ? bits ^ sign : ~bits);
    auto const key    = Kokkos::bit_cast<T>(folded);
    if (key == 0) return Kokkos::bit_cast<T>(bits_type(folded | 1));
    return std::abs(key) <= most ? key : (folded & sign) != 0 ? -most : most;
  } else return static_cast<T>(bits);
}

class keys {
public:
  explicit keys(dice const& d)
      : kind_(d.one_of<std::string>(
          "keys", {"uniform", "uniform", "sorted", "reversed", "constant", "few bits", "zipf", "runs"}))
      , some_(1 + d.below("some", 12))
      , zeros_(d.chance("zeros", 20))
  {}

  template <class T>
  std::vector<T> items(std::int64_t n) const
  {
    return items_made<T>(n, [*this, n](std::int64_t i) {
      if constexpr (std::is_floating_point_v<T>)
        if (auto const random = mixed(~std::uint64_t(i)); zeros_ && random % 1024 == 0)
          return random >> 63 != 0 ? T(-0.0) : T(0.0);  // which compare alike
      return key_of<T>(bits(i, n, 8 * sizeof(T)));
    });
  }

  std::string shape() const
  {
    return text(kind_, kind_ == "few bits" || kind_ == "runs" ? text(" ", some_) : "",
                zeros_ ? ", floats with zeros" : "");
  }

private:
  /// The bits of the key at i, from bit 63 downwards.
  std::uint64_t bits(std::int64_t i, std::int64_t n, int width) const
  {
    auto const random = mixed(std::uint64_t(i));
    auto const step   = ~std::uint64_t(0) / std::uint64_t(n);
    if (kind_ == "sorted") return std::uint64_t(i) * step;
    if (kind_ == "reversed") return std::uint64_t(n - i) * step;
    if (kind_ == "constant") return mixed(0);
    if (kind_ == "few bits") return random % (std::uint64_t(1) << some_) << (64 - width);  // the lowest of the key
    if (kind_ == "zipf") return mixed(random >> (64 - 1 - (mixed(random) & 31)));          // each power of two as often
    if (kind_ == "runs") return mixed(std::uint64_t(i >> some_));
    return random;
  }

  std::string kind_;
  std::int64_t some_;
  bool zeros_;
};

/// Counts neighbours that are out of order.
template <class T>
struct falls {
  T const* sorted;
  KOKKOS_FUNCTION void operator()(std::int64_t i, std::int64_t& count) const
  {
    count += i > 0 && sorted[i] < sorted[i - 1];
  }
};

/// The sum of the hashed keys, which does not depend on their order.
template <class T>
struct fingerprint {
  T const* keys;
  KOKKOS_FUNCTION void operator()(std::int64_t i, std::int64_t& sum) const
  {
    using bits = std::conditional_t<sizeof(T) == 8, u64, u32>;
    if constexpr (std::is_floating_point_v<T>) sum += std::int64_t(mixed(Kokkos::bit_cast<bits>(keys[i])));
    else sum += std::int64_t(mixed(keys[i]));
  }
};

/// Values are from_number() of where the key was. Each must be beside its key, and after the one before it where that
/// key is equal: then they are all different, so all are there.
template <class T, class V>
struct strays {
  T const *keys, *sorted;
  V const* values;
  std::int64_t n;
  KOKKOS_FUNCTION void operator()(std::int64_t i, std::int64_t& count) const
  {
    auto const from = std::int64_t(to_number(values[i]));
    if (from >= n || !(values[i] == from_number<V>(std::uint64_t(from))) || keys[from] != sorted[i]) ++count;
    else if (i > 0 && sorted[i] == sorted[i - 1] && from <= std::int64_t(to_number(values[i - 1]))) ++count;
  }
};

}  // namespace perf::hunt
