// SPDX-License-Identifier: Apache-2.0
#include "inputs.hpp"
#include "row.hpp"
#include "sorting.hpp"

#include <onepass/scatter.hpp>
//
#include <onepass/histogram.hpp>

#include <gtest/gtest.h>

using namespace test;

namespace {

/// Counted by std:: alone: bin_of gives -1 for none.
template <class Count, class T, class BinOf>
std::vector<Count> counted(std::vector<T> const& items, extent bins, BinOf const& bin_of)
{
  std::vector<Count> counts(static_cast<std::size_t>(bins));
  for (auto const& x : items)
    if (extent const b = bin_of(x); b >= 0 && b < bins) ++counts[std::size_t(b)];
  return counts;
}

struct modulo {
  int bins;
  ONEPASS_FUNCTION int operator()(std::uint32_t x) const { return int(x % unsigned(bins + 1)) - 1; }
};

TEST(histogram, counts_what_the_callers_function_says)
{
  for (extent const n : {extent(0), extent(1), extent(5), extent(4097), extent(300007)})
    for (int const bins : {1, 2, 65, 256, 257, 384, 385, 2048, 2049, 8193, 57345, 1 << 20}) {
      if (n < 100 && bins > 60000) continue;
      SCOPED_TRACE("n = " + std::to_string(n) + ", " + std::to_string(bins) + " bins");
      auto const items = random_keys<std::uint32_t>(n, spread::uniform);
      guarded<std::uint32_t> const in(items);
      guarded<int> const counts(bins, 1);
      onepass::histogram(row(), in.view(), counts.view(), modulo{bins});
      ASSERT_NO_FATAL_FAILURE(expect_items(counts, counted<int>(items, bins, modulo{bins})));
    }
}

TEST(histogram, counts_items_that_are_their_own_bins)
{
  auto items = random_keys<std::uint32_t>(5000, spread::uniform);
  for (auto& x : items) x %= 70;
  guarded<std::uint32_t> const in(items);
  guarded<int> const counts(64, 1);
  onepass::histogram(row(), in.view(), counts.view(), onepass::unchanged{});
  EXPECT_NO_FATAL_FAILURE(expect_items(counts, counted<int>(items, 64, onepass::unchanged{})));
}

/// An item is its bin and one more; 0 has none.
struct one_less {
  ONEPASS_FUNCTION int operator()(std::uint32_t x) const { return int(x) - 1; }
};

/// n items of which a few have no bin, or one behind the last. Strided: bins that are many powers of two apart.
std::vector<std::uint32_t> items_of_bins(extent n, std::uint32_t bins, std::string const& how)
{
  random_words engine(seed() + std::uint64_t(n) + bins);
  std::vector<std::uint32_t> items;
  for (extent i = 0; i < n; ++i) {
    std::uint64_t const random = engine();
    std::uint32_t bin          = std::uint32_t(random % bins);
    if (how == "one" && random >> 58 != 0) bin = bins / 2;
    if (how == "skewed") bin >>= random >> 59;
    if (how == "strided") bin = bin >> 12 << 12;
    if (how == "sorted") bin = std::uint32_t(i * bins / n);
    if (random >> 32 & 1023) ++bin;
    else bin = random >> 42 & 1 ? 0 : bins + 1 + std::uint32_t(random >> 43 & 1000);
    items.push_back(bin);
  }
  return items;
}

void expect_counts(extent n, std::uint32_t bins, std::string const& how)
{
  SCOPED_TRACE("n = " + std::to_string(n) + ", " + std::to_string(bins) + " bins, " + how);
  auto const items = items_of_bins(n, bins, how);
  guarded<std::uint32_t> const in(items, 1);
  guarded<std::uint32_t> const counts(bins);
  onepass::histogram(row(), in.view(), counts.view(), one_less{});
  expect_items(counts, counted<std::uint32_t>(items, bins, one_less{}));
}

/// Around the numbers of bins and of items at which backends count in another way.
TEST(histogram, counts_however_items_spread_over_bins)
{
  for (std::uint32_t const bins : {2, 80, 81, 96, 97, 256, 257, 384, 385, 8192, 8193, 32768, 32769, 57344, 57345,
                                   229376, 229377, (1 << 20) - 1, 1 << 20})
    for (extent const n : {1, 100, 101, 200, 16384, 16385})
      for (auto const* how : {"uniform", "one", "skewed", "strided", "sorted"}) {
        if (bins > 40000 && (n < 200 || how[0] == 's')) continue;
        ASSERT_NO_FATAL_FAILURE(expect_counts(n, bins, how));
      }
}

TEST(histogram, counts_many_items_in_many_bins)
{
  constexpr extent few = extent(1) << 17, many = (extent(1) << (tiny_row ? 19 : 23)) + 5;
  for (std::uint32_t const bins : {57345, 100003, 1 << 20})
    for (extent const n : {few, many})
      for (auto const* how : {"uniform", "one", "skewed"}) {
        if (n == many && (bins == 57345 || how[0] == 's')) continue;
        ASSERT_NO_FATAL_FAILURE(expect_counts(n, bins, how));
      }
}

struct beyond_32_bits {
  ONEPASS_FUNCTION std::int64_t operator()(std::uint32_t x) const
  {
    return std::int64_t(x % 7) + (std::int64_t(x % 5) - 2) * (std::int64_t(1) << 32);
  }
};

TEST(histogram, counts_bins_of_64_bits_only_below_their_number)
{
  auto const items = random_keys<std::uint32_t>(3001, spread::uniform);
  guarded<std::uint32_t> const in(items);
  guarded<int> const counts(7);
  onepass::histogram(row(), in.view(), counts.view(), beyond_32_bits{});
  expect_items(counts, counted<int>(items, 7, beyond_32_bits{}));
}

TEST(histogram, counts_items_that_are_all_alike)
{
  extent const n = 1'000'003;
  guarded<std::uint32_t> const in(std::vector<std::uint32_t>(std::size_t(n), 7));
  guarded<std::uint64_t> const counts(10);
  onepass::histogram(row(), in.view(), counts.view(), modulo{10});
  auto const got = counts.items();
  for (int b = 0; b < 10; ++b) EXPECT_EQ(got[std::size_t(b)], b == 6 ? std::uint64_t(n) : 0);
}

struct of_byte {
  ONEPASS_FUNCTION int operator()(std::uint8_t x) const { return x; }
};

/// Bytes come in packs; what lies before the first and behind the last one counts too.
TEST(histogram, counts_bytes_that_begin_anywhere)
{
  for (int const shift : {0, 1, 5, 15})
    for (extent const n : {extent(3), extent(16), extent(100), extent(100'003)}) {
      SCOPED_TRACE("n = " + std::to_string(n) + ", shift " + std::to_string(shift));
      auto const items = random_keys<std::uint8_t>(n, spread::skewed);
      guarded<std::uint8_t> const in(items, std::size_t(shift));
      guarded<int> const counts(256), some(100);
      onepass::histogram(row(), in.view(), counts.view(), of_byte{});
      onepass::histogram(row(), in.view(), some.view(), of_byte{});
      ASSERT_NO_FATAL_FAILURE(expect_items(counts, counted<int>(items, 256, of_byte{})));
      ASSERT_NO_FATAL_FAILURE(expect_items(some, counted<int>(items, 100, of_byte{})));
    }
}

template <class T>
class histogram_even_of : public testing::Test {};
using types = testing::Types<std::uint8_t, std::int16_t, std::uint32_t, std::uint64_t, float, double>;
TYPED_TEST_SUITE(histogram_even_of, types);

TYPED_TEST(histogram_even_of, cuts_a_range_into_equal_bins)
{
  using T = TypeParam;
  for (auto const how : {spread::uniform, spread::few}) {
    auto const items = random_keys<T>(20011, how);
    guarded<T> const in(items);
    for (int const bins : {1, 3, 10, 100, 256, 1000})
      for (auto const& [low, high] :
           {std::pair(T(0), T(100)), std::pair(T(3), T(4)),
            std::pair(T(std::numeric_limits<T>::lowest() / 2), T(std::numeric_limits<T>::max() / 2))}) {
        SCOPED_TRACE(std::to_string(bins) + " bins");
        guarded<unsigned> const counts(bins);
        onepass::histogram_even(row(), in.view(), counts.view(), T(low), T(high));
        auto const expected = counted<unsigned>(items, bins, [=, l = T(low), h = T(high)](T x) -> extent {
          if (!(l <= x && x < h)) return -1;
          if constexpr (std::is_integral_v<T>)
            return extent((static_cast<__int128>(x) - static_cast<__int128>(l)) * bins
                          / (static_cast<__int128>(h) - static_cast<__int128>(l)));
          else return std::min<extent>(bins - 1, extent((x - l) * (T(bins) / (h - l))));
        });
        ASSERT_NO_FATAL_FAILURE(expect_items(counts, expected));
      }
  }
}

/// Products may round up to the number of bins.
template <class T>
void expect_all_in_last_bin()
{
  for (int const bins : {3, 10, 49, 1000})
    for (int high = 1; high < 100; ++high) {
      guarded<T> const in(std::vector<T>(20, std::nextafter(T(high), T(0))));
      guarded<int> const counts(bins);
      onepass::histogram_even(row(), in.view(), counts.view(), T(0), T(high));
      ASSERT_EQ(counts.items().back(), 20) << bins << " bins to " << high;
    }
}
TEST(histogram_even, has_all_below_its_end_in_its_last_bin)
{
  expect_all_in_last_bin<float>();
  expect_all_in_last_bin<double>();
}

TEST(histogram_range, cuts_at_levels)
{
  auto items = random_items<double>(50021);
  items[7]   = std::nan("");
  guarded<double> const in(items);
  for (auto const& levels : {std::vector<double>{-1, 0, 2}, {0, 0, 0}, {-50, -3, -3, 1, 4, 100}, {5, 6}}) {
    auto const bins = extent(levels.size()) - 1;
    guarded<double> const cuts(levels);
    guarded<int> const counts(bins);
    onepass::histogram_range(row(), in.view(), counts.view(), cuts.view());
    auto const expected = counted<int>(items, bins, [&](double x) {
      for (extent b = 0; b < bins; ++b)
        if (levels[std::size_t(b)] <= x && x < levels[std::size_t(b) + 1]) return b;
      return extent(-1);
    });
    ASSERT_NO_FATAL_FAILURE(expect_items(counts, expected));
  }
}

TEST(histogram, refuses_what_can_not_be_right)
{
  guarded<int> const in(std::vector<int>(100, 1));
  guarded<int> const none(0), counts(4), many((1 << 20) + 1), levels(std::vector<int>{0, 1, 2, 3});
  expect_says(refusal([&] { onepass::histogram(row(), in.view(), none.view(), modulo{1}); }),
              {"histogram", "0 bins", "2^20"});
  expect_says(refusal([&] { onepass::histogram(row(), in.view(), many.view(), modulo{1}); }),
              {"histogram", "1048577 bins"});
  expect_says(refusal([&] { onepass::histogram_even(row(), in.view(), counts.view(), 3, 3); }),
              {"histogram_even", "not above 3"});
  guarded<float> const floats(std::vector<float>(100, 1.f));
  expect_says(refusal([&] { onepass::histogram_even(row(), floats.view(), counts.view(), 0.f, 1e-45f); }),
              {"histogram_even", "4 bins from 0", "too narrow"});
  expect_says(refusal([&] { onepass::histogram_even(row(), floats.view(), counts.view(), 1e-9f, 1e-10f); }),
              {"histogram_even", "end at 1e-10", "not above 1e-09"});
  expect_says(refusal([&] { onepass::histogram_even(row(), floats.view(), counts.view(), -3e38f, 3e38f); }),
              {"histogram_even", "too wide"});
  expect_says(refusal([&] { onepass::histogram_range(row(), in.view(), counts.view(), levels.view()); }),
              {"histogram_range", "4 levels", "4 bins"});
  guarded<double> const wrong(std::vector<double>{0, 1, 0.5, 2, 3});
  expect_says(refusal([&] { onepass::histogram_range(row().checked(), in.view(), counts.view(), wrong.view()); }),
              {"histogram_range", "level 2"});
  EXPECT_TRUE(counts.untouched());
}

TEST(histogram_range, compares_integers_by_their_values)
{
  guarded<unsigned> const in(std::vector<unsigned>{0, 1, 2, 3, 4});
  guarded<int> const counts(2), levels(std::vector<int>{-1, 2, 4});
  onepass::histogram_range(row(), in.view(), counts.view(), levels.view());
  EXPECT_EQ(counts.items(), (std::vector<int>{2, 2}));
  guarded<int> const with_sign(std::vector<int>{-1, 0, 1, 5});
  guarded<unsigned> const without(std::vector<unsigned>{0, 1, 4000000000u});
  onepass::histogram_range(row(), with_sign.view(), counts.view(), without.view());
  EXPECT_EQ(counts.items(), (std::vector<int>{1, 2}));
  guarded<std::int64_t> const wide(std::vector<std::int64_t>{-5, 5, -20, 10});
  guarded<std::int64_t> const around(std::vector<std::int64_t>{-10, 0, 10});
  onepass::histogram_range(row(), wide.view(), counts.view(), around.view());
  EXPECT_EQ(counts.items(), (std::vector<int>{1, 1}));
}

/// How many items there are between levels of another type.
template <class T, class Level>
std::vector<int> counts_at_levels(std::vector<T> const& items, std::vector<Level> const& levels)
{
  guarded<T> const in(items);
  guarded<Level> const cuts(levels);
  guarded<int> const counts(extent(levels.size()) - 1);
  onepass::histogram_range(row(), in.view(), counts.view(), cuts.view());
  return counts.items();
}

TEST(histogram_range, compares_integers_with_floats_by_their_values)
{
  using counts = std::vector<int>;
  std::vector<int> const close{16777217, 16777218, 16777219};
  EXPECT_EQ((counts_at_levels<int, float>(close, {0, 16777220, 3e7f})), (counts{3, 0}));
  EXPECT_EQ((counts_at_levels<float, int>({16777216, 16777218, 16777220}, {0, 16777217, 16777219, 30000000})),
            (counts{1, 1, 1}));
  EXPECT_EQ((counts_at_levels<int, float>({-3, -2, -1, 0, 1}, {-2.5f, -0.5f, 0.5f})), (counts{2, 1}));

  std::int64_t const wide = std::int64_t(1) << 53, least = std::numeric_limits<std::int64_t>::min(),
                     most = std::numeric_limits<std::int64_t>::max();
  double const infinity   = std::numeric_limits<double>::infinity();
  EXPECT_EQ(
      (counts_at_levels<std::int64_t, double>({wide - 1, wide, wide + 1, wide + 2}, {0, 0x1p53, 0x1p53 + 2, 0x1p54})),
      (counts{1, 2, 1}));
  EXPECT_EQ((counts_at_levels<double, std::int64_t>({0x1p53, 0x1p53 + 2, std::nan("")}, {0, wide + 1, wide + 3})),
            (counts{1, 1}));
  EXPECT_EQ((counts_at_levels<std::int64_t, double>({-wide - 1, -wide, -1, 0, 1}, {-0x1p53, -0.5, 0.5, 1.5})),
            (counts{2, 1, 1}));
  EXPECT_EQ((counts_at_levels<std::int64_t, double>({least, least + 1, -1, 0, most - 1, most},
                                                    {-infinity, -0x1p63, -0.5, 0x1p63, infinity})),
            (counts{0, 3, 3, 0}));
  EXPECT_EQ((counts_at_levels<double, std::int64_t>({-0x1p64, -0x1p63, 0x1p62, 0x1p63, infinity}, {least, 0, most})),
            (counts{1, 1}));

  std::uint64_t const all = ~std::uint64_t(0);
  EXPECT_EQ((counts_at_levels<std::uint64_t, float>({0, 1, all >> 1, all / 2 + 1, all}, {-1, 0.5f, 0x1p63f, 0x1p64f})),
            (counts{1, 2, 2}));
  EXPECT_EQ((counts_at_levels<float, std::uint64_t>({-1, -0.f, 0.5f, 0x1p63f, 0x1p64f}, {0, 1, all / 2 + 2, all})),
            (counts{2, 1, 0}));
}

TEST(histogram_range, puts_no_item_at_levels_that_are_no_numbers)
{
  float const no_number = std::nanf("");
  EXPECT_EQ((counts_at_levels<std::int64_t, float>({-1, 0, 1}, {no_number, no_number})), std::vector<int>{0});
  EXPECT_EQ((counts_at_levels<float, std::int64_t>({no_number}, {-1, 1})), std::vector<int>{0});
}

}  // namespace
