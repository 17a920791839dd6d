// SPDX-License-Identifier: Apache-2.0
#include <onepass/engine/fold.hpp>

#include <gtest/gtest.h>

#include <cstdint>

namespace {

using onepass::extent;

/// Neighbours [begin, end); combining others than neighbours, or these the other way round, is wrong for good.
struct stretch {
  extent begin, end;
  bool is_right = true;
};
struct joined {
  stretch operator()(stretch const& a, stretch const& b) const
  {
    return {a.begin, b.end, a.is_right && b.is_right && a.end == b.begin};
  }
};

TEST(folded, combines_neighbours_in_their_order)
{
  for (extent first : {0, 1, 5})
    for (extent n = 0; n < 300; ++n) {
      auto const at  = [](extent i) { return stretch{i, i + 1}; };
      auto const all = onepass::folded(stretch{first - 1, first}, first, first + n, at, joined{});
      EXPECT_TRUE(all.is_right) << n;
      EXPECT_EQ(all.begin, first - 1);
      EXPECT_EQ(all.end, first + n);
    }
}

/// The later of two numbers, unless that is 0: associates and does not commute.
struct latest {
  template <class T>
  T operator()(T a, T b) const
  {
    return b != T(0) ? b : a;
  }
};

template <class T>
class folded_numbers : public testing::Test {};
using numbers = testing::Types<std::uint8_t, std::int16_t, std::uint32_t, std::int64_t, float, double>;
TYPED_TEST_SUITE(folded_numbers, numbers);

TYPED_TEST(folded_numbers, are_combined_in_their_order)
{
  for (extent n = 0; n < 1100; n += n < 40 ? 1 : 37)
    for (extent at_most : {extent(0), n / 4, n / 2, n - 1}) {
      auto const at = [&](extent i) { return TypeParam(i <= at_most && i % 3 == 0 ? 1 + i % 100 : 0); };
      auto wanted   = TypeParam(101);
      for (extent i = 0; i < n; ++i) wanted = latest{}(wanted, at(i));
      EXPECT_EQ(onepass::folded(TypeParam(101), 0, n, at, latest{}), wanted) << n << " " << at_most;
    }
}

/// The composition of x -> a x + b, with an odd a in the lower half of a number and b in the upper: no item may be left
/// out, and none change places.
struct composed {
  template <class T>
  T operator()(T older, T newer) const
  {
    constexpr int half   = int(sizeof(T)) * 4;
    unsigned const first = older, then = newer, lower = (1u << half) - 1;
    unsigned const a = first * then, b = (then & lower) * (first >> half) + (then >> half);
    return T((a & lower) | b << half);
  }
};

template <class T>
class folded_maps : public testing::Test {};
using small_numbers = testing::Types<std::uint8_t, std::uint16_t, std::uint32_t>;
TYPED_TEST_SUITE(folded_maps, small_numbers);

TYPED_TEST(folded_maps, are_combined_whatever_the_length_of_strips)
{
  auto const at = [](extent i) { return TypeParam(i * i * 40503 | 1); };
  for (extent n = 1; n < 200'000; n += n < 1500 ? 61 : n / 3) {
    auto wanted = TypeParam(101);
    for (extent i = 0; i < n; ++i) wanted = composed{}(wanted, at(i));
    EXPECT_EQ(onepass::folded(TypeParam(101), 0, n, at, composed{}), wanted) << n;
  }
}

}  // namespace
