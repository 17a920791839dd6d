// SPDX-License-Identifier: Apache-2.0
#include <onepass/exact_sum.hpp>

#include "seed.hpp"

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

// Sums without rounding against big integers.

namespace {

using onepass::held_product;
using onepass::held_sum;
using u64 = std::uint64_t;

constexpr double infinite = std::numeric_limits<double>::infinity();

/// An integer of 4480 bits in two's complement, whose unit is 2^-2148.
class big {
public:
  void add(double x, double y = 1)
  {
    int e, f;
    auto const m = std::int64_t(std::ldexp(std::frexp(x, &e), 53)), n = std::int64_t(std::ldexp(std::frexp(y, &f), 53));
    if (m == 0 || n == 0) return;
    int at       = e + f - 106 + 2148;
    auto product = static_cast<__int128>(m) * n;
    for (; at < 0; ++at) product /= 2;  // these bits are zero
    std::array<u64, limbs> moved{};
    u64 const sign = product < 0 ? ~u64(0) : 0;
    for (int l = 0; l < limbs; ++l) {
      int const from = 64 * l - at;  // the bit of the product that is the lowest here
      if (from >= 128) moved[l] = sign;
      else if (from >= 0) moved[l] = u64(product >> from);
      else if (from > -64) moved[l] = u64(product) << -from;
    }
    unsigned __int128 carry = 0;
    for (int l = 0; l < limbs; ++l) {
      carry += static_cast<unsigned __int128>(words_[l]) + moved[l];
      words_[l] = u64(carry);
      carry >>= 64;
    }
  }
  /// Nearest even.
  template <class Float>
  Float rounded() const
  {
    constexpr int precision = std::numeric_limits<Float>::digits;
    constexpr int least     = std::numeric_limits<Float>::min_exponent - precision;
    auto size               = words_;
    bool const negative     = size.back() >> 63 != 0;
    if (negative) {
      bool more = true;
      for (auto& w : size) w = ~w + more, more = more && w == 0;
    }
    auto const bit = [&](int b) { return b >= 0 && (size[std::size_t(b / 64)] >> b % 64 & 1) != 0; };
    int high = limbs - 1, low = 0;
    while (high >= 0 && size[std::size_t(high)] == 0) --high;
    if (high < 0) return 0;
    while (size[std::size_t(low)] == 0) ++low;
    int const top    = 64 * high + 63 - std::countl_zero(size[std::size_t(high)]);
    int const bottom = 64 * low + std::countr_zero(size[std::size_t(low)]);
    int const lowest = std::max(top - precision + 1, least + 2148);
    u64 q            = 0;
    for (int b = top; b >= lowest; --b) q = 2 * q + bit(b);
    if (bit(lowest - 1) && (bottom < lowest - 1 || q % 2 == 1)) ++q;
    auto const x = Float(std::ldexp(static_cast<long double>(q), lowest - 2148));
    return negative ? -x : x;
  }

private:
  static constexpr int limbs = 70;
  std::array<u64, limbs> words_{};
};

template <class Float>
auto bits(Float x)
{
  return std::bit_cast<std::conditional_t<sizeof(Float) == 8, std::uint64_t, std::uint32_t>>(x);
}

/// Both kinds of sums of the items, in this order and cut in two.
template <class Float>
void expect_sums(std::vector<double> const& items, bool held)
{
  big oracle;
  for (double const x : items) oracle.add(x);
  auto const wanted = oracle.rounded<Float>();
  held_sum fast(0.0), half[2] = {fast, fast}, together(0.0);
  auto digits = onepass::long_sum<>::zero(), others = onepass::long_sum<>::zero();
  for (std::size_t i = 0; i < items.size(); ++i) {
    fast.add(items[i]);
    half[i % 2] = onepass::hold_plus()(half[i % 2], held_sum(items[i]));
    (i % 3 == 0 ? digits : others).add(items[i]);
    if (i % 4 == 0) {
      auto const item          = [&](std::size_t k) { return held_sum(k < items.size() ? items[k] : 0.0); };
      held_sum const several[] = {item(i), item(i + 1), item(i + 2), item(i + 3)};
      together                 = onepass::hold_plus::all(together, several);
    }
  }
  digits.settle();
  others.combine(digits);
  EXPECT_EQ(bits(others.round_to<Float>()), bits(wanted)) << items.size() << " items";
  for (auto const& sum : {fast, onepass::hold_plus()(half[0], half[1]), together}) {
    auto const got = Float(sum);
    if (held || got == got) { EXPECT_EQ(bits(got), bits(wanted)) << items.size() << " items"; }
  }
}

struct exact_sums : ::testing::Test {
  std::uint64_t const seed = test::seed();
  std::mt19937_64 random{seed};

