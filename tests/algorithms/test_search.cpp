// SPDX-License-Identifier: Apache-2.0
#include "apart.hpp"
#include "compaction.hpp"
#include "inputs.hpp"
#include "kernel_log.hpp"
#include "sizes.hpp"

#include <onepass/search.hpp>

#include <limits>
#include <numeric>

using namespace test;

namespace {

/// Both searches agree with std, whose order is `reference`.
template <class Sorted, class Needles, class T, class Less, class Reference>
void expect_found(Sorted const& sorted, Needles const& needles, std::vector<T> const& items,
                  std::vector<T> const& asked, Less const& less, Reference const& reference)
{
  extent const room = onepass::as_input(needles).size + 3;
  guarded<std::int32_t> const lower(room, 1);
  guarded<extent> const upper(room);
  onepass::lower_bound(row(), sorted, needles, lower.view(), less);
  onepass::upper_bound(row(), sorted, needles, upper.view(), less);
  std::vector<std::int32_t> low;
  std::vector<extent> high;
  for (auto const& x : asked) {
    low.push_back(std::int32_t(std::lower_bound(items.begin(), items.end(), x, reference) - items.begin()));
    high.push_back(std::upper_bound(items.begin(), items.end(), x, reference) - items.begin());
  }
  ASSERT_NO_FATAL_FAILURE(expect_compacted(lower, low));
  ASSERT_NO_FATAL_FAILURE(expect_compacted(upper, high));
}

/// The same of m needles among n items, in the library's order.
template <class T>
void expect_found_at_random(extent n, extent m)
{
  auto items       = random_items<T>(n);
  auto const asked = random_items<T>(m, 1);
  std::sort(items.begin(), items.end());
  guarded<T> const sorted(items, 1), needles(asked, 2);
  SCOPED_TRACE(std::to_string(m) + " needles in " + std::to_string(n));
  expect_found(sorted.view(), needles.view(), items, asked, onepass::less{}, std::less<T>{});
}

template <class T>
class bounds : public testing::Test {};
using types = testing::Types<std::uint8_t, std::int32_t, double>;
TYPED_TEST_SUITE(bounds, types);

TYPED_TEST(bounds, agree_with_std)
{
  std::vector<extent> const sizes{0, 1, 2, 3, 64, 257, 5003};
  for (extent const n : sizes)
    for (extent const m : sizes) ASSERT_NO_FATAL_FAILURE(expect_found_at_random<TypeParam>(n, m));
}

/// So many that threads of a device search for several.
TEST(bounds_of, many_needles) { expect_found_at_random<std::int32_t>(3001, 70001); }

/// Hosts search for some needles side by side.
TYPED_TEST(bounds, agree_with_std_for_few_needles_and_in_place)
{
  for (extent const n : {0, 1, 2, 5, 100, 1023, 1024, 1025})
    for (extent const m : {1, 7, 8, 9, 15, 16, 17, 130, 1500})
      ASSERT_NO_FATAL_FAILURE(expect_found_at_random<TypeParam>(n, m));
  std::vector<int> items(3000), wanted;
  std::iota(items.begin(), items.end(), 0);
  auto const asked = keyed_items<int>(1003);
  for (auto const x : asked) wanted.push_back(int(std::lower_bound(items.begin(), items.end(), x) - items.begin()));
  guarded<int> const sorted(items), data(asked);
  onepass::lower_bound(row(), sorted.view(), data.view(), data.view());
  ASSERT_TRUE(data.items() == wanted);
}

TEST(bounds_of, nans_among_numbers_and_needles)
{
  double const nan = std::numeric_limits<double>::quiet_NaN();
  nans_behind<double> const in_order{};
  for (extent const n : {1, 2, 30, 1000})
    for (extent const nans : {extent(0), extent(1), n / 2, n}) {
      auto items = random_items<double>(n);
      for (extent i = 0; i < nans; ++i) items[std::size_t(i)] = nan;
      items[std::size_t(n - 1)] = nans == n ? nan : 0.0;
      std::sort(items.begin(), items.end(), in_order);
      auto asked = random_items<double>(100, 1);
      for (std::size_t i = 0; i < asked.size(); ++i) {
        if (i >= 40 && i % 8 == 3) asked[i] = nan;
        if (i % 10 == 0) asked[i] = -0.0;
        if (i % 7 == 0) asked[i] = items[i % items.size()];
      }
      guarded<double> const sorted(items), needles(asked);
      SCOPED_TRACE(std::to_string(nans) + " NaNs of " + std::to_string(n));
      ASSERT_NO_FATAL_FAILURE(expect_found(sorted.view(), needles.view(), items, asked, onepass::less{}, in_order));
    }
}

struct down {
  ONEPASS_FUNCTION bool operator()(int a, int b) const { return a > b; }
};

TEST(bounds_of, items_apart_sequences_and_sizes_from_the_device_by_an_order_of_ones_own)
{
  auto items       = random_items<int>(5000);
  auto const asked = random_items<int>(3000, 1);
  std::sort(items.begin(), items.end(), down{});
  expect_found(apart<int>(items).view(), apart<int>(asked).view(), items, asked, down{}, down{});

  guarded<int> const sorted(items), needles(asked);
  for (auto const& [n, m] : {std::pair<extent, extent>{0, 100}, {2000, 1000}, {5000, 3000}, {100, 0}}) {
    single<extent> const size(n), number(m);
    SCOPED_TRACE(std::to_string(m) + " needles in " + std::to_string(n));
    expect_found(onepass::first(sorted.view(), size.view()), onepass::first(needles.view(), number.view()),
                 std::vector<int>(items.begin(), items.begin() + n), std::vector<int>(asked.begin(), asked.begin() + m),
                 down{}, down{});
  }

  guarded<extent> const positions(100);
  onepass::lower_bound(row(), onepass::multiples{10, 50}, onepass::counting<extent>{1, 100}, positions.view());
  std::vector<extent> expected;
  for (extent x = 1; x <= 100; ++x) expected.push_back((x + 9) / 10);
  expect_compacted(positions, expected);
}

TEST(bounds_of, nans_are_behind_all_numbers)
{
  double const nan = std::numeric_limits<double>::quiet_NaN(), most = std::numeric_limits<double>::infinity();
  guarded<double> const sorted(std::vector<double>{-most, 0, 1, most, nan, -nan}),
      needles(std::vector<double>{nan, most});
  guarded<int> const lower(2), upper(2);
  onepass::lower_bound(row(), sorted.view(), needles.view(), lower.view());
  onepass::upper_bound(row(), sorted.view(), needles.view(), upper.view());
  EXPECT_EQ(lower.items(), (std::vector<int>{4, 3}));
  EXPECT_EQ(upper.items(), (std::vector<int>{6, 4}));
}

TEST(bounds_of, needles_may_become_their_positions)
{
  std::vector<int> const items{1, 3, 3, 7};
  guarded<int> const sorted(items), both(std::vector<int>{0, 3, 9, 7});
  onepass::upper_bound(row(), sorted.view(), both.view(), both.view());
  EXPECT_EQ(both.items(), (std::vector<int>{0, 3, 4, 4}));
}

TEST(bounds_discipline, waits_for_nothing_and_refuses_what_can_not_be_right)
{
  std::vector<int> items(1000);
  std::iota(items.begin(), items.end(), 0);
  for (auto const& mine : Kokkos::Experimental::partition_space(exec_space{}, 1, 1)) {
    guarded<int> const sorted(items), needles(items);
    guarded<int> const positions(extent(items.size()));
    kernel_log const log;
    onepass::lower_bound(row(mine), sorted.view(), needles.view(), positions.view());
    expect_discipline(log, mine);
  }
  guarded<int> const data(items), few(9);
  guarded<std::int8_t> const narrow(extent(items.size()));
  expect_says(refusal([&] { onepass::lower_bound(row(), data.view(), data.view(), few.view()); }), {"9", "1000"});
  expect_says(refusal([&] { onepass::lower_bound(row(), data.view(), data.view(), narrow.view()); }), {"wider"});
  expect_says(refusal([&] { onepass::upper_bound(row(), data.view(), few.view(), data.view()); }), {"shares memory"});
  EXPECT_TRUE(few.untouched());
  EXPECT_TRUE(narrow.untouched());
  EXPECT_TRUE(data.items() == items);
}

}  // namespace
