// SPDX-License-Identifier: Apache-2.0
#include "compaction.hpp"
#include "sizes.hpp"

#include <onepass/partition.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <functional>

using namespace test;

namespace {

template <class T>
class partition_of : public testing::Test {};
using types = testing::Types<std::uint8_t, std::uint32_t, double, triple, long_item<3>>;
TYPED_TEST_SUITE(partition_of, types);

TYPED_TEST(partition_of, sends_every_item_to_one_of_two_outputs_in_order)
{
  for (extent const n : edge_sizes<TypeParam>()) {
    auto const items = keyed_items<TypeParam>(n);
    for (unsigned const limit : limits) {
      SCOPED_TRACE("n = " + std::to_string(n) + ", limit " + std::to_string(limit));
      auto const expected = kept(items, below{limit});
      guarded<TypeParam> const in(items), out(n, 1), others(n, 2);
      single<extent> const count(77);
      onepass::partition_if(row(), in.view(), out.view(), others.view(), count.view(), below{limit});
      ASSERT_EQ(count.value(), extent(expected.size()));
      ASSERT_NO_FATAL_FAILURE(expect_compacted(out, expected));
      ASSERT_NO_FATAL_FAILURE(expect_compacted(others, kept(items, std::not_fn(below{limit}))));
      ASSERT_TRUE(in.items() == items);
    }
  }
}

TYPED_TEST(partition_of, counts_on_where_the_outputs_are_full)
{
  extent const n      = many_tiles<TypeParam>();
  auto const items    = keyed_items<TypeParam>(n);
  auto const expected = kept(items, below{128}), expected_others = kept(items, std::not_fn(below{128}));
  for (extent const room : {extent(0), extent(5), n / 4}) {
    guarded<TypeParam> const in(items), out(room), others(2 * room, 1);
    single<extent> const count;
    onepass::partition_if(row(), in.view(), out.view(), others.view(), count.view(), below{128});
    EXPECT_EQ(count.value(), extent(expected.size()));
    ASSERT_NO_FATAL_FAILURE(expect_compacted(out, expected));
    ASSERT_NO_FATAL_FAILURE(expect_compacted(others, expected_others));
  }
}

TYPED_TEST(partition_of, fills_one_output_from_its_beginning)
{
  for (extent const n : edge_sizes<TypeParam>()) {
    auto const items = keyed_items<TypeParam>(n);
    for (unsigned const limit : limits) {
      SCOPED_TRACE("n = " + std::to_string(n) + ", limit " + std::to_string(limit));
      auto expected     = items;
      auto const middle = std::stable_partition(expected.begin(), expected.end(), below{limit});
      guarded<TypeParam> const in(items), out(n, 3);
      single<extent> const count(77);
      onepass::partition_if_into_one(row(), in.view(), out.view(), count.view(), below{limit});
      ASSERT_EQ(count.value(), middle - expected.begin());
      ASSERT_NO_FATAL_FAILURE(expect_compacted(out, expected));
    }
  }
}

/// Three thirds of the keys, or all of them in one part.
struct third {
  unsigned limit;
  template <class T>
  ONEPASS_FUNCTION int operator()(T const& x) const
  {
    return key_of(x) < limit / 2 ? 0 : key_of(x) < limit ? 2 : 1;
  }
};
template <class T>
std::vector<T> part(std::vector<T> const& items, third const& classify, int which)
{
  return kept(items, [&](T const& x) { return classify(x) == which; });
}

TYPED_TEST(partition_of, sends_every_item_to_one_of_three_outputs_in_order)
{
  for (extent const n : edge_sizes<TypeParam>()) {
    auto const items = keyed_items<TypeParam>(n);
    for (unsigned const limit : {0u, 1u, 3u, 170u, 256u}) {
      SCOPED_TRACE("n = " + std::to_string(n) + ", limit " + std::to_string(limit));
      third const classify{limit};
      std::vector<TypeParam> const parts[] = {part(items, classify, 0), part(items, classify, 1),
                                              part(items, classify, 2)};
      guarded<TypeParam> const in(items), first(n), second(n, 1), last(n, 3);
      guarded<int> const counts(3);
      onepass::partition_three_way(row(), in.view(), first.view(), second.view(), last.view(), counts.view(), classify);
      ASSERT_EQ(counts.items(), (std::vector<int>{int(parts[0].size()), int(parts[1].size()), int(parts[2].size())}));
      EXPECT_TRUE(counts.canaries_alive());
      ASSERT_NO_FATAL_FAILURE(expect_compacted(first, parts[0]));
      ASSERT_NO_FATAL_FAILURE(expect_compacted(second, parts[1]));
      ASSERT_NO_FATAL_FAILURE(expect_compacted(last, parts[2]));
    }
  }
}

/// Hosts copy runs of items of the same part, of which a block of 64 may have few or many.
TYPED_TEST(partition_of, sends_runs_of_items_to_three_outputs)
{
  third const classify{170};
  for (extent const n : {255, 256, 257, 1024, 1151, 3000})
    for (extent const run : {1, 2, 8, 30, 64, 100, 400}) {
      SCOPED_TRACE("n = " + std::to_string(n) + ", runs of " + std::to_string(run));
      auto items = keyed_items<TypeParam>(n);
      for (extent i = 0; i < n; i += 3 * run)
        std::stable_sort(items.begin() + i, items.begin() + std::min(i + 3 * run, n),
                         [&](auto const& a, auto const& b) { return classify(a) < classify(b); });
      guarded<TypeParam> const in(items), first(n), second(n, 1), last(n, 3);
      guarded<int> const counts(3);
      onepass::partition_three_way(row(), in.view(), first.view(), second.view(), last.view(), counts.view(), classify);
      ASSERT_NO_FATAL_FAILURE(expect_compacted(first, part(items, classify, 0)));
      ASSERT_NO_FATAL_FAILURE(expect_compacted(second, part(items, classify, 1)));
      ASSERT_NO_FATAL_FAILURE(expect_compacted(last, part(items, classify, 2)));
    }
}

struct counted_third {
  unsigned* calls;
  ONEPASS_FUNCTION int operator()(std::uint32_t x) const
  {
    Kokkos::atomic_inc(calls);
    return third{170}(x);
  }
};
struct counted_below {
  unsigned* calls;
  ONEPASS_FUNCTION bool operator()(std::uint32_t x) const
  {
    Kokkos::atomic_inc(calls);
    return below{128}(x);
  }
};

TEST(partition, asks_once_an_item_on_single_pass_schedules)
{
  for (extent const n : some_sizes<std::uint32_t>()) {
    guarded<std::uint32_t> const in(keyed_items<std::uint32_t>(n)), a(n), b(n), c(n);
    single<extent> const count;
    guarded<extent> const counts(3);
    single<unsigned> const in_two, in_three;
    onepass::partition_if(row(), in.view(), a.view(), b.view(), count.view(), counted_below{in_two.view().data()});
    EXPECT_EQ(in_two.value(), (two_pass ? 2 : 1) * unsigned(n));
    onepass::partition_three_way(row(), in.view(), a.view(), b.view(), c.view(), counts.view(),
                                 counted_third{in_three.view().data()});
    EXPECT_EQ(in_three.value(), (two_pass ? 2 : 1) * unsigned(n));
  }
}

TEST(partition, takes_strided_views)
{
  extent const n   = many_tiles<std::uint32_t>();
  auto const items = keyed_items<std::uint32_t>(n);
  guarded<std::uint32_t> const in(items), out(n), others(3 * n);
  Kokkos::View<std::uint32_t*, Kokkos::LayoutStride, memory_space> const every_third(
      others.view().data(), Kokkos::LayoutStride(std::size_t(n), 3));
  single<extent> const count;
  onepass::partition_if(row(), in.view(), out.view(), every_third, count.view(), below{200});
  std::vector<std::uint32_t> apart;
  for (auto const x : kept(items, std::not_fn(below{200})))
    apart.insert(apart.end(), {x, poison_of<std::uint32_t>(), poison_of<std::uint32_t>()});
  expect_compacted(out, kept(items, below{200}));
  expect_compacted(others, apart);
}

TEST(partition, leaves_what_lies_between_strided_counts)
{
  auto const items = keyed_items<std::uint32_t>(1000);
  guarded<std::uint32_t> const in(items), one(1000), two(1000), three(1000);
  guarded<int> const table(9);
  Kokkos::View<int*, Kokkos::LayoutStride, memory_space> const counts(table.view().data(), Kokkos::LayoutStride(3, 3));
  onepass::partition_three_way(row(), in.view(), one.view(), two.view(), three.view(), counts, third{9});
  int const untouched = poison_of<int>();
  std::vector<int> expected(9, untouched);
  for (int const part : {0, 1, 2})
    expected[std::size_t(3 * part)] =
        int(std::count_if(items.begin(), items.end(), [&](auto x) { return third{9}(x) == part; }));
  EXPECT_EQ(table.items(), expected);
}

/// A predicate says yes by any number but zero.
struct has_bit {
  std::uint32_t bit;
  KOKKOS_FUNCTION std::uint32_t operator()(std::uint32_t x) const { return x & bit; }
};

TEST(partition, takes_predicates_that_are_numbers)
{
  auto const items = keyed_items<std::uint32_t>(1000);
  guarded<std::uint32_t> const in(items), out(1000);
  single<extent> const count;
  onepass::partition_if_into_one(row(), in.view(), out.view(), count.view(), has_bit{4});
  auto expected = kept(items, has_bit{4});
  EXPECT_EQ(count.value(), extent(expected.size()));
  auto const others = kept(items, std::not_fn(has_bit{4}));
  expected.insert(expected.end(), others.begin(), others.end());
  EXPECT_EQ(out.items(), expected);
}

class partition_refuses : public testing::Test {
protected:
  void TearDown() override
  {
    EXPECT_TRUE(data.items() == items);
    EXPECT_TRUE(one.untouched() && two.untouched());
    EXPECT_EQ(count.value(), 77);
  }
  unmanaged<std::uint32_t> part_of_data(int begin, int end) const
  {
    return Kokkos::subview(data.view(), std::pair(begin, end));
  }