  /// A random number of about that exponent, of few bits half of the time.
  double of_exponent(int e)
  {
    auto const m = random() >> (random() % 2 ? 11 : 11 + random() % 50) | 1;
    return (random() % 2 ? 1 : -1) * std::ldexp(double(m), e - 52);
  }
};

TEST_F(exact_sums, of_every_range)
{
  SCOPED_TRACE(::testing::Message() << "ONEPASS_SEED=" << seed);
  for (int n : {0, 1, 2, 3, 10, 100})
    for (int span : {1, 3, 30, 80, 300, 2096})
      for (int turn = 0; turn < 30; ++turn) {
        int const low = -1074 + int(random() % u64(2097 - span));
        std::vector<double> items;
        for (int i = 0; i < n; ++i) items.push_back(of_exponent(low + int(random() % u64(span))));
        for (auto& x : items)
          if (!std::isfinite(x)) x = 1;
        bool const held = span <= 30 && low + span < 1000;
        expect_sums<double>(items, held);
        expect_sums<float>(items, held);
      }
}

TEST_F(exact_sums, that_cancel_and_that_are_halfway)
{
  SCOPED_TRACE(::testing::Message() << "ONEPASS_SEED=" << seed);
  for (int turn = 0; turn < 3000; ++turn) {
    auto const x = of_exponent(int(random() % 1000) - 500), unit = std::ldexp(1.0, std::ilogb(x) - 53);
    auto const tiny = (random() % 2 ? 1 : -1) * std::ldexp(1.0, std::ilogb(x) - int(random() % 120));
    for (double const y : {0.0, tiny})
      for (double const z : {unit, -unit, unit / 2, 2 * unit}) {
        expect_sums<double>({x, z, y}, true);
        expect_sums<double>({y, z, x, -x}, true);
        expect_sums<double>({x, y, -x}, true);
      }
    float const f    = float(of_exponent(int(random() % 200) - 130));
    double const ulp = std::ldexp(1.0, std::max(std::ilogb(f), -126) - 24);
    for (double const y : {0.0, 1e-300, -1e-300, ulp * 0x1p-60}) expect_sums<float>({f, ulp, y}, true);
  }
  EXPECT_EQ(bits(double(held_sum(-0.0))), bits(0.0));
  EXPECT_EQ(bits(onepass::long_sum<>::zero().round_to<double>()), bits(0.0));
}

TEST_F(exact_sums, overflow_only_at_the_end)
{
  double const most = std::numeric_limits<double>::max();
  expect_sums<double>({most, most, -most}, false);
  expect_sums<double>({most, most}, false);
  expect_sums<double>({most, 0x1p970}, false);  // halfway: to even, which is infinite
  expect_sums<double>({most, 0x1p970, -5e-324}, false);
  expect_sums<float>({std::numeric_limits<float>::max(), 0x1p103}, true);
  expect_sums<float>({std::numeric_limits<float>::max(), 0x1p103, -1e-300}, true);
  expect_sums<float>({0x1p-150, 1e-300}, true);
  expect_sums<float>({0x1p-150}, true);
}

TEST_F(exact_sums, of_what_is_no_number)
{
  auto const of = [](std::initializer_list<double> items) {
    auto sum = onepass::long_sum<>::zero();
    held_sum fast(0.0);
    for (double const x : items) sum.add(x), fast.add(x);
    EXPECT_TRUE(std::isnan(double(fast)));
    held_sum const several[] = {held_sum(2.0), fast};
    EXPECT_TRUE(std::isnan(double(onepass::hold_plus::all(held_sum(1.0), several))));
    return sum.round_to<double>();
  };
  EXPECT_EQ(of({1, infinite}), infinite);
  EXPECT_EQ(of({-infinite, 1, -infinite}), -infinite);
  EXPECT_TRUE(std::isnan(of({infinite, -infinite})));
  EXPECT_TRUE(std::isnan(of({1, std::nan("")})));
  EXPECT_TRUE(std::isnan(double(held_sum(infinite))));
}

TEST_F(exact_sums, of_products)
{
  SCOPED_TRACE(::testing::Message() << "ONEPASS_SEED=" << seed);
  for (int span : {20, 400, 2000})
    for (int turn = 0; turn < 200; ++turn) {
      big oracle;
      auto sum = onepass::long_sum<true>::zero();
      held_sum fast(0.0), together(0.0), several[3];
      for (int i = 0; i < 9; ++i) {
        auto const any = [&] { return of_exponent(int(random() % u64(span)) - span / 2); };
        double const x = any(), y = any();
        oracle.add(x, y);
        sum.add(onepass::float_product{x, y});
        fast           = onepass::hold_plus()(fast, held_product(x, y));
        several[i % 3] = held_product(x, y);
        if (i % 3 == 2) together = onepass::hold_plus::all(together, several);
      }
      auto const wanted = oracle.rounded<double>();
      EXPECT_EQ(bits(sum.round_to<double>()), bits(wanted));
      for (auto const& made : {fast, together})
        if (double const got = double(made); got == got) {
          EXPECT_EQ(bits(got), bits(wanted));
        } else EXPECT_GT(span, 20);
    }
  auto sum = onepass::long_sum<true>::zero();
  sum.add(onepass::float_product{infinite, 0});
  EXPECT_TRUE(std::isnan(sum.round_to<double>()));
}

TEST_F(exact_sums, carry_a_million_times)
{
  double const x = std::nextafter(2.0, 1.0);
  auto sum       = onepass::long_sum<>::zero();
  held_sum fast(0.0);
  for (int i = 0; i < 1 << 20; ++i) sum.add(x), sum.add(-0x1p-1074), fast.add(x);
  EXPECT_EQ(sum.round_to<double>(), std::ldexp(x, 20));
  EXPECT_EQ(double(fast), std::ldexp(x, 20));
}

}  // namespace
