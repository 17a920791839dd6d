// SPDX-License-Identifier: Apache-2.0
// Integers of 16 bytes, against plain loops. With extensions of the language, which CMake gives to those who ask for
// C++20 alone, C++ takes them for integers; so this source has them too. Kokkos' wrapper of nvcc takes them away again.
#ifndef __STRICT_ANSI__
#include "compaction.hpp"
#include "sizes.hpp"

#include <onepass/adjacent_difference.hpp>
#include <onepass/minmax.hpp>
#include <onepass/partition.hpp>
#include <onepass/reduce.hpp>
#include <onepass/reduce_by_key.hpp>
#include <onepass/run_length.hpp>
#include <onepass/scan.hpp>
#include <onepass/segmented.hpp>
#include <onepass/unique.hpp>

using namespace test;

namespace {

template <class T>
class wide_integers : public testing::Test {
protected:
  static inline extent const n = many_tiles<T>();

  /// Runs of equal items; neighbours may differ in either half alone, and the sums of all fit.
  static std::vector<T> items(int mean)
  {
    random_words engine(seed());
    std::vector<T> all;
    for (T now = 0; extent(all.size()) < n; all.push_back(now))
      if (auto const word = engine(); word % unsigned(mean) == 0)
        now = T(std::uint16_t(word >> 20)) << (word >> 10) % 80 | T(word >> 50);
    return all;
  }

  static std::vector<T> sums(std::vector<T> all)
  {
    for (std::size_t i = 1; i < all.size(); ++i) all[i] += all[i - 1];
    return all;
  }
};

__extension__ using types = testing::Types<__int128, unsigned __int128>;
TYPED_TEST_SUITE(wide_integers, types);

TYPED_TEST(wide_integers, are_added_whole_by_scans_and_reductions)
{
  auto const items = this->items(2), sums = this->sums(items);
  guarded<TypeParam> const in(items), out(this->n), by_std(this->n), before(this->n);
  onepass::inclusive_scan(row(), in.view(), out.view());
  onepass::inclusive_scan(row(), in.view(), by_std.view(), std::plus<>{});
  onepass::exclusive_scan(row(), in.view(), before.view(), onepass::plus{}, TypeParam(7));
  EXPECT_TRUE(out.items() == sums);
  EXPECT_TRUE(by_std.items() == sums);
  auto const shifted = before.items();
  for (std::size_t i = 0; i < shifted.size(); ++i)
    ASSERT_TRUE(shifted[i] == 7 + (i ? sums[i - 1] : TypeParam(0))) << "exclusive, at " << i;

  TypeParam total = 0, mapped = 0;
  onepass::reduce(row(), in.view(), total);
  onepass::transform_reduce(
      row(), in.view(), mapped, [](TypeParam const& x) { return x; }, std::plus<TypeParam>{});
  EXPECT_TRUE(total == sums.back());
  EXPECT_TRUE(mapped == sums.back());
}

TYPED_TEST(wide_integers, are_multiplied_and_compared_whole)
{
  auto items = std::vector<TypeParam>(std::size_t(this->n), 1);
  for (std::size_t i = 0; i < 50; ++i) items[i * 7] = 3;
  TypeParam product = 1;
  for (auto const x : items) product *= x;
  guarded<TypeParam> const ones(items);
  TypeParam got = 0;
  onepass::reduce(row(), ones.view(), got, onepass::multiplies{});
  EXPECT_TRUE(got == product);

  items = this->items(2);
  guarded<TypeParam> const in(items);
  onepass::reduce(row(), in.view(), got, onepass::maximum{}, TypeParam(0));
  EXPECT_TRUE(got == *std::max_element(items.begin(), items.end()));
  extent at = -1;
  onepass::max_element(row(), in.view(), at);
  EXPECT_EQ(at, std::max_element(items.begin(), items.end()) - items.begin());
}

TYPED_TEST(wide_integers, are_subtracted_whole)
{
  auto const items = this->items(2), sums = this->sums(items);
  guarded<TypeParam> const in(sums), out(this->n);
  onepass::adjacent_difference(row(), in.view(), out.view());
  EXPECT_TRUE(out.items() == items);
}

TYPED_TEST(wide_integers, are_told_apart_by_both_halves)
{
  for (int const mean : {1, 2, 40}) {
    auto const items = this->items(mean);
    auto heads       = items;
    heads.erase(std::unique(heads.begin(), heads.end()), heads.end());
    std::vector<extent> lengths;
    for (std::size_t i = 0; i < items.size(); ++i)
      if (i > 0 && items[i] == items[i - 1]) ++lengths.back();
      else lengths.push_back(1);
    guarded<TypeParam> const in(items), out(this->n), symbols(this->n);
    guarded<extent> const runs(this->n);
    extent count = 0, encoded = 0;
    onepass::unique(row(), in.view(), out.view(), count);
    onepass::run_length_encode(row(), in.view(), symbols.view(), runs.view(), encoded);
    EXPECT_EQ(count, extent(heads.size()));
    EXPECT_EQ(encoded, extent(heads.size()));
    expect_compacted(out, heads);
    expect_compacted(symbols, heads);
    expect_compacted(runs, lengths);
  }
}

TYPED_TEST(wide_integers, are_selected)
{
  auto const high  = [](TypeParam const& x) { return (x >> 64) % 2 == 0; };
  auto const items = this->items(2), wanted = kept(items, high);
  auto const rest = kept(items, [&](TypeParam const& x) { return !high(x); });
  guarded<TypeParam> const in(items), out(this->n), yes(this->n), no(this->n);
  extent count = 0, split = 0;
  onepass::select_if(row(), in.view(), out.view(), count, high);
  onepass::partition_if(row(), in.view(), yes.view(), no.view(), split, high);
  EXPECT_EQ(count, extent(wanted.size()));
  EXPECT_EQ(split, extent(wanted.size()));
  expect_compacted(out, wanted);
  expect_compacted(yes, wanted);
  expect_compacted(no, rest);
}

TYPED_TEST(wide_integers, are_added_whole_by_segments_and_by_keys)
{
  for (int const mean : {2, 40}) {
    auto const keys = this->items(mean), values = this->items(1);
    std::vector<TypeParam> heads, wanted;
    std::vector<extent> begins;
    for (std::size_t i = 0; i < keys.size(); ++i) {
      if (i == 0 || !(keys[i] == keys[i - 1])) {
        heads.push_back(keys[i]);
        wanted.push_back(0);
        begins.push_back(extent(i));
      }
      wanted.back() += values[i];
    }
    begins.push_back(this->n);
    guarded<TypeParam> const in_keys(keys), in(values), out_keys(this->n), sums(this->n);
    guarded<TypeParam> const of_segments(extent(heads.size()));
    guarded<extent> const offsets(begins);
    extent runs = 0;
    onepass::reduce_by_key(row(), in_keys.view(), in.view(), out_keys.view(), sums.view(), runs);
    onepass::segmented_reduce(row(), in.view(), offsets.view(), of_segments.view());
    EXPECT_EQ(runs, extent(heads.size()));
    expect_compacted(out_keys, heads);
    expect_compacted(sums, wanted);
    EXPECT_TRUE(of_segments.items() == wanted);
  }
}

}  // namespace
#endif
