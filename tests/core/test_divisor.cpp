// SPDX-License-Identifier: Apache-2.0
// Quotients of positions, by a product with a reciprocal or without.
#include "seed.hpp"

#include <onepass/extent.hpp>

#include <gtest/gtest.h>

#include <limits>
#include <string>

using onepass::divisor, onepass::extent;
using test::random_words, test::seed;

namespace {

TEST(divisor, gives_the_quotients_of_all_positions)
{
  SCOPED_TRACE("seed " + std::to_string(seed()));
  random_words engine(seed());
  auto const drawn = [&](int bits) { return extent(engine() >> (64 - bits)); };
  for (int k = 0; k < 20000; ++k) {
    extent const by = 1 + drawn(1 + int(engine() % 62)), n = 1 + drawn(1 + int(engine() % 62));
    divisor const divided(by, n);
    auto const check = [&](extent i) {
      EXPECT_TRUE(i < 0 || i >= n || divided.quotient(i) == i / by) << i << " of " << n << " by " << by;
    };
    extent const multiple = drawn(62) % (n / by + 1) * by;
    for (extent const i : {extent(0), n - 1, multiple - 1, multiple, multiple + 1, drawn(62) % n}) check(i);
  }
  for (extent const by : {extent(1), extent(2), extent(3), extent(1) << 32, std::numeric_limits<extent>::max()})
    for (extent const n : {extent(1), by, std::numeric_limits<extent>::max()})
      for (extent const i : {extent(0), n / 2, n - 1}) EXPECT_EQ(divisor(by, n).quotient(i), i / by) << i << ' ' << by;
}

TEST(divisor, multiplies_where_that_is_exact)
{
  EXPECT_NE(divisor(1000, extent(1) << 40).reciprocal, 0u);
  EXPECT_EQ(divisor(extent(1) << 40, extent(1) << 40).reciprocal, 0u);
}

}  // namespace
