// SPDX-License-Identifier: Apache-2.0
// exactly(): sums of floats have the bits of their digits, which tests/core/test_exact_sum.cpp compares with integers.
#include "guarded.hpp"
#include "inputs.hpp"
#include "sizes.hpp"

#include <onepass/reduce.hpp>
#include <onepass/reduce_by_key.hpp>
#include <onepass/scatter.hpp>
#include <onepass/segmented.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace {

using namespace test;
using digits = onepass::long_sum<>;

/// What sums have to cope with.
enum class kind { usual, cancelling, of_all_magnitudes, with_no_numbers };
constexpr kind all_kinds[] = {kind::usual, kind::cancelling, kind::of_all_magnitudes, kind::with_no_numbers};

template <class T>
std::vector<T> items_of(kind k, extent n)
{
  random_words engine(seed() + std::uint64_t(n) + std::uint64_t(k));
  std::normal_distribution<double> usual;
  constexpr int most = sizeof(T) == 8 ? 1000 : 120;
  std::vector<T> items;
  for (extent i = 0; i < n; ++i) {
    double x = usual(engine);
    if (k == kind::cancelling) x = i % 2 ? -double(items.back()) : std::ldexp(x, int(engine() % 60) - 20);
    if (k == kind::of_all_magnitudes) x = std::ldexp(x, int(engine() % (2 * most)) - most);
    items.push_back(T(x));
  }
  if (k == kind::cancelling && n > 4) items[std::size_t(n / 2)] = T(0x1p-60);
  if (k == kind::with_no_numbers && n > 0) {
    items[engine() % std::uint64_t(n)] = std::numeric_limits<T>::infinity();
    if (n > 1000) items[engine() % std::uint64_t(n)] = -std::numeric_limits<T>::infinity();
  }
  return items;
}

/// The sum of some items, rounded once.
template <class T, class Items>
T sum_of(Items const& items, std::size_t begin, std::size_t end, double init = 0)
{
  auto sum = digits::zero();
  sum.add(init);
  for (std::size_t i = begin; i < end; ++i) sum.add(double(items[i]));
  return sum.round_to<T>();
}

template <class T>
bool same_bits(std::vector<T> const& a, std::vector<T> const& b)
{
  for (std::size_t i = 0; i < a.size(); ++i)
    if (std::memcmp(&a[i], &b[i], sizeof(T)) != 0 && !(std::isnan(a[i]) && std::isnan(b[i]))) {
      ADD_FAILURE() << "item " << i << " of " << a.size() << ": " << a[i] << " and not " << b[i];
      return false;
    }
  return a.size() == b.size();
}

template <class T>
class exact : public testing::Test {};
using floats = testing::Types<float, double>;
TYPED_TEST_SUITE(exact, floats);

TYPED_TEST(exact, reduction_is_rounded_once)
{
  using T = TypeParam;
  for (kind const k : all_kinds)
    for (extent const n : some_sizes<T>()) {
      auto items = items_of<T>(k, n);
      guarded<T> const in(items, 1);
      single<T> const total, other;
      onepass::reduce(onepass::exactly(row()), in.view(), total.view(), onepass::plus{}, T(0.1));
      EXPECT_TRUE(same_bits<T>({total.value()}, {sum_of<T>(items, 0, items.size(), T(0.1))}))
          << n << " items, seed " << seed();
      std::reverse(items.begin(), items.end());
      guarded<T> const turned(items);
      onepass::reduce(onepass::exactly(row()), turned.view(), other.view(), onepass::plus{}, T(0.1));
      EXPECT_TRUE(same_bits<T>({other.value()}, {total.value()})) << n << " items, seed " << seed();
    }
}

TYPED_TEST(exact, reduction_begins_with_what_its_total_holds)
{
  using T = TypeParam;
  for (auto const& items : {std::vector<T>{1, 2, 3, 4}, std::vector<T>{T(1e30), 1, T(1e-30), T(-1e30)}}) {
    guarded<T> const in(items);
    single<T> const total(T(5));
    onepass::reduce(onepass::exactly(row()), in.view(), total.view(), onepass::plus{}, total.view());
    EXPECT_TRUE(same_bits<T>({total.value()}, {sum_of<T>(items, 0, items.size(), T(5))}));
  }
}

TYPED_TEST(exact, dot_product_is_rounded_once)
{
  using T = TypeParam;
  for (kind const k : all_kinds)
    for (extent const n : {extent(0), extent(1), extent(77), extent(30001)}) {
      auto const x = items_of<T>(k, n), y = items_of<T>(kind::usual, n);
      auto sum = onepass::long_sum<true>::zero();
      sum.add(onepass::float_product{3, 1});
      for (std::size_t i = 0; i < x.size(); ++i) sum.add(onepass::float_product{x[i], y[i]});
      guarded<T> const left(x), right(y, 1);
      T total = -1;
      onepass::dot(onepass::exactly(row()), left.view(), right.view(), total, T(3));
      EXPECT_TRUE(same_bits<T>({total}, {sum.round_to<T>()})) << n << " items, seed " << seed();
    }
}

