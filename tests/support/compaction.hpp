// SPDX-License-Identifier: Apache-2.0
// Shared by the tests of selections, partitions and runs.
#pragma once
#include "guarded.hpp"
#include "refusal.hpp"
#include "seed.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

namespace test {

/// An item of 12 bytes, for which no wide access is possible.
struct triple {
  std::uint32_t key, position, check;
  friend ONEPASS_FUNCTION bool operator==(triple const& a, triple const& b)
  {
    return a.key == b.key && a.position == b.position && a.check == b.check;
  }
};

/// An item of several words of 8 bytes, which are all compared.
template <int Words>
struct long_item {
  std::uint64_t word[Words];

  friend ONEPASS_FUNCTION bool operator==(long_item const& a, long_item const& b)
  {
    for (int w = 0; w < Words; ++w)
      if (a.word[w] != b.word[w]) return false;
    return true;
  }
  static long_item of(std::uint32_t key, std::uint64_t position)
  {
    long_item made{{key}};
    for (int w = 1; w < Words; ++w) made.word[w] = position * Words + std::uint64_t(w);
    return made;
  }
};

/// The key of an item, 0 to 255: evenly distributed over the items of keyed_items.
template <class T>
ONEPASS_FUNCTION unsigned key_of(T const& x)
{
  if constexpr (std::is_same_v<T, triple>) return x.key;
  else if constexpr (std::is_class_v<T>) return static_cast<unsigned>(x.word[0]);
  else return static_cast<unsigned>(static_cast<std::uint64_t>(x) & 255);
}

/// n items with random keys in the low bits; the bits above have as much of the position as fits.
template <class T>
std::vector<T> keyed_items(extent n, std::uint64_t salt = 0)
{
  random_words engine(seed() + salt);
  std::vector<T> items;
  for (extent i = 0; i < n; ++i) {
    auto const key = std::uint32_t(engine() & 255);
    if constexpr (std::is_same_v<T, triple>) items.push_back({key, std::uint32_t(i), ~std::uint32_t(i)});
    else if constexpr (std::is_class_v<T>) items.push_back(T::of(key, std::uint64_t(i)));
    else items.push_back(static_cast<T>(std::uint64_t(i) << 8 | key));
  }
  return items;
}

/// Items whose key is below the limit: all for 256, none for 0.
struct below {
  unsigned limit;
  template <class T>
  ONEPASS_FUNCTION bool operator()(T const& x) const
  {
    return key_of(x) < limit;
  }
};
inline constexpr unsigned limits[] = {0, 3, 128, 253, 256};

template <class T, class Predicate>
std::vector<T> kept(std::vector<T> const& items, Predicate const& keep)
{
  std::vector<T> all;
  std::copy_if(items.begin(), items.end(), std::back_inserter(all), keep);
  return all;
}

/// Random lengths of runs, from 1 to 2 mean - 1, that fill n items.
inline std::vector<extent> run_lengths(extent n, extent mean)
{
  random_words engine(seed() + std::uint64_t(mean));
  std::uniform_int_distribution<extent> length(1, 2 * mean - 1);
  std::vector<extent> lengths;
  for (extent left = n; left > 0; left -= lengths.back()) lengths.push_back(std::min(length(engine), left));
  return lengths;
}
inline constexpr extent one_run        = extent(1) << 32;  ///< a mean so large that any input is one run
inline constexpr extent mean_lengths[] = {1, 3, 32, 5000, one_run};

/// The items of runs of these lengths: item i of run r is value(i, r), i counted through all runs.
template <class T, class Value>
std::vector<T> items_of_runs(std::vector<extent> const& lengths, Value const& value)
{
  std::vector<T> items;
  for (std::size_t r = 0; r < lengths.size(); ++r)
    for (extent j = 0; j < lengths[r]; ++j) items.push_back(value(extent(items.size()), extent(r)));
  return items;
}

/// Whether an item of guarded memory was never written.
template <class T>
T poison_of()
{
  T poison;
  std::memset(static_cast<void*>(&poison), 0xa5, sizeof poison);
  return poison;
}

/// Checks that `out` begins with `expected`, as far as there is room, and that the rest was not written: it is as in
/// `before`, or poison.
template <class T>
void expect_compacted(guarded<T> const& out, std::vector<T> const& expected, std::vector<T> const& before = {})
{
  auto const got    = out.items();
  auto const poison = poison_of<T>();
  for (std::size_t i = 0; i < got.size(); ++i) {
    bool const right = got[i] == (i < expected.size() ? expected[i] : before.empty() ? poison : before[i]);
    if (!right) FAIL() << "differs at " << i << "; " << expected.size() << " items were to be kept";
  }
  ASSERT_TRUE(out.canaries_alive());
}

/// Checks that the message has all of these parts.
inline void expect_says(std::string const& said, std::vector<std::string> const& parts)
{
  for (auto const& part : parts) EXPECT_NE(said.find(part), std::string::npos) << "`" << said << "` without " << part;
}

inline bool const two_pass = this_row().order == onepass::schedule::two_pass;

}  // namespace test
