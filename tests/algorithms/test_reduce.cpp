// SPDX-License-Identifier: Apache-2.0
#include "compaction.hpp"
#include "guarded.hpp"
#include "inputs.hpp"
#include "sizes.hpp"
#include "witness.hpp"

#include <onepass/reduce.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

using namespace test;

namespace {

template <class Interval>
class reduce : public testing::Test {};
using intervals = testing::Types<small_interval, interval<12>, large_interval>;  // 12: no load holds whole ones
TYPED_TEST_SUITE(reduce, intervals);

TYPED_TEST(reduce, takes_every_item_once_and_in_order)
{
  for (extent const n : edge_sizes<TypeParam>()) {
    faults const seen;
    guarded<TypeParam> const in(neighbours<TypeParam>(n)), total(1);
    onepass::reduce(row(), in.view(), Kokkos::subview(total.view(), 0), join{seen.sink()}, TypeParam::of(-1, 0));
    EXPECT_EQ(seen.text(), "") << "n = " << n;
    EXPECT_EQ(total.items()[0], TypeParam::of(-1, std::int32_t(n)));
    EXPECT_TRUE(total.canaries_alive());
  }
}

template <class T>
class reduce_of : public testing::Test {};
using types = testing::Types<std::uint8_t, std::int32_t, std::uint64_t, Kokkos::Experimental::half_t, double>;
TYPED_TEST_SUITE(reduce_of, types);

TYPED_TEST(reduce_of, agrees_with_std_accumulate)
{
  for (extent const n : some_sizes<TypeParam>()) {
    auto const items = random_items<TypeParam>(n);
    guarded<TypeParam> const in(items);
    single<TypeParam> const total;
    onepass::reduce(row(), in.view(), total.view());
    EXPECT_TRUE(total.value()
                == std::accumulate(items.begin(), items.end(), TypeParam(0),
                                   [](TypeParam a, TypeParam b) { return static_cast<TypeParam>(a + b); }))
        << "n = " << n;
  }
}

TEST(reduce_values, of_no_items_is_the_identity_or_init)
{
  guarded<int> const none(0);
  single<int> const total(77);
  onepass::reduce(row(), none.view(), total.view());
  EXPECT_EQ(total.value(), 0);
  onepass::reduce(row(), none.view(), total.view(), onepass::minimum{});
  EXPECT_EQ(total.value(), std::numeric_limits<int>::max());
  onepass::reduce(row(), none.view(), total.view(), onepass::plus{}, 5);
  EXPECT_EQ(total.value(), 5);
}

TEST(reduce_values, takes_init_from_the_device_when_the_kernel_runs)
{
  guarded<int> const in(std::vector<int>(1000, 1));
  single<int> const init, total;
  Kokkos::deep_copy(init.view(), 40);
  onepass::reduce(row(), in.view(), total.view(), onepass::plus{}, init.view());
  EXPECT_EQ(total.value(), 1040);
}

TEST(reduce_values, may_not_go_where_the_number_of_items_is)
{
  guarded<extent> const in(std::vector<extent>(1'000'000, 1000));
  single<extent> const number(10);
  auto const few = onepass::first(in.view(), number.view());
  expect_says(refusal([&] { onepass::reduce(row(), few, number.view()); }), {"reduce", "shares"});
  expect_says(refusal([&] { onepass::dot(row(), few, in.view(), number.view()); }), {"dot", "shares"});
  EXPECT_EQ(number.value(), 10);
}

struct squared {
  ONEPASS_FUNCTION std::uint64_t operator()(std::uint32_t x) const { return std::uint64_t(x) * x; }
};

TEST(reduce_values, transforms_into_the_type_of_the_total)
{
  extent const n   = many_tiles<std::uint32_t>();
  auto const items = random_items<std::uint32_t>(n);
  guarded<std::uint32_t> const in(items);
  single<std::uint64_t> const total;
  onepass::transform_reduce(row(), in.view(), total.view(), squared{});
  std::uint64_t expected = 0;
  for (std::uint64_t const x : items) expected += x * x;
  EXPECT_EQ(total.value(), expected);
}

TEST(reduce_values, keeps_the_order_of_an_operator_that_does_not_commute)
{
  auto const items = random_items<affine>(many_tiles<affine>());
  guarded<affine> const in(items);
  single<affine> const total;
  onepass::reduce(row(), in.view(), total.view(), compose_from_identity{});
  auto expected = items[0];
  for (std::size_t i = 1; i < items.size(); ++i)
    expected = {items[i].a * expected.a, items[i].a * expected.b + items[i].b};
  EXPECT_TRUE(total.value() == expected);
}

/// Items of an odd number of wide words.
struct of_three {
  std::uint64_t sum, newest, oldest;
  friend bool operator==(of_three const&, of_three const&) = default;
};
struct join_three {
  ONEPASS_FUNCTION of_three operator()(of_three const& a, of_three const& b) const
  {
    return {a.sum + b.sum, b.newest, a.oldest};
  }
};

TEST(reduce_values, keep_the_order_of_items_that_no_load_holds)
{
  for (extent const begin : {0, 1})
    for (extent const n : {extent(1), extent(159), extent(160), extent(5000), many_tiles<of_three>()}) {
      std::vector<of_three> items;
      for (extent i = 0; i < n; ++i) items.push_back({std::uint64_t(i * i), std::uint64_t(i), std::uint64_t(i + 7)});
      guarded<of_three> const in(items, begin);
      single<of_three> const total;
      onepass::reduce(row(), in.view(), total.view(), join_three{}, of_three{5, 6, 3});
      auto const expected = std::accumulate(items.begin(), items.end(), of_three{5, 6, 3}, join_three{});
      EXPECT_TRUE(total.value() == expected) << n << " from " << begin;
    }
}

/// The newest of all.
struct newest {
  template <class T>
  ONEPASS_FUNCTION T operator()(T, T newer) const
  {
    return newer;
  }
};

template <class T>
void expect_totals_wherever_a_view_begins()
{
  single<T> const total;
  for (extent const begin : {0, 1, 2, 7, 13})
    for (extent const n : {extent(1), extent(5), extent(15), extent(16), extent(17), many_tiles<T>()}) {
      auto const items = random_items<T>(n);
      guarded<T> const in(items, begin);
      onepass::reduce(row(), in.view(), total.view());
      EXPECT_TRUE(total.value() == std::accumulate(items.begin(), items.end(), T(0))) << n << " from " << begin;
      onepass::reduce(row(), in.view(), total.view(), newest{}, T(0));
      EXPECT_TRUE(total.value() == items.back()) << n << " from " << begin;
    }
}

TEST(reduce_values, are_the_same_wherever_a_view_begins)
{
  expect_totals_wherever_a_view_begins<std::uint8_t>();
  expect_totals_wherever_a_view_begins<std::uint32_t>();
  expect_totals_wherever_a_view_begins<std::uint64_t>();
}

TEST(reduce_values, of_floats_that_are_nothing_is_a_positive_zero)
{
  guarded<float> const none(0), zeros(std::vector<float>(3, -0.0f));
  single<float> const total(77.0f);
  onepass::reduce(row(), none.view(), total.view());
  EXPECT_TRUE(total.value() == 0 && !std::signbit(total.value()));
  onepass::reduce(row(), zeros.view(), total.view());
  EXPECT_FALSE(std::signbit(total.value())) << "as std::reduce, which begins with +0.0";
}

TEST(reduce_values, takes_the_operators_of_std_and_kokkos)
{
  auto const items = random_items<std::uint8_t>(many_tiles<std::uint8_t>());
  guarded<std::uint8_t> const in(items);
  single<std::uint8_t> const total;
  onepass::reduce(row(), in.view(), total.view(), std::plus<>{});
  EXPECT_EQ(total.value(), std::accumulate(items.begin(), items.end(), std::uint8_t(0)));
  onepass::reduce(row(), in.view(), total.view(), std::bit_xor<std::uint8_t>{});
  EXPECT_EQ(total.value(), std::accumulate(items.begin(), items.end(), std::uint8_t(0), std::bit_xor<>{}));
  std::uint8_t anywhere = 0;
  onepass::reduce(row(), in.view(), total.view(), Kokkos::Max<std::uint8_t, Kokkos::HostSpace>(anywhere));
  EXPECT_EQ(total.value(), *std::max_element(items.begin(), items.end()));
}

struct wide_sum {
  ONEPASS_FUNCTION int operator()(std::uint8_t a, std::uint8_t b) const { return a + b; }
};

TEST(reduce_values, converts_what_an_operator_returns)
{
  auto const items = random_items<std::uint8_t>(many_tiles<std::uint8_t>());
  guarded<std::uint8_t> const in(items);
  single<std::uint8_t> const total;
  onepass::reduce(row(), in.view(), total.view(), wide_sum{}, 0);
  EXPECT_EQ(total.value(), std::accumulate(items.begin(), items.end(), std::uint8_t(0)));
}

TEST(reduce_values, of_a_sequence_needs_no_memory)
{
  single<std::int64_t> const total;
  onepass::reduce(row(), onepass::counting<std::int64_t>{1, 5000}, total.view());
  EXPECT_EQ(total.value(), 5000 * 5001 / 2);
}

/// Gives what is of another type than it says, where that lies in memory; and its size as memory counts.
struct wider {
  using value_type = double;
  unmanaged<float> x;
  std::size_t size;
  KOKKOS_FUNCTION float const& operator()(extent i) const { return x(i); }
};

TEST(reduce_values, of_a_sequence_are_of_the_type_that_it_says)
{
  std::vector<float> items(3000);
  std::iota(items.begin(), items.end(), 0.f);
  guarded<float> const in(items);
  single<double> const total;
  onepass::reduce(row(), wider{in.view(), items.size()}, total.view());
  EXPECT_EQ(total.value(), 3000. * 2999 / 2);
}

}  // namespace
