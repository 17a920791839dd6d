// SPDX-License-Identifier: Apache-2.0
// What is first, and whether there is any. An item is wanted where it is not zero.
#include "apart.hpp"
#include "compaction.hpp"
#include "kernel_log.hpp"
#include "sizes.hpp"

#include <onepass/find.hpp>

using namespace test;

namespace {

struct wanted {
  template <class T>
  ONEPASS_FUNCTION bool operator()(T const& x) const
  {
    return key_of(x) != 0;
  }
};

template <class T>
T item_of(unsigned key)
{
  if constexpr (std::is_same_v<T, triple>) return {key, 0, 0};
  else return static_cast<T>(key);
}

/// Of n items those at these positions are wanted.
template <class T>
std::vector<T> items_with(extent n, std::vector<extent> const& at)
{
  std::vector<T> items(std::size_t(n), item_of<T>(0));
  for (extent const i : at) items[std::size_t(i)] = item_of<T>(1);
  return items;
}

/// Everything that the header has, in one call each, agrees with std.
template <class In, class T>
void expect_found(In const& in, std::vector<T> const& items)
{
  single<std::int64_t> const position(-7);
  single<std::int32_t> const other(-7);
  single<bool> const all(true), any(true);
  single<int> const none(-7);
  auto const first = items.begin(), last = items.end();
  onepass::find_if(row(), in, position.view(), wanted{});
  onepass::find_if_not(row(), in, other.view(), wanted{});
  onepass::all_of(row(), in, all.view(), wanted{});
  onepass::any_of(row(), in, any.view(), wanted{});
  onepass::none_of(row(), in, none.view(), wanted{});
  ASSERT_EQ(position.value(), std::find_if(first, last, wanted{}) - first);
  ASSERT_EQ(other.value(), std::find_if_not(first, last, wanted{}) - first);
  ASSERT_EQ(all.value(), std::all_of(first, last, wanted{}));
  ASSERT_EQ(any.value(), std::any_of(first, last, wanted{}));
  ASSERT_EQ(none.value(), int(std::none_of(first, last, wanted{})));
}

template <class T>
class find_if : public testing::Test {};
using types = testing::Types<std::uint8_t, std::uint32_t, double, triple>;
TYPED_TEST_SUITE(find_if, types);

/// Hosts ask the first one by one where the call is, numbers then some at a time, and threads from some thousand on.
TYPED_TEST(find_if, finds_what_lies_around_where_another_loop_begins)
{
  using program = onepass::find_first_program<onepass::contiguous<TypeParam const>, wanted>;
  for (extent const begin : {extent(0), program::few, program::few + 64, program::look_after, program::some,
                             program::some + program::alone_at_a_time})
    for (extent const at : {begin - 1, begin, begin + 1, begin + 4, begin + 70})
      for (extent const n : {at, at + 1, at + 3, at + 200}) {
        if (at < 0) continue;
        auto const items = items_with<TypeParam>(n, at < n ? std::vector<extent>{at, n - 1} : std::vector<extent>{});
        guarded<TypeParam> const in(items, 1);
        single<extent> const position(-7);
        onepass::find_if(row(), in.view(), position.view(), wanted{});
        ASSERT_EQ(position.value(), at < n ? at : n) << "n = " << n;
      }
}

TYPED_TEST(find_if, agrees_with_std)
{
  random_words engine(seed());
  for (extent const n : edge_sizes<TypeParam>()) {
    std::vector<std::vector<extent>> cases{
        {}, {n - 1}, {n / 3, n / 2, n - 1}, {extent(engine() % std::uint64_t(n + 1))}};
    for (auto& some : cases) {
      std::erase_if(some, [n](extent i) { return i < 0 || i >= n; });
      auto const items = items_with<TypeParam>(n, some);
      guarded<TypeParam> const in(items, extent(engine() % 3));
      SCOPED_TRACE("n = " + std::to_string(n) + ", first " + std::to_string(some.empty() ? n : some[0]));
      ASSERT_NO_FATAL_FAILURE(expect_found(in.view(), items));
    }
  }
}

TEST(find_if_values, finds_the_first_of_many)
{
  using item = std::uint32_t;
  for (extent const n : some_sizes<item>())
    for (extent const before : {extent(0), n / 2}) {
      auto items = items_with<item>(before, {});
      items.resize(std::size_t(n), item(1));
      guarded<item> const in(items);
      ASSERT_NO_FATAL_FAILURE(expect_found(in.view(), items)) << "n = " << n;
    }
}

TEST(find_if_values, takes_items_apart_sequences_rows_and_sizes_from_the_device)
{
  using item       = std::uint32_t;
  extent const n   = many_tiles<item>();
  auto const items = items_with<item>(n, {n - 2});
  expect_found(apart<item>(items).view(), items);
  expect_found(onepass::constant<item>{5, 999}, std::vector<item>(999, 5));

  guarded<item> const in(items);
  single<extent> const size;
  for (extent const some : {extent(0), n / 2, n - 2, n - 1, n}) {
    Kokkos::deep_copy(size.view(), some);
    SCOPED_TRACE("the first " + std::to_string(some));
    expect_found(onepass::first(in.view(), size.view()), std::vector<item>(items.begin(), items.begin() + some));
  }

  Kokkos::View<item**, Kokkos::LayoutLeft, memory_space> const matrix("matrix", 30, 70);
  auto const there = Kokkos::create_mirror_view(matrix);
  there(20, 3)     = 1;
  there(3, 20)     = 1;
  Kokkos::deep_copy(matrix, there);
  single<int> const index;
  onepass::find_if(row(), matrix, index.view(), wanted{});
  EXPECT_EQ(index.value(), 3 * 70 + 20);
}

TEST(find_if_discipline, waits_for_nothing_and_refuses_a_narrow_index)
{
  for (auto const& mine : Kokkos::Experimental::partition_space(exec_space{}, 1, 1)) {
    extent const n = many_tiles<std::uint32_t>();
    guarded<std::uint32_t> const in(items_with<std::uint32_t>(n, {n / 2}));
    single<extent> const index;
    onepass::workspace<exec_space> scratch(mine);
    auto const call = [&] {
      onepass::find_if(row(mine).with(scratch).named("look"), in.view(), index.view(), wanted{});
    };
    expect_discipline_of(call, mine, "look");
  }
  single<std::int8_t> const narrow(77);
  expect_says(refusal([&] {
                onepass::find_if(row(), onepass::counting<int>{0, 128}, narrow.view(), wanted{});
              }),
              {"find_if", "128", "wider"});
  EXPECT_EQ(narrow.value(), 77);
  onepass::find_if(row(), onepass::counting<int>{0, 127}, narrow.view(), wanted{});
  EXPECT_EQ(narrow.value(), 1);
}

}  // namespace