TYPED_TEST(exact, sums_of_segments_are_rounded_once)
{
  using T = TypeParam;
  for (kind const k : all_kinds)
    for (extent const n : {extent(0), extent(3), extent(500), extent(40000)})
      for (int const most : {3, 3000}) {
        auto const items = items_of<T>(k, n);
        random_words engine(seed());
        std::vector<int> offsets{0};
        while (offsets.back() < n) offsets.push_back(std::min(int(n), offsets.back() + int(engine() % unsigned(most))));
        std::vector<T> expected;
        for (std::size_t s = 0; s + 1 < offsets.size(); ++s)
          expected.push_back(sum_of<T>(items, std::size_t(offsets[s]), std::size_t(offsets[s + 1]), T(0.1)));
        guarded<T> const in(items), sums(extent(expected.size()));
        guarded<int> const bounds(offsets);
        onepass::segmented_reduce(onepass::exactly(row()), in.view(), bounds.view(), sums.view(), onepass::plus{},
                                  T(0.1));
        EXPECT_TRUE(same_bits(sums.items(), expected)) << n << " items, seed " << seed();
        EXPECT_TRUE(sums.canaries_alive());
      }
}

TYPED_TEST(exact, sums_of_runs_are_rounded_once)
{
  using T = TypeParam;
  for (kind const k : all_kinds)
    for (extent const n : {extent(1), extent(500), extent(40000)})
      for (extent const short_of : {extent(0), extent(2)}) {
        auto const items = items_of<T>(k, n);
        random_words engine(seed());
        std::vector<int> keys, heads;
        std::vector<T> expected;
        for (std::size_t begin = 0; begin < items.size();) {
          auto const longest = expected.size() % 5 == 0 ? 2000u : 9u;
          auto const end     = std::min(items.size(), begin + 1 + std::size_t(engine() % longest));
          heads.push_back(int(expected.size() % 3));
          for (auto i = begin; i < end; ++i) keys.push_back(heads.back());
          expected.push_back(sum_of<T>(items, begin, end));
          begin = end;
        }
        auto const runs = extent(expected.size()), room = std::max(extent(0), runs - short_of);
        guarded<T> const in(items), sums(room);
        guarded<int> const from(keys), to(room);
        int counted = 0;
        onepass::reduce_by_key(onepass::exactly(row()), from.view(), in.view(), to.view(), sums.view(), counted);
        EXPECT_EQ(counted, runs);
        expected.resize(std::size_t(room)), heads.resize(std::size_t(room));
        EXPECT_TRUE(same_bits(sums.items(), expected)) << n << " items, seed " << seed();
        EXPECT_EQ(to.items(), heads);
        EXPECT_TRUE(sums.canaries_alive() && to.canaries_alive());
      }
}

TEST(exact_values, of_integers_are_as_ever_and_of_nothing_zero)
{
  guarded<int> const in(std::vector<int>{3, 4, 5});
  guarded<float> const none(0);
  int total = 0;
  onepass::reduce(onepass::exactly(row()), in.view(), total);
  EXPECT_EQ(total, 12);
  double mean = 1;
  onepass::reduce(onepass::exactly(row()), none.view(), mean);
  EXPECT_TRUE(mean == 0 && !std::signbit(mean));
  onepass::dot(row(), in.view(), in.view(), total);
  EXPECT_EQ(total, 50);
  single<extent> const two{2};
  onepass::dot(row(), onepass::first(in.view(), two.view()), in.view(), total);
  EXPECT_EQ(total, 25);
  guarded<double> const large(std::vector<double>{1e200, 1e-200, 1e200}), other(std::vector<double>{1e200, 1, -1e200});
  onepass::dot(onepass::exactly(row()), large.view(), other.view(), mean);
  EXPECT_EQ(mean, 1e-200) << "products overflow on the way";
  onepass::dot(onepass::exactly(row()), large.view(), large.view(), mean);
  EXPECT_TRUE(std::isinf(mean) && mean > 0);
}

TEST(exact_values, take_an_init_in_the_type_of_the_sums)
{
  Kokkos::View<float[1][1], memory_space> const in("in");
  Kokkos::deep_copy(in, -0.1f);
  auto const items = Kokkos::subview(in, 0, Kokkos::ALL);
  guarded<int> const offsets(std::vector<int>{0, 1});
  guarded<float> const sums(1), totals(1);
  float total = 1;
  onepass::reduce(onepass::exactly(row()), items, total, onepass::plus{}, 0.1);
  onepass::segmented_reduce(onepass::exactly(row()), items, offsets.view(), sums.view(), onepass::plus{}, 0.1);
  onepass::reduce_rows(onepass::exactly(row()), in, totals.view(), onepass::plus{}, 0.1);
  EXPECT_EQ(total, 0);
  EXPECT_EQ(sums.items(), std::vector<float>{0});
  EXPECT_EQ(totals.items(), std::vector<float>{0});
}

/// Indices that count how often they are asked for.
struct counted_indices {
  using value_type = int;
  int* reads;
  extent size;
  KOKKOS_FUNCTION int operator()(extent i) const
  {
    Kokkos::atomic_inc(reads);
    return int(i % 3);
  }
};

TEST(exact_values, are_added_by_index_with_one_look_at_the_indices)
{
  guarded<float> const in(items_of<float>(kind::usual, 1000)), out(std::vector<float>(3, 0.0f));
  auto const reads = [&](auto const& where) {
    single<int> const number(0);
    onepass::scatter_add(where.checked(), in.view(), counted_indices{number.view().data(), 1000}, out.view());
    return number.value();
  };
  EXPECT_EQ(reads(onepass::exactly(row())), reads(row()));
}

}  // namespace
