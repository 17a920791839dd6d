// SPDX-License-Identifier: Apache-2.0
#include "compaction.hpp"
#include "sizes.hpp"

#include <onepass/select.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>

using namespace test;

namespace {

template <class T>
class select_of : public testing::Test {};
using types = testing::Types<std::uint8_t, std::uint16_t, std::uint32_t, std::uint64_t, double, triple, long_item<3>,
                             long_item<8>>;
TYPED_TEST_SUITE(select_of, types);

TYPED_TEST(select_of, keeps_in_order_what_the_predicate_says)
{
  for (extent const n : edge_sizes<TypeParam>()) {
    auto const items = keyed_items<TypeParam>(n);
    guarded<TypeParam> const in(items);
    for (unsigned const limit : limits) {
      SCOPED_TRACE("n = " + std::to_string(n) + ", limit " + std::to_string(limit));
      auto const expected = kept(items, below{limit});
      guarded<TypeParam> const out(n);
      single<extent> const count(77);
      onepass::select_if(row(), in.view(), out.view(), count.view(), below{limit});
      ASSERT_EQ(count.value(), extent(expected.size()));
      ASSERT_NO_FATAL_FAILURE(expect_compacted(out, expected));
    }
    ASSERT_TRUE(in.items() == items);
  }
}

TYPED_TEST(select_of, is_right_in_place)
{
  for (extent const n : some_sizes<TypeParam>())
    for (unsigned const limit : limits) {
      SCOPED_TRACE("n = " + std::to_string(n) + ", limit " + std::to_string(limit));
      auto const items = keyed_items<TypeParam>(n);
      guarded<TypeParam> const data(items);
      single<extent> const count(77);
      auto const said =
          refusal([&] { onepass::select_if(row(), data.view(), data.view(), count.view(), below{limit}); });
      if (two_pass && n > 0) {
        expect_says(said, {"select_if", "in place", "two-pass", "another schedule"});
        ASSERT_TRUE(data.items() == items);
      } else {
        auto const expected = kept(items, below{limit});
        ASSERT_EQ(said, "");
        ASSERT_EQ(count.value(), extent(expected.size()));
        ASSERT_NO_FATAL_FAILURE(expect_compacted(data, expected, items));
      }
    }
}

TYPED_TEST(select_of, takes_views_that_begin_anywhere)
{
  extent const n   = many_tiles<TypeParam>();
  auto const items = keyed_items<TypeParam>(n);
  for (extent const in_shift : {0, 1})
    for (extent const out_shift : {1, 2, 3, 7}) {
      SCOPED_TRACE("shifts " + std::to_string(in_shift) + " and " + std::to_string(out_shift));
      guarded<TypeParam> const in(items, in_shift), out(n, out_shift);
      single<extent> const count;
      onepass::select_if(row(), in.view(), out.view(), count.view(), below{128});
      ASSERT_NO_FATAL_FAILURE(expect_compacted(out, kept(items, below{128})));
    }
}

TYPED_TEST(select_of, counts_on_where_the_output_is_full)
{
  for (extent const n : some_sizes<TypeParam>()) {
    auto const items    = keyed_items<TypeParam>(n);
    auto const expected = kept(items, below{128});
    guarded<TypeParam> const in(items);
    for (extent const room : {extent(0), extent(1), extent(expected.size() / 2), extent(expected.size()) - 1}) {
      if (room < 0) continue;
      SCOPED_TRACE("n = " + std::to_string(n) + ", room for " + std::to_string(room));
      guarded<TypeParam> const out(room, 1);
      single<extent> const count;
      onepass::select_if(row(), in.view(), out.view(), count.view(), below{128});
      EXPECT_EQ(count.value(), extent(expected.size()));
      ASSERT_NO_FATAL_FAILURE(expect_compacted(out, expected));
    }
  }
}

template <class Count>
class select_counts_in : public testing::Test {};
using counts = testing::Types<int, unsigned, std::uint64_t>;
TYPED_TEST_SUITE(select_counts_in, counts);

TYPED_TEST(select_counts_in, integers_of_every_kind)
{
  for (extent const n : {extent(0), many_tiles<std::uint16_t>()}) {
    auto const items = keyed_items<std::uint16_t>(n);
    guarded<std::uint16_t> const in(items), out(n);
    guarded<TypeParam> const count(1);
    onepass::select_if(row(), in.view(), out.view(), Kokkos::subview(count.view(), 0), below{100});
    EXPECT_EQ(count.items()[0], TypeParam(kept(items, below{100}).size()));
    EXPECT_TRUE(count.canaries_alive());
  }
}

struct counted_below {
  unsigned* calls;
  ONEPASS_FUNCTION bool operator()(std::uint32_t x) const
  {
    Kokkos::atomic_inc(calls);
    return below{128}(x);
  }
};

TEST(select, asks_the_predicate_once_an_item_on_single_pass_schedules)
{
  for (extent const n : edge_sizes<std::uint32_t>()) {
    auto const items = keyed_items<std::uint32_t>(n);
    guarded<std::uint32_t> const in(items), out(n);
    single<extent> const count;
    single<unsigned> const calls;
    onepass::select_if(row(), in.view(), out.view(), count.view(), counted_below{calls.view().data()});
    ASSERT_EQ(calls.value(), (two_pass ? 2 : 1) * unsigned(n));  // twice is that schedule's documented price
    ASSERT_NO_FATAL_FAILURE(expect_compacted(out, kept(items, below{128})));
  }
}

TEST(select, takes_strided_views)
{
  extent const n   = many_tiles<std::uint32_t>();
  auto const items = keyed_items<std::uint32_t>(3 * n);
  guarded<std::uint32_t> const in(items), out(2 * n);
  using strided = Kokkos::View<std::uint32_t*, Kokkos::LayoutStride, memory_space>;
  strided const every_third(in.view().data() + 1, Kokkos::LayoutStride(std::size_t(n), 3));
  strided const every_second(out.view().data(), Kokkos::LayoutStride(std::size_t(n), 2));
  single<extent> const count;
  onepass::select_if(row(), every_third, every_second, count.view(), below{128});

  std::vector<std::uint32_t> expected;
  for (std::size_t i = 1; i < items.size(); i += 3)
    if (below{128}(items[i])) expected.insert(expected.end(), {items[i], poison_of<std::uint32_t>()});
  EXPECT_EQ(count.value(), extent(expected.size()) / 2);
  expect_compacted(out, expected);
}

/// Items that own something are let go of when the call has ended, not with the thread that held them.
TEST(select, holds_no_items_after_it)
{
  if constexpr (!onepass::returns_finished<decltype(row())>) GTEST_SKIP() << "teams take bytes";
  else {
    extent const n = 200000;
    std::vector<std::shared_ptr<int>> items;
    for (int i = 0; i < int(n); ++i) items.push_back(std::make_shared<int>(i));
    std::vector<std::weak_ptr<int>> const alive(items.begin(), items.end());
    auto const view = unmanaged<std::shared_ptr<int>>(items.data(), items.size());
    single<extent> const count;
    onepass::select_if(row(), view, view, count.view(), [](std::shared_ptr<int> const& x) { return *x % 3 == 0; });
    ASSERT_EQ(count.value(), n / 3 + 1);
    for (extent k = 0; k <= n / 3; ++k) ASSERT_EQ(*items[std::size_t(k)], 3 * k);
    items.clear();
    EXPECT_TRUE(std::all_of(alive.begin(), alive.end(), [](auto const& x) { return x.expired(); }));
  }
}

/// Of such items sixteen do not fit a stack.
struct very_large {
  double word[76'800];
};

TEST(select, takes_items_of_600_kib)
{
  if constexpr (!onepass::returns_finished<decltype(row())>) GTEST_SKIP() << "teams hold items in their memory";
  else {
    std::vector<very_large> items(20), kept(20);
    for (int i = 0; i < 20; ++i) items[std::size_t(i)].word[76'799] = i;
    single<int> const count;
    onepass::select_if(row(), unmanaged<very_large>(items.data(), 20), unmanaged<very_large>(kept.data(), 20),
                       count.view(), [](very_large const& x) { return int(x.word[76'799]) % 2 == 1; });
    ASSERT_EQ(count.value(), 10);
    for (int i = 0; i < 10; ++i) EXPECT_EQ(kept[std::size_t(i)].word[76'799], 2 * i + 1);
  }
}

/// Items beside flags that are narrower or wider, also where the two begin differently.
template <class T, class Flag>
void expect_items_beside_flags(bool in_place)
{
  for (extent const n : some_sizes<T>())
    for (extent const skipped : {0, 1}) {
      SCOPED_TRACE("n = " + std::to_string(n) + ", skipped " + std::to_string(skipped));
      auto const items = keyed_items<T>(n);
      std::vector<Flag> chosen(std::size_t(n + skipped), Flag(1));
      for (extent i = 0; i < n; ++i)  // none of the flags that are set is 1
        chosen[std::size_t(skipped + i)] = Flag(test::key_of(items[std::size_t(i)]) & 0x90);
      std::vector<T> expected;
      for (extent i = 0; i < n; ++i)
        if (chosen[std::size_t(skipped + i)]) expected.push_back(items[std::size_t(i)]);
      guarded<T> const in(items), apart(n);
      guarded<Flag> const flags(chosen);
      single<extent> const count(77);
      auto const& out = in_place ? in : apart;
      auto const some =
          Kokkos::subview(flags.view(), std::pair<std::size_t, std::size_t>(std::size_t(skipped), chosen.size()));
      onepass::select_flagged(row(), in.view(), some, out.view(), count.view());
      ASSERT_EQ(count.value(), extent(expected.size()));
      if (in_place) ASSERT_NO_FATAL_FAILURE(expect_compacted(out, expected, items));
      else ASSERT_NO_FATAL_FAILURE(expect_compacted(out, expected));
    }
}

TEST(select_flagged, keeps_the_items_beside_flags)
{
  for (bool const in_place : {false, true}) {
    if (in_place && two_pass) continue;
    SCOPED_TRACE(in_place ? "in place" : "apart");
    expect_items_beside_flags<std::uint32_t, std::uint8_t>(in_place);
    expect_items_beside_flags<std::uint8_t, std::uint32_t>(in_place);
    expect_items_beside_flags<double, std::uint16_t>(in_place);
    expect_items_beside_flags<triple, std::uint64_t>(in_place);
  }
}

TEST(select_flagged, takes_a_count_from_the_device_and_more_flags_than_items)
{
  for (extent const n : {0, 1, 200, 9001}) {
    extent const some = n - n / 3;
    auto const items  = keyed_items<std::uint8_t>(n);
    std::vector<std::uint32_t> chosen(std::size_t(n + 7), 1), expected;
    for (extent i = 0; i < n; ++i) {
      chosen[std::size_t(i)] = items[std::size_t(i)] & 0x90;
      if (i < some && chosen[std::size_t(i)]) expected.push_back(items[std::size_t(i)]);
    }
    guarded<std::uint8_t> const in(items);
    guarded<std::uint32_t> const flags(chosen), out(n);
    single<extent> const size(some), count(77);
    onepass::select_flagged(row(), onepass::first(in.view(), size.view()), flags.view(), out.view(), count.view());
    ASSERT_EQ(count.value(), extent(expected.size()));
    ASSERT_NO_FATAL_FAILURE(expect_compacted(out, expected));
  }
}

TEST(select_flagged, refuses_too_few_flags)
{
  guarded<std::uint32_t> const in(keyed_items<std::uint32_t>(1000)), out(1000);
  guarded<std::uint8_t> const flags(std::vector<std::uint8_t>(999, 1));
  single<extent> const count(77);
  expect_says(refusal([&] { onepass::select_flagged(row(), in.view(), flags.view(), out.view(), count.view()); }),
              {"select_flagged", "999", "1000", "one an item"});
  EXPECT_TRUE(out.untouched());
  EXPECT_EQ(count.value(), 77);
}

TEST(select_indices, gives_the_positions_of_what_the_predicate_says)
{
  for (extent const n : edge_sizes<std::uint8_t, extent>())
    for (unsigned const limit : limits) {
      auto const items = keyed_items<std::uint8_t>(n);
      std::vector<extent> expected;
      for (extent i = 0; i < n; ++i)
        if (below{limit}(items[std::size_t(i)])) expected.push_back(i);
      guarded<std::uint8_t> const in(items);
      guarded<extent> const out(n);
      single<extent> const count;
      onepass::select_indices(row(), in.view(), out.view(), count.view(), below{limit});
      ASSERT_EQ(count.value(), extent(expected.size())) << "n = " << n;
      ASSERT_NO_FATAL_FAILURE(expect_compacted(out, expected));
    }
}

TEST(select_indices, needs_no_memory_for_its_input)
{
  extent const n = many_tiles<std::uint32_t>();
  guarded<int> const out(n);
  single<int> const count;
  onepass::select_indices(row(), onepass::counting<std::uint32_t>{5, n}, out.view(), count.view(), below{7});
  std::vector<int> expected;
  for (extent i = 0; i < n; ++i)
    if (((i + 5) & 255) < 7) expected.push_back(int(i));
  EXPECT_EQ(count.value(), int(expected.size()));
  expect_compacted(out, expected);
}

}  // namespace
