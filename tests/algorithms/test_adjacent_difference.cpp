// SPDX-License-Identifier: Apache-2.0
#include "apart.hpp"
#include "compaction.hpp"
#include "inputs.hpp"
#include "kernel_log.hpp"
#include "sizes.hpp"

#include <onepass/adjacent_difference.hpp>
#include <onepass/scan.hpp>

#include <numeric>

using namespace test;

namespace {

template <class T>
std::vector<T> differences(std::vector<T> const& items)
{
  std::vector<T> all(items.size());
  std::adjacent_difference(items.begin(), items.end(), all.begin(), [](T a, T b) { return static_cast<T>(a - b); });
  return all;
}

template <class T>
class adjacent_difference : public testing::Test {};
using types = testing::Types<std::uint8_t, std::uint32_t, std::int64_t, float, double>;
TYPED_TEST_SUITE(adjacent_difference, types);

TYPED_TEST(adjacent_difference, agrees_with_std)
{
  for (extent const n : edge_sizes<TypeParam>()) {
    auto const items = random_items<TypeParam>(n);
    guarded<TypeParam> const in(items, 1), out(n, 2);
    onepass::adjacent_difference(row(), in.view(), out.view());
    ASSERT_TRUE(out.items() == differences(items)) << "n = " << n;
    ASSERT_TRUE(out.canaries_alive());
  }
}

TYPED_TEST(adjacent_difference, may_write_where_it_reads)
{
  for (extent const n : edge_sizes<TypeParam>()) {
    auto const items = random_items<TypeParam>(n);
    guarded<TypeParam> const data(items);
    onepass::adjacent_difference(row(), data.view(), data.view());
    ASSERT_TRUE(data.items() == differences(items)) << "n = " << n;
    onepass::inclusive_scan(row(), data.view(), data.view());
    ASSERT_TRUE(data.items() == items) << "a scan takes it back";
    ASSERT_TRUE(data.canaries_alive());
  }
}

/// Sizes at which hosts begin with vectors, and with the next piece that is made in a cache, of items of 1 to 24 bytes.
constexpr extent sizes_of_pieces[] = {31,  32,  33,  42,   43,   64,   65,   127, 128,
                                      129, 256, 257, 1023, 1024, 1025, 2049, 5000};

TYPED_TEST(adjacent_difference, agrees_around_pieces_apart_and_in_place)
{
  for (extent const n : sizes_of_pieces) {
    auto const items = random_items<TypeParam>(n);
    guarded<TypeParam> const in(items, 3), out(n, 1), data(items, 1);
    onepass::adjacent_difference(row(), in.view(), out.view());
    onepass::adjacent_difference(row(), data.view(), data.view());
    ASSERT_TRUE(out.items() == differences(items) && out.canaries_alive()) << "n = " << n;
    ASSERT_TRUE(data.items() == out.items() && data.canaries_alive()) << "in place, n = " << n;
  }
}

struct three_words {
  std::int64_t a, b, c;
  friend bool operator==(three_words const&, three_words const&) = default;
};
struct between {
  ONEPASS_FUNCTION three_words operator()(three_words const& x, three_words const& previous) const
  {
    return {x.a - previous.a, previous.b, x.c ^ previous.c};
  }
};

TEST(adjacent_difference_values, takes_structs_around_pieces)
{
  for (extent const n : sizes_of_pieces) {
    auto const numbers = random_items<std::int64_t>(3 * n);
    std::vector<three_words> items, wanted;
    for (extent i = 0; i < n; ++i) {
      auto const* x = numbers.data() + 3 * i;
      items.push_back({x[0], x[1], x[2]});
      wanted.push_back(i == 0 ? items[0] : between{}(items[std::size_t(i)], items[std::size_t(i - 1)]));
    }
    guarded<three_words> const in(items), out(n), data(items);
    onepass::adjacent_difference(row(), in.view(), out.view(), between{});
    onepass::adjacent_difference(row(), data.view(), data.view(), between{});
    ASSERT_TRUE(out.items() == wanted) << "n = " << n;
    ASSERT_TRUE(data.items() == wanted) << "in place, n = " << n;
  }
}

/// An item and the one before it, as one number. Slow for some, so that tiles overtake each other.
struct beside {
  ONEPASS_FUNCTION std::uint64_t operator()(std::uint32_t const& x, std::uint32_t const& previous) const
  {
    std::uint64_t volatile both = std::uint64_t(x) << 32 | previous;
    if (x % 61 == 0)
      for (int spin = 0; spin < 2000; ++spin) both = both + 0;
    return both;
  }
};

TEST(adjacent_difference_values, gives_the_operator_the_item_and_the_one_before_it)
{
  extent const n   = many_tiles<std::uint64_t>();
  auto const items = keyed_items<std::uint32_t>(n);
  guarded<std::uint32_t> const in(items);
  guarded<std::uint64_t> const out(n + 5);
  onepass::adjacent_difference(row(), in.view(), out.view(), beside{});
  std::vector<std::uint64_t> expected{items[0]};
  for (std::size_t i = 1; i < items.size(); ++i) expected.push_back(std::uint64_t(items[i]) << 32 | items[i - 1]);
  expect_compacted(out, expected);
}

TEST(adjacent_difference_values, takes_items_apart_sequences_and_sizes_from_the_device)
{
  using item       = std::uint32_t;
  extent const n   = many_tiles<item>();
  auto const items = random_items<item>(n);
  guarded<item> const in(items);
  {
    guarded<item> const out(n);
    onepass::adjacent_difference(row(), apart<item>(items).view(), out.view());
    EXPECT_TRUE(out.items() == differences(items));
  }
  {
    guarded<item> const out(n);
    onepass::adjacent_difference(row(), onepass::counting<item>{5, n}, out.view());
    std::vector<item> expected(std::size_t(n), 1);
    expected[0] = 5;
    EXPECT_TRUE(out.items() == expected);
  }
  for (extent const some : {extent(0), extent(1), n / 2, n}) {
    guarded<item> const out(n);
    single<extent> const size(some);
    onepass::adjacent_difference(row(), onepass::first(in.view(), size.view()), out.view());
    expect_compacted(out, differences(std::vector<item>(items.begin(), items.begin() + some)));
  }
}

TEST(adjacent_difference_discipline, waits_for_nothing)
{
  for (auto const& mine : Kokkos::Experimental::partition_space(exec_space{}, 1, 1)) {
    guarded<double> const data(random_items<double>(many_tiles<double>()));
    onepass::workspace<exec_space> scratch(mine);
    auto const call = [&] { onepass::adjacent_difference(row(mine).with(scratch), data.view(), data.view()); };
    expect_discipline_of(call, mine);
  }
}

TEST(adjacent_difference_refuses, an_output_that_is_short_or_overlaps)
{
  auto const items = random_items<std::uint32_t>(1001);
  guarded<std::uint32_t> const data(items), out(999);
  auto const low  = Kokkos::subview(data.view(), std::pair(0, 1000));
  auto const high = Kokkos::subview(data.view(), std::pair(1, 1001));
  expect_says(refusal([&] { onepass::adjacent_difference(row(), low, high); }), {"adjacent_difference", "overlap"});
  expect_says(refusal([&] { onepass::adjacent_difference(row(), high, low); }), {"adjacent_difference", "overlap"});
  expect_says(refusal([&] { onepass::adjacent_difference(row(), low, out.view()); }), {"999", "1000"});
  EXPECT_TRUE(data.items() == items);
  EXPECT_TRUE(out.untouched());
}

}  // namespace
