// SPDX-License-Identifier: Apache-2.0
#include "apart.hpp"
#include "compaction.hpp"
#include "kernel_log.hpp"
#include "sizes.hpp"

#include <onepass/count.hpp>

using namespace test;

namespace {

template <class T>
class count_if : public testing::Test {};
using types = testing::Types<std::uint8_t, std::uint32_t, std::uint64_t, triple>;
TYPED_TEST_SUITE(count_if, types);

TYPED_TEST(count_if, agrees_with_std)
{
  for (extent const n : edge_sizes<TypeParam>()) {
    auto const items = keyed_items<TypeParam>(n);
    guarded<TypeParam> const in(items, 1);  // not where wide accesses begin
    for (unsigned const limit : limits) {
      single<std::int32_t> const count(-1);
      onepass::count_if(row(), in.view(), count.view(), below{limit});
      ASSERT_EQ(count.value(), std::count_if(items.begin(), items.end(), below{limit})) << "n = " << n << ", " << limit;
    }
    ASSERT_TRUE(in.items() == items);
  }
}

/// So many words of one type, the first of which tells.
template <class Word, int Words>
struct few_words {
  Word word[Words];
};
struct is_odd {
  template <class T>
  ONEPASS_FUNCTION bool operator()(T const& x) const
  {
    return (x.word[0] & 1) != 0;
  }
};

template <class T>
class count_if_of_structs : public testing::Test {};
using structs = testing::Types<few_words<std::uint8_t, 3>, few_words<std::uint8_t, 5>, few_words<std::uint16_t, 3>,
                               few_words<std::uint32_t, 4>, few_words<std::uint32_t, 5>, few_words<std::uint64_t, 3>>;
TYPED_TEST_SUITE(count_if_of_structs, structs);

/// More are wanted than the word of such an item has values.
TYPED_TEST(count_if_of_structs, counts_more_than_fit_their_words)
{
  for (extent const n : {1, 31, 32, 33, 255, 256, 257, 511, 4097, 70'000})
    for (extent const one_in : {1, 2, 3}) {
      std::vector<TypeParam> items(std::size_t(n), TypeParam{});
      for (extent i = 0; i < n; i += one_in) items[std::size_t(i)].word[0] = 255;
      guarded<TypeParam> const in(items, 1);
      single<extent> const count(-1);
      onepass::count_if(row(), in.view(), count.view(), is_odd{});
      ASSERT_EQ(count.value(), (n + one_in - 1) / one_in) << "n = " << n << ", one in " << one_in;
    }
}

/// Items of which a tile of hosts has room for none by its bytes.
TEST(count_if_of_structs, counts_items_that_are_larger_than_a_tile)
{
  if constexpr (!onepass::returns_finished<decltype(row())>) GTEST_SKIP() << "teams hold items in their memory";
  else {
    using item = few_words<double, 40000>;
    std::vector<item> items(32);
    for (int i = 0; i < 32; ++i) items[std::size_t(i)].word[0] = i;
    unmanaged<item> const in(items.data(), items.size());
    single<std::int32_t> const count;
    onepass::count_if(row(), in, count.view(), [](item const& x) { return x.word[0] < 20; });
    EXPECT_EQ(count.value(), 20);
  }
}

TEST(count_if_values, takes_items_apart_sequences_rows_and_sizes_from_the_device)
{
  using item       = std::uint32_t;
  extent const n   = many_tiles<item>();
  auto const items = keyed_items<item>(n);
  below const some{100};
  single<extent> const count, size;
  onepass::count_if(row(), apart<item>(items).view(), count.view(), some);
  EXPECT_EQ(count.value(), std::count_if(items.begin(), items.end(), some));

  onepass::count_if(row(), onepass::counting<item>{0, 1000}, count.view(), some);
  EXPECT_EQ(count.value(), 3 * 100 + 100);

  guarded<item> const in(items);
  for (extent const some_of_them : {extent(0), extent(1), n / 2, n}) {
    Kokkos::deep_copy(size.view(), some_of_them);
    onepass::count_if(row(), onepass::first(in.view(), size.view()), count.view(), some);
    EXPECT_EQ(count.value(), std::count_if(items.begin(), items.begin() + some_of_them, some)) << some_of_them;
  }
  auto const half = Kokkos::subview(in.view(), std::pair<extent, extent>(0, n / 2));
  for (extent const beyond : {extent(-5), n / 2 + 1, n}) {  // clamped: sizes of none, and of all
    Kokkos::deep_copy(size.view(), beyond);
    onepass::count_if(row(), onepass::first(half, size.view()), count.view(), some);
    EXPECT_EQ(count.value(), beyond < 0 ? 0 : std::count_if(items.begin(), items.begin() + n / 2, some)) << beyond;
  }

  Kokkos::View<item**, Kokkos::LayoutLeft, memory_space> const matrix("matrix", 30, 70);
  Kokkos::deep_copy(matrix, 7);
  onepass::count_if(row(), matrix, count.view(), some);
  EXPECT_EQ(count.value(), 2100);
}

TEST(count_if_values, may_not_go_where_the_number_of_items_is)
{
  guarded<std::uint32_t> const in(keyed_items<std::uint32_t>(1000));
  single<extent> const number(10);
  auto const few = onepass::first(in.view(), number.view());
  expect_says(refusal([&] { onepass::count_if(row(), few, number.view(), below{9}); }), {"count_if", "shares"});
  EXPECT_EQ(number.value(), 10);
}

struct counts_calls {
  Kokkos::View<int, memory_space> calls;
  template <class T>
  ONEPASS_FUNCTION bool operator()(T const&) const
  {
    Kokkos::atomic_inc(&calls());
    return true;
  }
};

TEST(count_if_discipline, asks_once_an_item_and_waits_for_nothing)
{
  onepass::backends::host::crowd::rest const rest;
  for (auto const& mine : Kokkos::Experimental::partition_space(exec_space{}, 1, 1)) {
    auto const items = keyed_items<std::uint32_t>(many_tiles<std::uint32_t>());
    guarded<std::uint32_t> const in(items);
    single<extent> const count;
    single<int> const calls;
    onepass::workspace<exec_space> scratch(mine);
    auto const call = [&] {
      onepass::count_if(row(mine).with(scratch), in.view(), count.view(), counts_calls{calls.view()});
    };
    call();
    EXPECT_EQ(calls.value(), int(items.size()));  // by two passes too: there is nothing to write in the second
    EXPECT_EQ(count.value(), extent(items.size()));
    kernel_log const log;
    call();
    expect_discipline(log, mine);
  }
}

}  // namespace
