// SPDX-License-Identifier: Apache-2.0
// Keys of a few values, so that many are equal; values say where a key came from.
#include "apart.hpp"
#include "compaction.hpp"
#include "inputs.hpp"
#include "kernel_log.hpp"
#include "sizes.hpp"

#include <onepass/merge.hpp>

#include <cstring>
#include <limits>
#include <numeric>

using namespace test;

namespace {

/// n random items of some values, in order; they carry a number from `base` on where they have room.
template <class T>
std::vector<T> in_order(extent n, unsigned values, std::uint64_t salt, std::uint32_t base)
{
  random_words engine(seed() + salt);
  std::vector<T> items;
  for (extent i = 0; i < n; ++i) {
    auto const key = std::uint32_t(engine() % values);
    if constexpr (std::is_same_v<T, triple>) items.push_back({key, 0, 0});
    else items.push_back(static_cast<T>(key));
  }
  std::sort(items.begin(), items.end(), [](T const& x, T const& y) { return key_of(x) < key_of(y); });
  if constexpr (std::is_same_v<T, triple>)
    for (auto& x : items) x.position = base++;
  return items;
}

struct by_key {
  template <class T>
  ONEPASS_FUNCTION bool operator()(T const& x, T const& y) const
  {
    return key_of(x) < key_of(y);
  }
};

template <class T>
std::vector<T> merged(std::vector<T> const& a, std::vector<T> const& b)
{
  std::vector<T> all;
  std::merge(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(all), by_key{});
  return all;
}

template <class T>
class merge : public testing::Test {};
using types = testing::Types<std::uint8_t, std::uint32_t, double, triple>;
TYPED_TEST_SUITE(merge, types);

TYPED_TEST(merge, agrees_with_std)
{
  random_words engine(seed());
  for (extent const n : edge_sizes<TypeParam>())
    for (extent const as : {n % 2 ? 0 : n, extent(engine() % std::uint64_t(n + 1)), n % 2 ? n / 200 : n - n / 200}) {
      unsigned const values = n % 3 ? 3 : 250;
      auto const a = in_order<TypeParam>(as, values, 0, 0), b = in_order<TypeParam>(n - as, values, 1, 1u << 31);
      guarded<TypeParam> const from_a(a, 1), from_b(b, 2), out(n + 3, 1);
      SCOPED_TRACE(std::to_string(as) + " of " + std::to_string(n) + ", values " + std::to_string(values));
      onepass::merge(row(), from_a.view(), from_b.view(), out.view(), by_key{});
      ASSERT_NO_FATAL_FAILURE(expect_compacted(out, merged(a, b)));
    }
}

/// Keys and values of both, merged as structs are.
struct tables {
  std::vector<std::uint32_t> a_keys, b_keys;
  std::vector<std::uint64_t> a_values, b_values;
  std::vector<std::uint32_t> keys;
  std::vector<std::uint64_t> values;

