// SPDX-License-Identifier: Apache-2.0
// Items of few keys that carry their positions, so that a sort which is not stable shows.
#include "compaction.hpp"
#include "kernel_log.hpp"
#include "sorting.hpp"

#include <onepass/merge_sort.hpp>

#include <gtest/gtest.h>

using namespace test;

namespace {

struct by_key {
  template <class T>
  ONEPASS_FUNCTION bool operator()(T const& x, T const& y) const
  {
    return key_of(x) % 50 < key_of(y) % 50;
  }
};

struct greatest_first {
  ONEPASS_FUNCTION bool operator()(std::uint32_t x, std::uint32_t y) const { return y < x; }
};

/// Larger than what a thread's registers hold of it many times.
struct wide {
  std::uint32_t key, words[15];
};
struct by_first_word {
  ONEPASS_FUNCTION bool operator()(wide const& x, wide const& y) const { return x.key < y.key; }
};

template <class T, class Less>
std::vector<T> in_order(std::vector<T> items, Less const& less)
{
  std::stable_sort(items.begin(), items.end(), less);
  return items;
}

template <class T>
class merge_sort_of : public testing::Test {};
using types = testing::Types<std::uint8_t, std::uint32_t, double, triple>;
TYPED_TEST_SUITE(merge_sort_of, types);

TYPED_TEST(merge_sort_of, agrees_with_std)
{
  for (extent const n : sort_sizes()) {
    auto const items = keyed_items<TypeParam>(n);
    guarded<TypeParam> const in(items, 1), out(n);
    SCOPED_TRACE("n = " + std::to_string(n));
    onepass::merge_sort(row(), in.view(), out.view(), by_key{});
    ASSERT_NO_FATAL_FAILURE(expect_items(out, in_order(items, by_key{})));
    ASSERT_NO_FATAL_FAILURE(expect_items(in, items));
    onepass::merge_sort(row(), in.view(), in.view(), by_key{});
    ASSERT_NO_FATAL_FAILURE(expect_items(in, in_order(items, by_key{})));
  }
}

/// Runs that are in order already, some of them with equal items on both sides, are merged by copying.
TEST(merge_sort, keeps_what_is_in_order)
{
  for (extent const n : {extent(17), extent(33), extent(1000), many_keys})
    for (extent const pieces : {1, 2, 3, 8}) {
      std::vector<triple> items = keyed_items<triple>(n);
      for (extent p = 0; p < pieces; ++p)
        std::stable_sort(items.begin() + n * p / pieces, items.begin() + n * (p + 1) / pieces, by_key{});
      guarded<triple> const in(items), out(n);
      SCOPED_TRACE("n = " + std::to_string(n) + " in " + std::to_string(pieces));
      onepass::merge_sort(row(), in.view(), out.view(), by_key{});
      ASSERT_NO_FATAL_FAILURE(expect_items(out, in_order(items, by_key{})));
      onepass::merge_sort(row(), in.view(), in.view(), by_key{});
      ASSERT_NO_FATAL_FAILURE(expect_items(in, in_order(items, by_key{})));
    }
}

/// What falls is turned round if no two items are equal; where some are, their order has to stay.
TEST(merge_sort, turns_round_what_falls)
{
  for (extent const n : {extent(2), extent(3), extent(9), extent(64), extent(1001), many_keys})
    for (extent const alike : {1, 2, 5})
      for (extent const last : {extent(0), n - 1}) {
        std::vector<std::uint32_t> items;
        for (extent i = 0; i < n; ++i) items.push_back(std::uint32_t((n - i) / alike));
        std::swap(items[0], items[std::size_t(last)]);
        std::vector<std::uint32_t> places(static_cast<std::size_t>(n));
        std::iota(places.begin(), places.end(), 0u);
        SCOPED_TRACE("n = " + std::to_string(n) + ", " + std::to_string(alike) + " alike, 0 and "
                     + std::to_string(last));
        auto const order = order_of(items, std::less<>{});
        guarded<std::uint32_t> const in(items), out(n), beside(places, 1), beside_out(n);
        onepass::merge_sort_by_key(row(), in.view(), beside.view(), out.view(), beside_out.view());
        ASSERT_NO_FATAL_FAILURE(expect_items(out, gathered(items, order)));
        ASSERT_NO_FATAL_FAILURE(expect_items(beside_out, order));
        onepass::merge_sort(row(), in.view(), in.view());
        ASSERT_NO_FATAL_FAILURE(expect_items(in, gathered(items, order)));
      }
}

TEST(merge_sort, takes_items_of_64_bytes)
{
  for (extent const n : {extent(1), extent(257), many_keys / 4}) {
    random_words engine(seed() + std::uint64_t(n));
    std::vector<wide> items;
    for (extent i = 0; i < n; ++i) items.push_back({std::uint32_t(engine() % 9), {std::uint32_t(i)}});
    guarded<wide> const in(items), out(n);
    SCOPED_TRACE("n = " + std::to_string(n));
    onepass::merge_sort(row(), in.view(), out.view(), by_first_word{});
    ASSERT_NO_FATAL_FAILURE(expect_items(out, in_order(items, by_first_word{})));
  }
}

TEST(merge_sort, has_nans_behind_all_numbers)
{
  float const nan = std::numeric_limits<float>::quiet_NaN();
  guarded<float> const in(std::vector<float>{nan, 3, -1, nan, 2}), out(5);
  onepass::merge_sort(row(), in.view(), out.view());
  auto const got = out.items();
  EXPECT_EQ(std::vector<float>(got.begin(), got.begin() + 3), (std::vector<float>{-1, 2, 3}));
  EXPECT_TRUE(got[3] != got[3] && got[4] != got[4]);
}

TEST(merge_sort_by_key, moves_values_of_any_size_with_their_keys)
{
  for (extent const n : sort_sizes()) {
    auto const keys   = random_keys<std::uint32_t>(n, spread::few);
    auto const values = keyed_items<triple>(n);
    auto const order  = order_of(keys, std::less<>{});
    SCOPED_TRACE("n = " + std::to_string(n));
    guarded<std::uint32_t> const in(keys), out(n);
    guarded<triple> const beside(values), moved(n);
    onepass::merge_sort_by_key(row(), in.view(), beside.view(), out.view(), moved.view());
    ASSERT_NO_FATAL_FAILURE(expect_items(out, gathered(keys, order)));
    ASSERT_NO_FATAL_FAILURE(expect_items(moved, gathered(values, order)));
    onepass::merge_sort_by_key(row(), in.view(), beside.view(), in.view(), beside.view());
    ASSERT_NO_FATAL_FAILURE(expect_items(in, gathered(keys, order)));
    ASSERT_NO_FATAL_FAILURE(expect_items(beside, gathered(values, order)));
    // The keys alone in place, the greatest first; the values are a sequence.
    guarded<std::uint64_t> const from(n);
    onepass::merge_sort_by_key(row(), out.view(), onepass::counting<std::uint64_t>{5, n}, out.view(), from.view(),
                               greatest_first{});
    std::vector<std::uint64_t> expected;
    for (auto const i : order_of(gathered(keys, order), std::greater<>{})) expected.push_back(i + 5);
    ASSERT_NO_FATAL_FAILURE(expect_items(from, expected));
  }
}

TEST(merge_sort_discipline, waits_for_nothing_and_refuses_what_can_not_be_right)
{
  extent const n  = many_keys;
  auto const keys = random_keys<std::uint32_t>(n, spread::uniform);
  guarded<std::uint32_t> const in(keys), out(n), few(n - 1), values(n), moved(n);
  for (auto const& mine : Kokkos::Experimental::partition_space(exec_space{}, 1, 1)) {
    onepass::workspace<exec_space> scratch(mine);
    auto const call = [&] { onepass::merge_sort(row(mine).with(scratch), in.view(), out.view()); };
    expect_discipline_of(call, mine);
  }
  expect_says(refusal([&] { onepass::merge_sort(row(), in.view(), few.view()); }),
              {"merge_sort", std::to_string(n - 1), std::to_string(n)});
  auto const half = Kokkos::subview(values.view(), std::pair<extent, extent>(0, n / 2));
  expect_says(refusal([&] { onepass::merge_sort_by_key(row(), in.view(), half, out.view(), moved.view()); }),
              {"merge_sort_by_key", std::to_string(n / 2)});
  expect_says(refusal([&] { onepass::merge_sort_by_key(row(), in.view(), values.view(), out.view(), out.view()); }),
              {"merge_sort_by_key", "shares memory"});
  EXPECT_TRUE(few.untouched());
  EXPECT_TRUE(moved.untouched());
}

}  // namespace
