// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "affine.hpp"
#include "seed.hpp"

#include <onepass/extent.hpp>
#include <onepass/operators.hpp>

#include <limits>
#include <random>
#include <vector>

namespace test {

using onepass::extent;

/// The order of onepass::less: NaNs behind all numbers.
template <class T>
struct nans_behind {
  bool operator()(T a, T b) const { return a < b || (a == a && b != b); }
};

/// n random items, the sums of whose stretches are exact in any order: unsigned and narrow integers wrap, wide signed
/// ones are small, and others are differences of small whole numbers, so that all their sums are small whole numbers.
template <class T>
std::vector<T> random_items(extent n, std::uint64_t salt = 0)
{
  random_words engine(seed() + salt);
  std::vector<T> items;
  items.reserve(static_cast<std::size_t>(n));
  if constexpr (std::is_integral_v<T>) {
    constexpr bool wraps = std::is_unsigned_v<T> || sizeof(T) < sizeof(int);
    std::uniform_int_distribution<std::int64_t> small(-1000, 1000);
    for (extent i = 0; i < n; ++i) items.push_back(static_cast<T>(wraps ? std::int64_t(engine()) : small(engine)));
  } else {
    std::uniform_int_distribution<int> small(-20, 20);
    for (extent i = 0, before = 0; i < n; ++i) {
      int const now = small(engine);
      items.push_back(static_cast<T>(static_cast<float>(now - int(before))));
      before = now;
    }
  }
  return items;
}

template <>
inline std::vector<affine> random_items<affine>(extent n, std::uint64_t salt)
{
  random_words engine(seed() + salt);
  std::vector<affine> items;
  for (extent i = 0; i < n; ++i) items.push_back({std::uint32_t(engine()) | 1u, std::uint32_t(engine())});
  return items;
}

template <>
inline std::vector<rgb> random_items<rgb>(extent n, std::uint64_t salt)
{
  random_words engine(seed() + salt);
  std::vector<rgb> items;
  for (extent i = 0; i < n; ++i)
    items.push_back({std::uint8_t(engine()), std::uint8_t(engine()), std::uint8_t(engine())});
  return items;
}

}  // namespace test
