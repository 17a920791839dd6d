// SPDX-License-Identifier: Apache-2.0
// Shared by the tests of sorts and of functions built on sorts.
#pragma once
#include "compaction.hpp"
#include "sizes.hpp"

#include <onepass/key_codec.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace test {

/// Sizes at which defects are likely in sorts: around tiles, stretches and buckets of every machine, and around what
/// one block of CUDA's sorts.
inline std::vector<extent> sort_sizes()
{
  std::vector<extent> sizes{0,  1,  2,   3,   12,  13,  20,  21,   31,   32,   33,   63,
                            64, 65, 128, 129, 256, 257, 768, 1009, 4096, 4097, 10007};
  if (!tiny_row) sizes.insert(sizes.end(), {2048, 2049, 6144, 6145, 32768, 32769, 300007});
  return sizes;
}
inline constexpr extent many_keys = tiny_row ? 7001 : 70001;

/// How keys are distributed.
enum class spread { uniform, few, ascending, descending, equal, skewed, narrow };
inline constexpr spread spreads[] = {spread::uniform, spread::few,    spread::ascending, spread::descending,
                                     spread::equal,   spread::skewed, spread::narrow};

/// n keys with random bits. Floats get zeros of both signs, infinities and NaNs of both signs with several payloads.
template <class T>
std::vector<T> random_keys(extent n, spread how)
{
  random_words engine(seed() + std::uint64_t(n) + 1000 * std::uint64_t(how));
  auto const bits = [&](extent i) -> std::uint64_t {
    std::uint64_t const random = engine();
    switch (how) {
    case spread::few:
      return random % 3 * 0x0102'0304'0506'0708u;
    case spread::ascending:
      return std::uint64_t(i);
    case spread::descending:
      return std::uint64_t(n - i);
    case spread::equal:
      return 0x4142'4344'4546'4748u;
    case spread::skewed:
      return random & engine() & engine() & engine();
    case spread::narrow:
      return 0x7000'0000'7000'0000u + random % 1000;
    default:
      return random;
    }
  };
  std::vector<T> keys(static_cast<std::size_t>(n));
  for (extent i = 0; i < n; ++i) {
    auto const b = bits(i);
    T& key       = keys[std::size_t(i)];
    std::memcpy(&key, &b, sizeof(T));
    if constexpr (std::is_floating_point_v<T>) {
      if (how == spread::few) key = b % 3 == 0 ? T(0) : b % 3 == 1 ? -T(0) : T(1);
      if (how == spread::uniform && i % 5 == 0)
        key = i % 10 ? std::numeric_limits<T>::infinity() : -std::numeric_limits<T>::infinity();
    }
  }
  return keys;
}

/// Whether a is before b, computed without the codec: by <, except that NaNs lie outside the infinities, in the order
/// of their bits.
template <class T>
bool key_less(T a, T b)
{
  if constexpr (!std::is_floating_point_v<T>) return a < b;
  else {
    auto const place = [](T x) { return std::isnan(x) ? (std::signbit(x) ? -1 : 1) : 0; };
    if (place(a) != place(b)) return place(a) < place(b);
    if (place(a) == 0) return a < b;
    onepass::unsigned_of<sizeof(T)> x, y;
    std::memcpy(&x, &a, sizeof(T));
    std::memcpy(&y, &b, sizeof(T));
    return place(a) > 0 ? x < y : x > y;
  }
}

/// The positions of the keys in sorted order, equal keys in input order.
template <class T, class Less>
std::vector<std::uint32_t> order_of(std::vector<T> const& keys, Less const& less)
{
  std::vector<std::uint32_t> order(keys.size());
  std::iota(order.begin(), order.end(), 0u);
  std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return less(keys[a], keys[b]); });
  return order;
}

template <class T, class Index>
std::vector<T> gathered(std::vector<T> const& items, std::vector<Index> const& from)
{
  std::vector<T> all;
  for (auto const i : from) all.push_back(items[std::size_t(i)]);
  return all;
}

/// Checks for the same bits at the same positions, and that nothing was written around them.
template <class T>
void expect_items(guarded<T> const& got, std::vector<T> const& expected)
{
  auto const items = got.items();
  ASSERT_EQ(items.size(), expected.size());
  for (std::size_t i = 0; i < items.size(); ++i)
    if (std::memcmp(&items[i], &expected[i], sizeof(T)) != 0) FAIL() << "differs at " << i << " of " << items.size();
  ASSERT_TRUE(got.canaries_alive());
}

/// The positions of the k first keys.
template <class T>
std::vector<std::uint32_t> first_of(std::vector<T> const& keys, extent k, bool descending)
{
  std::vector<std::uint32_t> order(keys.size());
  std::iota(order.begin(), order.end(), 0u);
  std::partial_sort(order.begin(), order.begin() + k, order.end(), [&](auto a, auto b) {
    if (key_less(keys[a], keys[b])) return !descending;
    if (key_less(keys[b], keys[a])) return descending;
    return a < b;
  });
  order.resize(std::size_t(k));
  return order;
}

}  // namespace test
