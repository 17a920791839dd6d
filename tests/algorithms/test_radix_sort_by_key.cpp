// SPDX-License-Identifier: Apache-2.0
// Values beside keys, keys of several parts, and what a sort does besides its answer.
#include "kernel_log.hpp"
#include "row.hpp"
#include "sorting.hpp"

#include <onepass/radix_sort.hpp>
#include <onepass/scan.hpp>

#include <gtest/gtest.h>

#include <tuple>

using namespace test;

namespace {

/// A value of N bytes that says where it was.
template <int N>
struct value_of_bytes {
  std::uint8_t bytes[N];
};
template <class T>
T value_at(std::uint32_t i)
{
  T value;
  for (std::size_t b = 0; b < sizeof(T); b += 4) {
    auto const word = i + std::uint32_t(b) * 0x9e3779b9u;
    std::memcpy(reinterpret_cast<char*>(&value) + b, &word, std::min<std::size_t>(4, sizeof(T) - b));
  }
  return value;
}
template <class T>
std::vector<T> values_at(std::vector<std::uint32_t> const& positions)
{
  std::vector<T> values;
  for (auto const i : positions) values.push_back(value_at<T>(i));
  return values;
}
std::vector<std::uint32_t> positions(extent n)
{
  std::vector<std::uint32_t> all(static_cast<std::size_t>(n));
  std::iota(all.begin(), all.end(), 0u);
  return all;
}
auto const less = [](auto a, auto b) { return key_less(a, b); };

template <class T>
class radix_sort_with : public testing::Test {};
using values = testing::Types<std::uint8_t, std::uint32_t, triple, value_of_bytes<64>>;
TYPED_TEST_SUITE(radix_sort_with, values);

TYPED_TEST(radix_sort_with, keeps_values_beside_their_keys_and_equal_keys_in_order)
{
  for (extent const n : {0, 1, 33, 64, 65, 512, 513, 1536, 1537, 4097, 4608, 4609, int(many_keys)})
    for (auto const how : {spread::uniform, spread::few, spread::skewed, spread::equal, spread::narrow}) {
      SCOPED_TRACE("n = " + std::to_string(n) + ", spread " + std::to_string(int(how)));
      auto const keys  = random_keys<std::uint32_t>(n, how);
      auto const order = order_of(keys, less);
      guarded<std::uint32_t> const in(keys), out(n);
      guarded<TypeParam> const beside(values_at<TypeParam>(positions(n)), 1), beside_out(n, 3);
      onepass::radix_sort_by_key(row(), in.view(), beside.view(), out.view(), beside_out.view());
      ASSERT_NO_FATAL_FAILURE(expect_items(out, gathered(keys, order)));
      ASSERT_NO_FATAL_FAILURE(expect_items(beside_out, values_at<TypeParam>(order)));

      onepass::radix_sort_by_key(row(), in.view(), beside.view());
      ASSERT_NO_FATAL_FAILURE(expect_items(in, gathered(keys, order)));
      ASSERT_NO_FATAL_FAILURE(expect_items(beside, values_at<TypeParam>(order)));
    }
}

template <class Key>
void stable_both_ways(extent n)
{
  auto const keys = random_keys<Key>(n, spread::few);
  for (bool const descending : {false, true}) {
    auto const order = order_of(keys, [&](Key a, Key b) { return descending ? key_less(b, a) : key_less(a, b); });
    guarded<Key> const in(keys), out(n);
    guarded<std::uint32_t> const beside(positions(n)), beside_out(n);
    onepass::radix_sort_by_key(row(), in.view(), beside.view(), out.view(), beside_out.view(),
                               {.descending = descending});
    ASSERT_NO_FATAL_FAILURE(expect_items(beside_out, order));
    ASSERT_NO_FATAL_FAILURE(expect_items(out, gathered(keys, order)));
  }
}

TEST(radix_sort_by_key, is_stable_ascending_and_descending)
{
  stable_both_ways<std::uint8_t>(many_keys);
  stable_both_ways<double>(many_keys);  // zeros of both signs are equal
  stable_both_ways<std::int16_t>(1000);
}

/// A particle: its cell, then its depth, decide.
struct particle {
  float depth;
  std::uint16_t cell;
  std::int8_t layer;
  std::uint8_t unused;
};
struct by_cell {
  ONEPASS_FUNCTION auto operator()(particle const& p) const { return onepass::key_parts(p.cell, p.layer, p.depth); }
};

/// Long codes that differ in their highest bit and else in their lowest: no word has room for them and for a place.
TEST(radix_sort_by_key, sorts_keys_that_differ_at_both_ends)
{
  for (extent const n : {extent(7), extent(30), extent(65), extent(3001), many_keys})
    for (std::uint64_t const low : {2, 300}) {
      std::vector<std::uint64_t> keys;
      random_words engine(seed());
      for (extent i = 0; i < n; ++i) keys.push_back(engine() >> 63 << 63 | engine() % low);
      auto const order = order_of(keys, std::less<>{});
      SCOPED_TRACE("n = " + std::to_string(n) + ", " + std::to_string(low) + " keys");
      guarded<std::uint64_t> const in(keys), out(n);
      guarded<std::uint32_t> const beside(positions(n)), beside_out(n, 1);
      onepass::radix_sort_by_key(row(), in.view(), beside.view(), out.view(), beside_out.view());
      ASSERT_NO_FATAL_FAILURE(expect_items(out, gathered(keys, order)));
      ASSERT_NO_FATAL_FAILURE(expect_items(beside_out, order));
    }
}

TEST(radix_sort_by_key, sorts_structs_by_their_parts)
{
  for (extent const n : {extent(5), extent(3001), many_keys}) {
    random_words engine(seed());
    std::vector<particle> keys;
    for (extent i = 0; i < n; ++i)
      keys.push_back({float(engine() % 100) - 50, std::uint16_t(engine() % 50), std::int8_t(engine() % 5 - 2),
                      std::uint8_t(engine())});
    auto const order = order_of(keys, [](particle const& a, particle const& b) {
      return std::tuple(a.cell, a.layer, a.depth) < std::tuple(b.cell, b.layer, b.depth);
    });
    guarded<particle> const data(keys);
    guarded<std::uint32_t> const beside(positions(n));
    onepass::radix_sort_by_key(row(), data.view(), beside.view(), {}, by_cell{});
    ASSERT_NO_FATAL_FAILURE(expect_items(beside, order));
    ASSERT_NO_FATAL_FAILURE(expect_items(data, gathered(keys, order)));
  }
}

/// A key of more bits than a word has, and of more bytes than most.
struct long_key {
  std::uint64_t high, unused[4];
  std::uint32_t middle;
  std::int16_t low;
};
struct by_long_key {
  ONEPASS_FUNCTION auto operator()(long_key const& k) const { return onepass::key_parts(k.high, k.middle, k.low); }
};

TEST(radix_sort_by_key, sorts_by_codes_longer_than_a_word)
{
  for (extent const n : {2, 64, 65, 511, 512, 513, 3001, int(many_keys)}) {
    random_words engine(seed());
    std::vector<long_key> keys;
    for (extent i = 0; i < n; ++i)
      keys.push_back({engine() % 4 << 62, {}, std::uint32_t(engine() % 4 << 30), std::int16_t(engine() % 100 - 50)});
    auto const order = order_of(keys, [](long_key const& a, long_key const& b) {
      return std::tuple(a.high, a.middle, a.low) < std::tuple(b.high, b.middle, b.low);
    });
    guarded<long_key> const data(keys);
    guarded<std::uint32_t> const beside(positions(n));
    onepass::radix_sort_by_key(row(), data.view(), beside.view(), {}, by_long_key{});
    ASSERT_NO_FATAL_FAILURE(expect_items(beside, order));
    ASSERT_NO_FATAL_FAILURE(expect_items(data, gathered(keys, order)));
  }
}

TEST(radix_sort_by_key, takes_strided_views)
{
  extent const n  = 5001;
  auto const keys = random_keys<std::uint32_t>(3 * n, spread::uniform);
  guarded<std::uint32_t> const in(keys), out(2 * n), beside_out(n);
  guarded<std::uint32_t> const beside(positions(n));
  using strided = Kokkos::View<std::uint32_t*, Kokkos::LayoutStride, memory_space>;
  strided const every_third(in.view().data() + 1, Kokkos::LayoutStride(std::size_t(n), 3));
  strided const every_second(out.view().data(), Kokkos::LayoutStride(std::size_t(n), 2));
  onepass::radix_sort_by_key(row(), every_third, beside.view(), every_second, beside_out.view());

  std::vector<std::uint32_t> chosen, expected;
  for (std::size_t i = 1; i < keys.size(); i += 3) chosen.push_back(keys[i]);
  auto const order = order_of(chosen, less);
  for (auto const i : order) expected.insert(expected.end(), {chosen[i], poison_of<std::uint32_t>()});
  ASSERT_NO_FATAL_FAILURE(expect_items(out, expected));
  ASSERT_NO_FATAL_FAILURE(expect_items(beside_out, order));

  for (int const end : {8, 16, 24, 32}) {  // in place, after any number of passes
    onepass::radix_sort(row(), every_third, {.end_bit = end});
    std::vector<std::uint32_t> const now = in.items();
    for (extent i = 1; i < n; ++i) {
      auto const mask = ~std::uint32_t(0) >> (32 - end);
      ASSERT_LE(now[std::size_t(3 * i - 2)] & mask, now[std::size_t(3 * i + 1)] & mask) << i << ", " << end << " bits";
    }
    ASSERT_EQ(now[0], keys[0]);
  }
}

/// Keys sorted where they are, and their permutation; values moved where they are, by keys that stay.
TEST(radix_sort_by_key, takes_keys_or_values_alone_in_place)
{
  for (extent const n : {extent(0), extent(1), extent(100), many_keys}) {
    auto const keys  = random_keys<std::uint32_t>(n, spread::few);
    auto const order = order_of(keys, less);
    guarded<std::uint32_t> const sorted(keys), permutation(n), kept(keys), beside(order), out(n);
    onepass::radix_sort_by_key(row(), sorted.view(), onepass::counting<std::uint32_t>{0, n}, sorted.view(),
                               permutation.view());
    ASSERT_NO_FATAL_FAILURE(expect_items(sorted, gathered(keys, order)));
    ASSERT_NO_FATAL_FAILURE(expect_items(permutation, order));
    onepass::radix_sort_by_key(row(), kept.view(), beside.view(), out.view(), beside.view());
    ASSERT_NO_FATAL_FAILURE(expect_items(kept, keys));
    ASSERT_NO_FATAL_FAILURE(expect_items(out, gathered(keys, order)));
    ASSERT_NO_FATAL_FAILURE(expect_items(beside, gathered(order, order)));
  }
}

/// Outputs may have room for more than there is.
TEST(radix_sort_by_key, leaves_what_lies_behind_keys_or_values_in_place)
{
  for (extent const n : {extent(1), extent(100), many_keys}) {
    auto const keys  = random_keys<std::uint32_t>(n, spread::few);
    auto const order = order_of(keys, less);
    auto longer      = [](auto items) {
      for (int k = 0; k < 5; ++k) items.push_back(0);
      return items;
    };
    guarded<std::uint32_t> const in(keys), places(order), first(longer(keys)), second(longer(order)), out(n + 5);
    auto const of = [&](auto const& view) { return Kokkos::subview(view, std::pair(extent(0), n)); };
    onepass::radix_sort_by_key(row(), of(first.view()), places.view(), first.view(), out.view());
    ASSERT_NO_FATAL_FAILURE(expect_items(first, longer(gathered(keys, order))));
    ASSERT_NO_FATAL_FAILURE(expect_compacted(out, gathered(order, order)));
    guarded<std::uint32_t> const keys_out(n + 5);
    onepass::radix_sort_by_key(row(), in.view(), of(second.view()), keys_out.view(), second.view());
    ASSERT_NO_FATAL_FAILURE(expect_compacted(keys_out, gathered(keys, order)));
    ASSERT_NO_FATAL_FAILURE(expect_items(second, longer(gathered(order, order))));
  }
}

TEST(radix_sort_discipline, waits_for_nothing_allocates_nothing_and_stays_on_its_instance)
{
  for (auto const& mine : Kokkos::Experimental::partition_space(exec_space{}, 1, 1)) {
    guarded<std::uint32_t> const keys(random_keys<std::uint32_t>(many_keys, spread::uniform)), out(many_keys),
        beside(many_keys), beside_out(many_keys);
    onepass::workspace<exec_space> scratch(mine);
    auto const call = [&] {
      onepass::radix_sort_by_key(row(mine).with(scratch).named("my sort"), keys.view(), beside.view(), out.view(),
                                 beside_out.view());
      onepass::radix_sort(row(mine).with(scratch).named("my sort"), out.view(), {.end_bit = 20});
    };
    expect_discipline_of(call, mine, "my sort");
  }
}

TEST(radix_sort_discipline, shares_a_workspace_with_calls_of_all_kinds)
{
  using keys_view = Kokkos::View<std::uint64_t*, memory_space>;
  keys_view const memory("memory", 400'000);
  Kokkos::deep_copy(memory, ~std::uint64_t(0));
  onepass::workspace<exec_space> own(exec_space{}), given(exec_space{}, memory);
  for (auto* const scratch : {&own, &given})
    for (int repetition = 0; repetition < 3; ++repetition)
      for (extent const n : {extent(100), many_keys, extent(30000)}) {
        auto const keys = random_keys<std::uint32_t>(n, spread::uniform);
        guarded<std::uint32_t> const in(keys), out(n), sums(n);
        onepass::radix_sort(row().with(*scratch), in.view(), out.view());
        ASSERT_NO_FATAL_FAILURE(expect_items(out, gathered(keys, order_of(keys, less))));
        onepass::inclusive_scan(row().with(*scratch), in.view(), sums.view());
        std::vector<std::uint32_t> expected = keys;
        std::partial_sum(keys.begin(), keys.end(), expected.begin());
        ASSERT_NO_FATAL_FAILURE(expect_items(sums, expected));
      }
}

TEST(radix_sort_refuses, what_can_not_be_right)
{
  guarded<std::uint32_t> const keys(random_keys<std::uint32_t>(100, spread::uniform)), out(100), small(99), beside(100),
      beside_out(100);
  auto const says = [&](std::vector<std::string> const& parts, auto const& call) {
    expect_says(refusal(call), parts);
    EXPECT_TRUE(out.untouched());
  };
  for (auto const& [begin, end] : {std::pair(-1, 8), {9, 8}, {0, 33}, {40, -1}})
    says({"radix_sort", "no bits from " + std::to_string(begin), "<= 32"}, [&, b = begin, e = end] {
      onepass::radix_sort(row(), keys.view(), out.view(), {.begin_bit = b, .end_bit = e});
    });
  says({"radix_sort", "99", "100"}, [&] { onepass::radix_sort(row(), keys.view(), small.view()); });
  says({"radix_sort", "overlap"}, [&] {
    onepass::radix_sort(row(), unmanaged<std::uint32_t>(Kokkos::subview(keys.view(), std::pair(0, 90))),
                        unmanaged<std::uint32_t>(Kokkos::subview(keys.view(), std::pair(5, 95))));
  });
  says({"radix_sort_by_key", "99 values", "100 keys"},
       [&] { onepass::radix_sort_by_key(row(), keys.view(), small.view(), out.view(), beside_out.view()); });
  says({"radix_sort_by_key", "shares memory"},
       [&] { onepass::radix_sort_by_key(row(), keys.view(), beside.view(), out.view(), keys.view()); });
  guarded<std::uint32_t> const moved(100, 1);
  says({"radix_sort_by_key", "no bits", "<= 32"}, [&] {
    onepass::radix_sort_by_key(row(), keys.view(), moved.view(), out.view(), moved.view(), {.end_bit = 99});
  });
  if (std::is_same_v<ONEPASS_ROW_BACKEND, onepass::kokkos_backend>) {  // the others need no memory for so few keys
    Kokkos::View<char*, memory_space> const little("memory", 160);
    onepass::workspace<exec_space> scratch(exec_space{}, little);
    says({"workspace", "needs", "give more"},
         [&] { onepass::radix_sort(row().with(scratch), keys.view(), out.view()); });
  }
}

TEST(radix_sort_refuses, too_little_memory_before_it_writes)
{
  auto const numbers = random_keys<std::uint32_t>(20000, spread::uniform);
  guarded<std::uint32_t> const here(numbers), there(20000), other(numbers);
  auto const untouched = [&] { return there.untouched() && here.items() == numbers; };
  EXPECT_TRUE(refusals_touch_nothing(
      exec_space{},
      [&](auto& scratch) {
        onepass::radix_sort_by_key(row().with(scratch), here.view(), other.view(), here.view(), there.view());
      },
      untouched))
      << "keys in place";
  guarded<std::uint32_t> const sorted(20000), moved(numbers);
  EXPECT_TRUE(refusals_touch_nothing(
      exec_space{},
      [&](auto& scratch) {
        onepass::radix_sort_by_key(row().with(scratch), other.view(), moved.view(), sorted.view(), moved.view());
      },
      [&] { return sorted.untouched() && moved.items() == numbers; }))
      << "values in place";
}

}  // namespace
