// SPDX-License-Identifier: Apache-2.0
#include "row.hpp"
#include "sorting.hpp"

#include <onepass/segmented_sort.hpp>

#include <gtest/gtest.h>

using namespace test;

namespace {

/// Offsets of segments of random lengths, empty ones among them, that leave some keys out on both sides.
std::vector<int> random_offsets(extent n, extent mean)
{
  random_words engine(seed() + std::uint64_t(n + mean));
  std::vector<int> offsets{int(std::min<extent>(n, 3))};
  while (offsets.back() < n - 5)
    offsets.push_back(int(std::min<extent>(n - 5, offsets.back() + extent(engine() % std::uint64_t(2 * mean + 1)))));
  return offsets;
}

template <class T>
std::vector<T> sorted_segments(std::vector<T> keys, std::vector<int> const& offsets, bool descending)
{
  for (std::size_t s = 0; s + 1 < offsets.size(); ++s)
    std::stable_sort(keys.begin() + offsets[s], keys.begin() + offsets[s + 1],
                     [&](T a, T b) { return descending ? key_less(b, a) : key_less(a, b); });
  return keys;
}

template <class T>
class segmented_sort_of : public testing::Test {};
using types = testing::Types<std::uint8_t, float>;
TYPED_TEST_SUITE(segmented_sort_of, types);

TYPED_TEST(segmented_sort_of, sorts_every_segment_by_itself)
{
  for (extent const n : {extent(0), extent(1), extent(100), extent(900), extent(5003), extent(20011), many_keys})
    for (extent const mean : {extent(1), extent(30), extent(3000), extent(1) << 30})
      for (bool const descending : {false, true}) {
        SCOPED_TRACE("n = " + std::to_string(n) + ", segments of " + std::to_string(mean));
        auto const keys    = random_keys<TypeParam>(n, spread::uniform);
        auto const offsets = random_offsets(n, mean);
        guarded<TypeParam> const in(keys, 1), out(n);
        guarded<int> const heads(offsets);
        onepass::segmented_sort(row(), in.view(), out.view(), heads.view(), {.descending = descending});
        ASSERT_NO_FATAL_FAILURE(expect_items(out, sorted_segments(keys, offsets, descending)));
        ASSERT_NO_FATAL_FAILURE(expect_items(in, keys));
        onepass::segmented_sort(row(), in.view(), in.view(), heads.view(), {.descending = descending});
        ASSERT_NO_FATAL_FAILURE(expect_items(in, sorted_segments(keys, offsets, descending)));
      }
}

TEST(segmented_sort, sorts_long_segments_among_short_ones_by_any_bits)
{
  random_words engine(seed());
  for (extent const n : {extent(3001), many_keys}) {
    auto const keys = random_keys<std::uint64_t>(n, spread::uniform);
    std::vector<int> offsets{0};
    while (offsets.back() < n) {  // of 0 to 4095 keys, as often of 0 or 1 as of more than a thousand
      auto const length = extent(engine() % (std::uint64_t(1) << engine() % 13));
      offsets.push_back(int(std::min<extent>(n, offsets.back() + length)));
    }
    for (onepass::sort_order const& order :
         {onepass::sort_order{}, onepass::sort_order{true, 0, -1}, onepass::sort_order{false, 60, 64},
          onepass::sort_order{true, 3, 9}, onepass::sort_order{false, 64, 64}}) {
      int const width = (order.end_bit < 0 ? 64 : order.end_bit) - order.begin_bit;
      auto const code = [&](std::uint64_t key) {
        return width == 0 ? 0 : key >> order.begin_bit & (~std::uint64_t(0) >> (64 - width));
      };
      auto expected = keys;
      for (std::size_t s = 0; s + 1 < offsets.size(); ++s)
        std::stable_sort(expected.begin() + offsets[s], expected.begin() + offsets[s + 1],
                         [&](auto a, auto b) { return order.descending ? code(b) < code(a) : code(a) < code(b); });
      SCOPED_TRACE("n = " + std::to_string(n) + ", bits from " + std::to_string(order.begin_bit));
      guarded<std::uint64_t> const in(keys), out(n);
      guarded<int> const heads(offsets, 1);
      onepass::segmented_sort(row(), in.view(), out.view(), heads.view(), order);
      ASSERT_NO_FATAL_FAILURE(expect_items(out, expected));
    }
  }
}

/// More tiles than devices have multiprocessors; and less than that, of all sizes that are one tile or a few.
TEST(segmented_sort, sorts_in_any_number_of_tiles)
{
  std::vector<extent> sizes{tiny_row ? 20011 : 700001};
  for (extent n = 17; n < (tiny_row ? 3000 : 30000); n = n * 3 / 2 + 1) sizes.push_back(n);
  for (extent const n : sizes)
    for (extent const mean : {extent(7), extent(500), n / 2}) {
      SCOPED_TRACE("n = " + std::to_string(n) + ", segments of " + std::to_string(mean));
      auto const keys    = random_keys<std::uint16_t>(n, spread::uniform);
      auto const offsets = random_offsets(n, mean);
      guarded<std::uint16_t> const in(keys), out(n, 1);
      guarded<int> const heads(offsets);
      onepass::segmented_sort(row(), in.view(), out.view(), heads.view());
      ASSERT_NO_FATAL_FAILURE(expect_items(out, sorted_segments(keys, offsets, false)));
    }
}

/// So many keys in so long segments that CUDA takes tiles for long ones, where some do not fit.
TEST(segmented_sort, sorts_many_keys_in_long_segments)
{
  extent const n   = tiny_row ? 20011 : (extent(1) << 21) + 11;
  auto const sorts = [&]<class T>(T, extent mean, bool descending) {
    SCOPED_TRACE("segments of " + std::to_string(mean));
    auto const keys    = random_keys<T>(n, spread::uniform);
    auto const offsets = random_offsets(n, mean);
    guarded<T> const in(keys, 1), out(n);
    guarded<int> const heads(offsets);
    onepass::segmented_sort(row(), in.view(), out.view(), heads.view(), {.descending = descending});
    expect_items(out, sorted_segments(keys, offsets, descending));
  };
  for (extent const mean : {tiny_row ? 120 : 1100, 9500}) sorts(std::uint16_t(), mean, mean < 9000);
  sorts(std::uint8_t(), tiny_row ? 200 : 9000, false);
  sorts(float(), 9000, true);
}

/// Zeros of both signs are equal, and are not made by their codes: tiles that have some are sorted in another way.
TEST(segmented_sort, keeps_the_order_of_zeros_in_the_tiles_that_have_some)
{
  for (extent const mean : {5, 60, 400, 3000}) {
    SCOPED_TRACE("segments of " + std::to_string(mean));
    auto keys        = random_keys<float>(many_keys, spread::uniform);
    auto const zeros = random_keys<float>(many_keys, spread::few);
    std::copy(zeros.begin(), zeros.begin() + many_keys / 3, keys.begin() + many_keys / 2);
    auto const offsets = random_offsets(many_keys, mean);
    guarded<float> const in(keys), out(many_keys);
    guarded<int> const heads(offsets);
    onepass::segmented_sort(row(), in.view(), out.view(), heads.view());
    expect_items(out, sorted_segments(keys, offsets, false));
  }
}

/// Of every class that lanes sort, and on both sides of its borders.
TEST(segmented_sort, sorts_segments_of_all_lengths)
{
  auto const sorts = []<class T>(T, bool descending) {
    std::vector<int> offsets{0};
    for (int length = 0; length < (tiny_row ? 140 : 1100); ++length) offsets.push_back(offsets.back() + length);
    auto const n    = extent(offsets.back());
    auto const keys = random_keys<T>(n, spread::skewed);
    guarded<T> const in(keys), out(n, 1);
    guarded<int> const heads(offsets);
    onepass::segmented_sort(row(), in.view(), out.view(), heads.view(), {.descending = descending});
    expect_items(out, sorted_segments(keys, offsets, descending));
  };
  sorts(std::int8_t(), false);
  sorts(std::uint16_t(), true);
  sorts(std::uint32_t(), false);
  sorts(double(), true);
}

TEST(segmented_sort, leaves_keys_outside_of_segments)
{
  auto const keys = random_keys<std::uint32_t>(2000, spread::uniform);
  guarded<std::uint32_t> const in(keys), out(2000);
  guarded<int> const one(std::vector<int>{1000}), none(0);
  onepass::segmented_sort(row(), in.view(), out.view(), one.view());
  expect_items(out, keys);
  onepass::segmented_sort(row(), in.view(), out.view(), none.view());
  expect_items(out, keys);
  expect_says(refusal([&] { onepass::segmented_sort(row(), in.view(), out.view(), one.view(), {.end_bit = 33}); }),
              {"segmented_sort", "no bits", "32"});
}

TEST(segmented_sort, of_offsets_that_make_no_sense_writes_nothing_outside_and_is_refused_at_the_checked_level)
{
  auto const keys = random_keys<std::uint32_t>(2000, spread::uniform);
  guarded<std::uint32_t> const in(keys), out(2000);
  random_words engine(seed());
  for (int round = 0; round < 20; ++round) {
    std::vector<int> wild(300);
    for (auto& w : wild) w = int(engine() % 4000) - 1000;
    guarded<int> const offsets(wild);
    onepass::segmented_sort(row(), in.view(), out.view(), offsets.view());
    ASSERT_TRUE(out.canaries_alive());
    ASSERT_NO_FATAL_FAILURE(expect_items(in, keys));
  }
  guarded<std::uint32_t> const fresh(2000);
  auto const said = [&](std::vector<int> const& bounds) {
    guarded<int> const offsets(bounds);
    return refusal([&] { onepass::segmented_sort(row().checked(), in.view(), fresh.view(), offsets.view()); });
  };
  expect_says(said({0, 50, 40, 2000}), {"segmented_sort", "offset 2", "2000 items"});
  expect_says(said({5, 50, 2001}), {"segmented_sort", "offset 2"});
  EXPECT_TRUE(fresh.untouched());
  EXPECT_EQ(said({5, 50, 50, 1999}), "");
}

}  // namespace
