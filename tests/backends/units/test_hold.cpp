// SPDX-License-Identifier: Apache-2.0
// Sums without rounding by a host thread: in lanes, by exponents, and together, against the digits of each item.
#include "seed.hpp"

#include <onepass/backends/run_held.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

namespace {

using onepass::extent;
using digits = onepass::long_sum<>;

/// What hold_on_host adds to.
struct digits_of {
  digits sum       = digits::zero();
  extent put_alone = 0;  ///< numbers that went neither to lanes nor to exponents

  void add(double x) { sum.add(x); }
  void put(double x) { sum.add(x), ++put_alone; }
  void put(std::int64_t m, int e)
  {
    auto const size = m < 0 ? std::uint64_t(0) - std::uint64_t(m) : std::uint64_t(m);
    onepass::put_digits(size, e - 1, m < 0, [this](int d, std::int64_t digit) { sum.word[d] += digit; });
  }
};

/// Items of so many binades, the largest of them less than 2^top.
template <class T>
std::vector<T> items_of(extent n, int top, int binades)
{
  test::random_words engine(std::uint64_t(n) * 31 + std::uint64_t(top) + std::uint64_t(binades));
  std::uniform_real_distribution<double> fraction(.5, 1);
  std::vector<T> items;
  for (extent i = 0; i < n; ++i) {
    double const x = std::ldexp(fraction(engine), top - int(engine() % std::uint64_t(binades)));
    items.push_back(engine() % 50 == 0 ? T(0) : T(engine() % 3 == 0 ? -x : x));
  }
  return items;
}

template <class T>
void expect_exact(std::vector<T> const& items)
{
  digits_of held;
  onepass::hold_on_host(items.data(), extent(items.size()), held);
  auto expected  = digits::zero();
  extent strange = 0;
  for (T const x : items) expected.add(double(x)), strange += !std::isfinite(x);
  held.sum.settle(), expected.settle();
  for (int w = 0; w < digits::words; ++w)
    ASSERT_EQ(held.sum.word[w], expected.word[w]) << items.size() << " items, word " << w;
  EXPECT_LE(held.put_alone, strange);
}

template <class T>
class hold : public testing::Test {};
using floats = testing::Types<float, double>;
TYPED_TEST_SUITE(hold, floats);

TYPED_TEST(hold, items_of_any_magnitudes)
{
  using T  = TypeParam;
  using of = std::numeric_limits<T>;
  for (int const binades : {1, 15, 29, 40, 61, 90, 250})
    for (int const top : {of::max_exponent, 20, 0, of::min_exponent + 30, of::min_exponent - 10})
      for (extent const n : {1, 15, 16, 4095, 4096, 10000}) expect_exact(items_of<T>(n, top, binades));
}

TYPED_TEST(hold, more_items_than_lanes_take)
{
  expect_exact(items_of<TypeParam>(extent(3) << 18, 3, 2));
  expect_exact(std::vector<TypeParam>(std::size_t(5) << 17, std::numeric_limits<TypeParam>::max()));
  expect_exact(std::vector<TypeParam>(std::size_t(5) << 17, std::numeric_limits<TypeParam>::denorm_min()));
  expect_exact(std::vector<TypeParam>(std::size_t(5) << 17, std::nextafter(TypeParam(1), TypeParam(0))));
}

TYPED_TEST(hold, lanes_that_are_full)
{
  using T = TypeParam;
  std::vector<T> items(std::size_t(1) << 21, T(1 - 0x1p-38));
  std::fill_n(items.begin(), 4096, T(.26));  // which the lanes take for the usual size
  expect_exact(items);
  auto const many = T(.5 + 0x1p-39 - 0x1p-53);  // leaves as much as it can to the second part
  for (int e = 20; e < 34; ++e) {
    items.assign(std::size_t(1) << 18, many);
    for (std::size_t i = 0; i < items.size(); i += 999) items[i] = std::ldexp(std::nextafter(T(1), T(2)), -e);
    expect_exact(items);
  }
}

TYPED_TEST(hold, magnitudes_that_change_on_the_way)
{
  std::vector<TypeParam> items;
  for (int const top : {0, 100, -100, 1, 2, 3, 40, -60, 120})
    for (TypeParam const x : items_of<TypeParam>(5000, top, 12)) items.push_back(x);
  expect_exact(items);
}

TYPED_TEST(hold, what_is_no_number_is_noted)
{
  using of = std::numeric_limits<TypeParam>;
  for (TypeParam const strange : {of::infinity(), -of::infinity(), of::quiet_NaN()})
    for (std::size_t const at : {std::size_t(0), std::size_t(4000), std::size_t(4999), std::size_t(9990)}) {
      auto items = items_of<TypeParam>(9999, 5, 10);
      items[at]  = strange;
      expect_exact(items);
    }
}

}  // namespace
