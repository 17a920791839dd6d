// SPDX-License-Identifier: Apache-2.0
// The random numbers of hunts must never change, since rows of results name cases by their numbers.
#include "hunt/dice.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <set>

using perf::hunt::dice;

namespace {

TEST(dice, are_the_same_everywhere)
{
  EXPECT_EQ(dice(1, 0).bits("items"), 7095664183372947352u);
  EXPECT_EQ(dice(1, 137).bits("operator"), 1074713069837664849u);
  EXPECT_EQ(dice(2, 137).items(), 828391248);
}

TEST(dice, of_another_seed_case_or_name_differ)
{
  std::set<std::uint64_t> const found{dice(1, 0).bits("in"), dice(1, 1).bits("in"), dice(0, 1).bits("in"),
                                      dice(1, 0).bits("out"), dice(1, 0).other("out").bits("in")};
  EXPECT_EQ(found.size(), 5u);
}

TEST(dice, draw_sizes_of_every_magnitude)
{
  std::set<int> magnitudes;
  int powers = 0, beside = 0;
  for (std::uint64_t k = 0; k < 2000; ++k) {
    auto const n = dice(7, k).items();
    ASSERT_GE(n, 1);
    ASSERT_LE(n, (std::int64_t(1) << 30) + 3);
    magnitudes.insert(int(std::bit_width(std::uint64_t(n))));
    powers += std::has_single_bit(std::uint64_t(n));
    beside += n > 64 && (std::has_single_bit(std::uint64_t(n + 1)) || std::has_single_bit(std::uint64_t(n - 1)));
  }
  EXPECT_GE(magnitudes.size(), 31u);
  EXPECT_GT(powers, 100);
  EXPECT_GT(beside, 100);
}

TEST(dice, begin_at_an_aligned_address_every_other_time)
{
  int aligned = 0;
  for (std::uint64_t k = 0; k < 1000; ++k) {
    auto const begin = dice(7, k).begin("in");
    ASSERT_GE(begin, 0);
    ASSERT_LE(begin, 16);
    aligned += begin == 0;
  }
  EXPECT_GT(aligned, 400);
  EXPECT_LT(aligned, 600);
}

}  // namespace
