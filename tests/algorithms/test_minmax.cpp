// SPDX-License-Identifier: Apache-2.0
// Many items are equal, so that ties are everywhere.
#include "apart.hpp"
#include "compaction.hpp"
#include "inputs.hpp"
#include "kernel_log.hpp"
#include "sizes.hpp"

#include <onepass/minmax.hpp>

#include <cmath>
#include <limits>

using namespace test;

namespace {

/// Items of a few values.
template <class T>
std::vector<T> few_values(extent n, unsigned values, std::uint64_t salt = 0)
{
  random_words engine(seed() + salt);
  std::vector<T> items;
  for (extent i = 0; i < n; ++i) items.push_back(static_cast<T>(static_cast<float>(engine() % values)));
  return items;
}

/// All three, by one order, agree with std.
template <class In, class T, class Less, class Reference>
void expect_extremes(In const& in, std::vector<T> const& items, Less const& less, Reference const& reference)
{
  single<std::int32_t> const min(-7), low(-7);
  single<std::uint64_t> const max(7), high(7);
  onepass::min_element(row(), in, min.view(), less);
  onepass::max_element(row(), in, max.view(), less);
  onepass::minmax_element(row(), in, low.view(), high.view(), less);
  auto const first = items.begin(), last = items.end();
  auto const both = std::minmax_element(first, last, reference);
  ASSERT_EQ(min.value(), std::min_element(first, last, reference) - first);
  ASSERT_EQ(extent(max.value()), std::max_element(first, last, reference) - first);
  ASSERT_EQ(low.value(), both.first - first);
  ASSERT_EQ(extent(high.value()), both.second - first);
}

template <class T>
class extremes : public testing::Test {};
using types = testing::Types<std::uint8_t, std::int32_t, Kokkos::Experimental::half_t, double>;
TYPED_TEST_SUITE(extremes, types);

TYPED_TEST(extremes, agree_with_std)
{
  for (extent const n : edge_sizes<TypeParam>())
    for (unsigned const values : {3u, n % 2 ? 1u : 250u}) {
      auto const items = few_values<TypeParam>(n, values);
      guarded<TypeParam> const in(items, 1);
      SCOPED_TRACE("n = " + std::to_string(n) + ", values " + std::to_string(values));
      ASSERT_NO_FATAL_FAILURE(expect_extremes(in.view(), items, onepass::less{}, std::less<TypeParam>{}));
    }
}

template <class T>
class extreme_numbers : public testing::Test {};
using numbers = testing::Types<std::uint8_t, std::int8_t, std::int16_t, std::uint32_t, std::int64_t, float, double>;
TYPED_TEST_SUITE(extreme_numbers, numbers);

/// Hosts take numbers in lanes, and a block at a time.
TYPED_TEST(extreme_numbers, agree_with_std_around_lanes_and_blocks)
{
  constexpr extent block = 8192 / extent(sizeof(TypeParam));
  random_words engine(seed());
  for (extent const n : {31, 32, 65, 129, 1000})
    for (extent const more : {extent(0), 2 * block + 31})
      for (unsigned const values : {1u, 3u, 1000u}) {
        auto items = few_values<TypeParam>(n + more, values, std::uint64_t(n));
        if constexpr (std::is_floating_point_v<TypeParam>)
          for (auto& x : items) {
            if (engine() % 50 == 0) x = std::numeric_limits<TypeParam>::quiet_NaN();
            if (x == 0 && engine() % 2 == 0) x = -x;
            if (values == 3 && engine() % 3 == 0) x = -std::numeric_limits<TypeParam>::infinity();
          }
        guarded<TypeParam> const in(items, 1);
        SCOPED_TRACE("n = " + std::to_string(n + more) + ", values " + std::to_string(values));
        ASSERT_NO_FATAL_FAILURE(expect_extremes(in.view(), items, onepass::less{}, nans_behind<TypeParam>{}));
      }
}

/// The most extreme ones alone, at each place of the first and of the last block.
template <class T>
class extreme_places : public testing::Test {};
using numbers_of_all_widths = testing::Types<std::uint8_t, std::int16_t, float, double>;
TYPED_TEST_SUITE(extreme_places, numbers_of_all_widths);
TYPED_TEST(extreme_places, are_found_wherever_they_lie)
{
  extent const n = 300 + (sizeof(TypeParam) == 8 ? 2048 : 0);
  for (extent at = 0; at < n; at += at < 68 || at >= n - 68 ? 1 : 61) {
    std::vector<TypeParam> items(std::size_t(n), TypeParam(50));
    auto const extreme     = TypeParam(at % 3 == 0 ? 49 : 51);  // in every lane one or the other, by turns
    items[std::size_t(at)] = extreme;
    if (extent const next = at + 5; next < n) items[std::size_t(next)] = extreme;
    guarded<TypeParam> const in(items);
    SCOPED_TRACE("at " + std::to_string(at));
    ASSERT_NO_FATAL_FAILURE(expect_extremes(in.view(), items, onepass::less{}, std::less<TypeParam>{}));
  }
}

TEST(extreme_values, of_numbers_that_are_nans_alone)
{
  for (extent const n : {1, 2, 40, 200, 3000}) {
    std::vector<double> const items(std::size_t(n), std::numeric_limits<double>::quiet_NaN());
    guarded<double> const in(items);
    ASSERT_NO_FATAL_FAILURE(expect_extremes(in.view(), items, onepass::less{}, nans_behind<double>{})) << "n = " << n;
  }
}

template <class T>
struct falling {
  ONEPASS_FUNCTION bool operator()(T const& a, T const& b) const { return b < a; }
};

TEST(extremes_by, a_comparator_that_is_a_template)
{
  auto const items = few_values<int>(1000, 20, 1);
  guarded<int> const in(items);
  expect_extremes(in.view(), items, falling<int>{}, std::greater<int>{});
}

struct of_key_down {
  ONEPASS_FUNCTION bool operator()(triple const& a, triple const& b) const { return a.key > b.key; }
};

TEST(extreme_values, of_structs_go_by_a_comparator)
{
  for (extent const n : some_sizes<triple>()) {
    auto const items = keyed_items<triple>(n);
    guarded<triple> const in(items);
    ASSERT_NO_FATAL_FAILURE(expect_extremes(in.view(), items, of_key_down{}, of_key_down{})) << "n = " << n;
  }
}

TEST(extreme_values, of_items_apart_sequences_and_sizes_from_the_device)
{
  using item       = std::int32_t;
  extent const n   = many_tiles<item>();
  auto const items = few_values<item>(n, 1000);
  expect_extremes(apart<item>(items).view(), items, onepass::less{}, std::less<>{});
  expect_extremes(onepass::constant<item>{3, 777}, std::vector<item>(777, 3), onepass::less{}, std::less<>{});
  guarded<item> const in(items);
  single<extent> const size;
  for (extent const some : {extent(0), extent(1), n / 2, n}) {
    Kokkos::deep_copy(size.view(), some);
    SCOPED_TRACE("the first " + std::to_string(some));
    expect_extremes(onepass::first(in.view(), size.view()), std::vector<item>(items.begin(), items.begin() + some),
                    onepass::less{}, std::less<>{});
  }
}

TEST(extreme_values, may_not_go_where_the_number_of_items_is)
{
  guarded<std::int32_t> const in(few_values<std::int32_t>(1000, 1000));
  single<extent> const number(10), other(7);
  auto const few = onepass::first(in.view(), number.view());
  for (auto const& said : {refusal([&] { onepass::min_element(row(), few, number.view()); }),
                           refusal([&] { onepass::max_element(row(), few, number.view()); }),
                           refusal([&] { onepass::minmax_element(row(), few, number.view(), other.view()); }),
                           refusal([&] { onepass::minmax_element(row(), few, other.view(), number.view()); })})
    expect_says(said, {"_element", "shares"});
  EXPECT_EQ(number.value(), 10);
  EXPECT_EQ(other.value(), 7);
}

TEST(extreme_values, have_nans_behind_all_numbers)
{
  float const nan = std::numeric_limits<float>::quiet_NaN(), most = std::numeric_limits<float>::infinity();
  extent const n = many_tiles<float>();
  for (extent const first : {extent(0), extent(5), n / 2, n - 3}) {
    std::vector<float> items(std::size_t(n), most);
    for (extent const i : {first, first + 2}) items[std::size_t(i)] = first == 5 ? -nan : nan;
    items[std::size_t(first + 1)] = -most;
    guarded<float> const in(items);
    single<extent> const min, max, low, high;
    onepass::min_element(row(), in.view(), min.view());
    onepass::max_element(row(), in.view(), max.view());
    onepass::minmax_element(row(), in.view(), low.view(), high.view());
    EXPECT_EQ(min.value(), first + 1);
    EXPECT_EQ(low.value(), first + 1);
    EXPECT_EQ(max.value(), first) << "NaNs are equal, and the first largest counts";
    EXPECT_EQ(high.value(), first + 2) << "the last largest";
  }
  guarded<float> const nothing_else(std::vector<float>(100, nan));
  single<extent> const min(7);
  onepass::min_element(row(), nothing_else.view(), min.view());
  EXPECT_EQ(min.value(), 0);
}

TEST(extreme_discipline, waits_for_nothing_and_refuses_a_narrow_index)
{
  for (auto const& mine : Kokkos::Experimental::partition_space(exec_space{}, 1, 1)) {
    guarded<double> const in(few_values<double>(many_tiles<double>(), 9));
    single<extent> const low, high;
    onepass::workspace<exec_space> scratch(mine);
    auto const call = [&] { onepass::minmax_element(row(mine).with(scratch), in.view(), low.view(), high.view()); };
    expect_discipline_of(call, mine);
  }
  single<std::uint8_t> const narrow(77);
  single<int> const wide(77);
  auto const many = onepass::counting<int>{0, 256};
  expect_says(refusal([&] { onepass::max_element(row(), many, narrow.view()); }), {"max_element", "256", "wider"});
  expect_says(refusal([&] { onepass::minmax_element(row(), many, wide.view(), narrow.view()); }), {"minmax_element"});
  EXPECT_EQ(narrow.value(), 77);
  EXPECT_EQ(wide.value(), 77);
}

}  // namespace