  tables(extent as, extent bs, unsigned different)
      : a_keys(in_order<std::uint32_t>(as, different, 0, 0))
      , b_keys(in_order<std::uint32_t>(bs, different, 1, 0))
      , a_values(a_keys.size())
      , b_values(b_keys.size())
  {
    std::iota(a_values.begin(), a_values.end(), std::uint64_t(1) << 40);
    std::iota(b_values.begin(), b_values.end(), std::uint64_t(1) << 50);
    std::size_t i = 0, j = 0;
    while (i < a_keys.size() || j < b_keys.size()) {
      bool const of_a = j == b_keys.size() || (i < a_keys.size() && a_keys[i] <= b_keys[j]);
      keys.push_back(of_a ? a_keys[i] : b_keys[j]);
      values.push_back(of_a ? a_values[i++] : b_values[j++]);
    }
  }
};

TEST(merge_by_key, keeps_values_beside_their_keys_and_equal_ones_in_order)
{
  for (extent const n : edge_sizes<std::uint64_t>())
    for (extent const as : {extent(0), n / 3, n}) {
      tables const all(as, n - as, 7);
      guarded<std::uint32_t> const a(all.a_keys), b(all.b_keys), keys(n + 1);
      guarded<std::uint64_t> const a_values(all.a_values), b_values(all.b_values), values(n + 1);
      SCOPED_TRACE(std::to_string(as) + " of " + std::to_string(n));
      onepass::merge_by_key(row(), a.view(), a_values.view(), b.view(), b_values.view(), keys.view(), values.view());
      ASSERT_NO_FATAL_FAILURE(expect_compacted(keys, all.keys));
      ASSERT_NO_FATAL_FAILURE(expect_compacted(values, all.values));
    }
}

TEST(merge_by_key, takes_items_apart_sequences_and_sizes_from_the_device)
{
  extent const n = many_tiles<std::uint32_t>();
  for (auto const& [as, bs] : {std::pair<extent, extent>{0, 0}, {n / 3, n / 7}, {n / 2, 0}, {n, n}}) {
    tables const all(as, bs, 100);
    auto const longer = [n](auto items) {
      items.resize(std::size_t(n), 1);
      return items;
    };
    single<extent> const a_size(as), b_size(bs);
    apart<std::uint32_t> const a(longer(all.a_keys)), b(longer(all.b_keys));
    guarded<std::uint32_t> const keys(2 * n);
    guarded<std::uint64_t> const values(2 * n);
    SCOPED_TRACE(std::to_string(as) + " and " + std::to_string(bs));
    onepass::merge_by_key(row(), onepass::first(a.view(), a_size.view()),
                          onepass::counting<std::uint64_t>{std::uint64_t(1) << 40, n},
                          onepass::first(b.view(), b_size.view()),
                          onepass::counting<std::uint64_t>{std::uint64_t(1) << 50, n}, keys.view(), values.view());
    ASSERT_NO_FATAL_FAILURE(expect_compacted(keys, all.keys));
    ASSERT_NO_FATAL_FAILURE(expect_compacted(values, all.values));
  }
}

/// Merges whose inputs lie one behind the other, or nearly so, take another way than item by item.
TYPED_TEST(merge, inputs_that_hardly_meet)
{
  for (extent const n : {extent(1), extent(40), many_tiles<TypeParam>()})
    for (extent const shared : {extent(0), extent(1), n / 2}) {
      auto const part = [&](extent first, unsigned salt) {
        auto items = in_order<TypeParam>(n, 1, salt, salt << 31);
        for (extent i = 0; i < n; ++i) {
          auto const key = std::uint32_t((first + i) * 250 / (2 * n));
          if constexpr (std::is_same_v<TypeParam, triple>) items[std::size_t(i)].key = key;
          else items[std::size_t(i)] = static_cast<TypeParam>(key);
        }
        return items;
      };
      auto const low = part(0, 0), high = part(n - shared, 1);
      for (bool const turned : {false, true}) {
        auto const &a = turned ? high : low, &b = turned ? low : high;
        guarded<TypeParam> const from_a(a, 1), from_b(b, 2), out(2 * n, 1);
        SCOPED_TRACE(std::to_string(shared) + " of " + std::to_string(n) + (turned ? ", the second first" : ""));
        onepass::merge(row(), from_a.view(), from_b.view(), out.view(), by_key{});
        ASSERT_NO_FATAL_FAILURE(expect_compacted(out, merged(a, b)));
      }
    }
}

TEST(merge_of, what_is_not_in_order_stays_inside_of_the_output)
{
  extent const n = 4 * many_tiles<std::uint32_t>();
  for (int turn = 0; turn < 20; ++turn) {
    extent const more = turn % 4 == 0 ? n - 1 - turn : turn;
    guarded<std::uint32_t> const a(random_items<std::uint32_t>(n + more)), b(random_items<std::uint32_t>(n - more)),
        out(2 * n);
    onepass::merge(row(), a.view(), b.view(), out.view());
    Kokkos::fence();
    EXPECT_TRUE(a.canaries_alive() && b.canaries_alive() && out.canaries_alive());
  }
}

TEST(merge_of, floats_has_nans_behind_all_numbers)
{
  float const nan = std::numeric_limits<float>::quiet_NaN();
  guarded<float> const a(std::vector<float>{1, 3, nan}), b(std::vector<float>{2, nan}), out(5);
  onepass::merge(row(), a.view(), b.view(), out.view());
  auto const got = out.items();
  EXPECT_EQ(std::vector<float>(got.begin(), got.begin() + 3), (std::vector<float>{1, 2, 3}));
  EXPECT_TRUE(got[3] != got[3] && got[4] != got[4]);
}

/// The library's own order, with -0.0 beside 0.0 and NaNs, around so few items as hosts take one after another. Values
/// tell which key came from where.
TEST(merge_of, floats_agrees_with_std_with_nans_and_without)
{
  nans_behind<double> const before{};
  random_words engine(seed());
  for (extent const n : {1, 2, 7, 63, 190, 191, 192, 193, 194, 260, 5000})
    for (extent const as : {extent(0), n / 200, n / 3, n / 2, n - n / 200, n})
      for (int const nans : {0, 1, 2, 3}) {  // none, in a, in b, in both
        std::vector<double> all;
        for (extent i = 0; i < n; ++i) {
          double const x = double(engine() % 20) - 10;
          all.push_back(nans && engine() % 9 == 0     ? std::numeric_limits<double>::quiet_NaN()
                        : x == 0 && engine() % 2 == 0 ? -0.0
                                                      : x);
        }
        std::vector<double> a(all.begin(), all.begin() + as), b(all.begin() + as, all.end());
        std::stable_sort(a.begin(), a.end(), before);
        std::stable_sort(b.begin(), b.end(), before);
        std::vector<std::uint32_t> from_a(a.size()), from_b(b.size()), wanted;
        std::iota(from_a.begin(), from_a.end(), 0u);
        std::iota(from_b.begin(), from_b.end(), std::uint32_t(as));
        std::vector<double> const key = [&] {
          auto both = a;
          both.insert(both.end(), b.begin(), b.end());
          return both;
        }();
        std::merge(from_a.begin(), from_a.end(), from_b.begin(), from_b.end(), std::back_inserter(wanted),
                   [&](std::uint32_t x, std::uint32_t y) { return before(key[x], key[y]); });
        guarded<double> const a_keys(a), b_keys(b), keys(n), out(n);
        guarded<std::uint32_t> const a_values(from_a), b_values(from_b), values(n);
        onepass::merge(row(), a_keys.view(), b_keys.view(), out.view());
        onepass::merge_by_key(row(), a_keys.view(), a_values.view(), b_keys.view(), b_values.view(), keys.view(),
                              values.view());
        SCOPED_TRACE(std::to_string(as) + " of " + std::to_string(n) + ", NaNs " + std::to_string(nans));
        ASSERT_TRUE(values.items() == wanted);
        auto const keys_made = keys.items(), made = out.items();
        for (std::size_t i = 0; i < wanted.size(); ++i) {
          double const x = key[wanted[i]];
          ASSERT_TRUE(std::memcmp(&keys_made[i], &x, sizeof x) == 0 && std::memcmp(&made[i], &x, sizeof x) == 0);
        }
      }
}

TEST(merge_discipline, waits_for_nothing_and_refuses_what_can_not_be_right)
{
  extent const n = many_tiles<std::uint32_t>();
  tables const all(n, n, 100);
  guarded<std::uint32_t> const a(all.a_keys), b(all.b_keys), out(2 * n), few(2 * n - 1);
  guarded<std::uint64_t> const values(2 * n);
  for (auto const& mine : Kokkos::Experimental::partition_space(exec_space{}, 1, 1)) {
    onepass::workspace<exec_space> scratch(mine);
    auto const call = [&] { onepass::merge(row(mine).with(scratch), a.view(), b.view(), out.view()); };
    expect_discipline_of(call, mine);
  }
  expect_says(refusal([&] { onepass::merge(row(), a.view(), b.view(), few.view()); }),
              {"merge", std::to_string(2 * n - 1), std::to_string(2 * n)});
  auto const half = Kokkos::subview(out.view(), std::pair<extent, extent>(0, n));
  expect_says(refusal([&] { onepass::merge(row(), half, b.view(), out.view()); }), {"merge", "shares memory"});
  expect_says(refusal([&] {
                onepass::merge_by_key(row(), a.view(), onepass::counting<int>{0, n - 1}, b.view(),
                                      onepass::counting<int>{0, n}, out.view(), values.view());
              }),
              {"merge_by_key", "one a key"});
  EXPECT_TRUE(few.untouched());
  EXPECT_TRUE(values.untouched());
}

}  // namespace