  std::vector<std::uint32_t> const items = keyed_items<std::uint32_t>(1000);
  guarded<std::uint32_t> const data{items}, one{1000}, two{1000};
  single<extent> const count{77};
  guarded<int> const counts{3};
};

TEST_F(partition_refuses, outputs_that_share_memory_with_the_input)
{
  for (auto const& said :
       {refusal([&] { onepass::partition_if(row(), data.view(), data.view(), two.view(), count.view(), below{9}); }),
        refusal([&] { onepass::partition_if(row(), data.view(), one.view(), data.view(), count.view(), below{9}); })})
    expect_says(said, {"partition_if", "shares memory"});
  expect_says(refusal([&] {
                onepass::partition_if_into_one(row(), part_of_data(0, 500), part_of_data(499, 999), count.view(),
                                               below{9});
              }),
              {"partition_if_into_one", "shares memory"});
  expect_says(refusal([&] {
                onepass::partition_three_way(row(), part_of_data(0, 500), one.view(), two.view(),
                                             part_of_data(400, 900), counts.view(), third{9});
              }),
              {"partition_three_way", "shares memory"});
}

TEST_F(partition_refuses, outputs_that_share_memory_with_each_other)
{
  expect_says(
      refusal([&] { onepass::partition_if(row(), data.view(), one.view(), one.view(), count.view(), below{9}); }),
      {"partition_if", "shares memory"});
  auto const x = one.view(), y = two.view();
  for (auto const& outputs : {std::array{x, x, y}, std::array{x, y, x}, std::array{y, x, x}})
    expect_says(refusal([&] {
                  onepass::partition_three_way(row(), data.view(), outputs[0], outputs[1], outputs[2], counts.view(),
                                               third{9});
                }),
                {"partition_three_way", "shares memory"});
}

TEST_F(partition_refuses, counts_inside_items)
{
  guarded<int> const in(std::vector<int>(100, 1)), x(100), y(100), z(100);
  auto const split = [&](auto const& of) {
    return refusal([&] { onepass::partition_if(row(), in.view(), x.view(), y.view(), item_of(of, 5), below{9}); });
  };
  auto const three = [&](auto const& of) {
    return refusal([&] { onepass::partition_three_way(row(), in.view(), x.view(), y.view(), z.view(), of, third{9}); });
  };
  for (auto const& of : {in.view(), x.view(), y.view()}) {
    expect_says(split(of), {"partition_if", "shares memory"});
    expect_says(three(of), {"partition_three_way", "shares memory"});
  }
  expect_says(three(z.view()), {"partition_three_way", "shares memory"});
  guarded<extent> const positions(100);
  for (extent const at : {0, 99})
    expect_says(refusal([&] {
                  onepass::partition_if_into_one(row(), onepass::counting<extent>{0, 100}, positions.view(),
                                                 item_of(positions.view(), at), below{9});
                }),
                {"partition_if_into_one", "shares memory"});
  EXPECT_TRUE(in.items() == std::vector<int>(100, 1));
  EXPECT_TRUE(x.untouched() && y.untouched() && z.untouched() && positions.untouched());
}

TEST_F(partition_refuses, counts_that_say_how_many_items_there_are)
{
  single<extent> const size{500};
  auto const half = onepass::first(data.view(), size.view());
  expect_says(refusal([&] { onepass::partition_if(row(), half, one.view(), two.view(), size.view(), below{9}); }),
              {"partition_if", "shares memory"});
  expect_says(refusal([&] { onepass::partition_if_into_one(row(), half, one.view(), size.view(), below{9}); }),
              {"partition_if_into_one", "shares memory"});
  expect_says(refusal([&] { onepass::select_if(row(), half, one.view(), size.view(), below{9}); }),
              {"select_if", "shares memory"});
  expect_says(
      refusal([&] { onepass::exclusive_scan<extent>(row(), half, two.view(), onepass::plus{}, {}, size.view()); }),
      {"exclusive_scan", "shares memory"});
  EXPECT_EQ(size.value(), 500);
}

TEST_F(partition_refuses, too_little_room)
{
  expect_says(refusal([&] {
                onepass::partition_if_into_one(row(), data.view(), Kokkos::subview(one.view(), std::pair(0, 999)),
                                               count.view(), below{9});
              }),
              {"partition_if_into_one", "999", "1000"});
  expect_says(refusal([&] {
                onepass::partition_three_way(row(), data.view(), one.view(), two.view(),
                                             Kokkos::subview(two.view(), std::pair(0, 0)),
                                             Kokkos::subview(counts.view(), std::pair(0, 2)), third{9});
              }),
              {"partition_three_way", "2 counts", "give 3"});
  EXPECT_TRUE(counts.untouched());
}

TEST_F(partition_refuses, too_little_memory_before_it_counts)
{
  guarded<std::uint32_t> const out(1000);
  single<extent> const kept{77};
  EXPECT_TRUE(refusals_touch_nothing(
      exec_space{},
      [&](auto& scratch) {
        onepass::partition_if_into_one(row().with(scratch), data.view(), out.view(), kept.view(), below{9});
      },
      [&] { return out.untouched() && kept.value() == 77; }));
}

}  // namespace
