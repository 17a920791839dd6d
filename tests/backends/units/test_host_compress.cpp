// SPDX-License-Identifier: Apache-2.0
// What flags leave of the items beside them, for the instruction set of this machine where onepass has Highway, against
// a plain loop.
#include "seed.hpp"

#include <gtest/gtest.h>
#include <onepass/backends/host/flags.hpp>

#include <limits>
#include <vector>

using namespace onepass::backends::host;

namespace {

struct pair_of_bytes {
  std::uint8_t a, b;
};
bool operator==(pair_of_bytes x, pair_of_bytes y) { return x.a == y.a && x.b == y.b; }

template <class T>
T item_of(std::uint64_t bits)
{
  T x;
  std::memcpy(&x, &bits, sizeof x);
  return x;
}

/// Flags of n items of which about so many in 256 are set.
std::vector<std::uint64_t> random_flags(std::size_t n, unsigned often, test::random_words& engine)
{
  std::vector<std::uint64_t> flags((n + 63) / 64);
  for (std::size_t i = 0; i < n; ++i)
    if (engine() % 256 < often) flags[i / 64] |= std::uint64_t(1) << (i % 64);
  return flags;
}

template <class T>
void expect_plain(std::size_t n, unsigned often, test::random_words& engine)
{
  SCOPED_TRACE(::testing::Message() << n << " items of " << sizeof(T) << " bytes, " << often << " of 256 set, seed "
                                    << test::seed());
  constexpr std::size_t slack = 64 / sizeof(T);
  auto const flags            = random_flags(n, often, engine);
  std::vector<T> items(n), want;
  std::vector<std::int32_t> places;
  for (auto& x : items) x = item_of<T>(engine());
  for (std::size_t i = 0; i < n; ++i)
    if (flags[i / 64] >> (i % 64) & 1) want.push_back(items[i]), places.push_back(1000 + std::int32_t(i));

  T const canary = item_of<T>(~std::uint64_t(0));
  std::vector<T> got(n + slack + 1, canary);
  ASSERT_EQ(compress(items.data(), flags.data(), n, got.data()), want.size());
  EXPECT_TRUE(got.back() == canary) << "written beyond the room";
  got.resize(want.size());
  EXPECT_TRUE(got == want);

  std::vector<std::int32_t> listed(n + 16 + 1, -1);
  ASSERT_EQ(positions(flags.data(), n, 1000, listed.data()), places.size());
  EXPECT_EQ(listed.back(), -1) << "written beyond the room";
  listed.resize(places.size());
  EXPECT_EQ(listed, places);
}

TEST(host_compress, leaves_what_a_plain_loop_leaves)
{
  test::random_words engine(test::seed());
  for (std::size_t const n : {0, 1, 15, 63, 64, 65, 127, 128, 1000, 1024, 5000})
    for (unsigned const often : {0u, 1u, 26u, 128u, 250u, 256u}) {
      expect_plain<std::uint8_t>(n, often, engine);
      expect_plain<std::uint16_t>(n, often, engine);
      expect_plain<pair_of_bytes>(n, often, engine);
      expect_plain<std::uint32_t>(n, often, engine);
      expect_plain<std::uint64_t>(n, often, engine);
    }
}

/// Runs of a few values, floats with NaNs and zeros of both signs among them.
template <class T>
void expect_changes(test::random_words& engine)
{
#ifdef ONEPASS_HIGHWAY
  constexpr std::size_t n = 5 * 64;
  std::vector<T> items(n + 1);
  for (std::size_t i = 0; i < items.size(); ++i) {
    unsigned const kind = unsigned(engine() % 8);
    items[i]            = i > 0 && kind < 4 ? items[i - 1] : kind == 4 ? item_of<T>(engine()) : T(kind % 3);
    if constexpr (std::is_floating_point_v<T>)
      if (kind == 5) items[i] = engine() % 2 ? std::numeric_limits<T>::quiet_NaN() : T(-0.0);
  }
  SCOPED_TRACE(::testing::Message() << "items of " << sizeof(T) << " bytes");
  std::uint64_t flags[n / 64];
  changes(items.data() + 1, n, flags);
  for (std::size_t i = 0; i < n; ++i)
    EXPECT_EQ(flags[i / 64] >> (i % 64) & 1, items[i + 1] != items[i]) << "item " << i << ", seed " << test::seed();
#endif
}

TEST(host_compress, changes_are_what_the_comparison_of_neighbours_says)
{
  test::random_words engine(test::seed());
  expect_changes<std::uint8_t>(engine);
  expect_changes<std::int16_t>(engine);
  expect_changes<std::uint32_t>(engine);
  expect_changes<std::int64_t>(engine);
  expect_changes<float>(engine);
  expect_changes<double>(engine);
}

TEST(host_compress, bytes_become_words)
{
  test::random_words engine(test::seed());
  for (int round = 0; round < 100; ++round) {
    std::uint64_t const word = engine() & engine();
    std::uint8_t flags[64];
    for (int k = 0; k < 64; ++k) flags[k] = word >> k & 1;
    EXPECT_EQ(word_of(flags), word) << "seed " << test::seed();
  }
}

}  // namespace
