// SPDX-License-Identifier: Apache-2.0
#include "images.hpp"
#include "row.hpp"

#include <onepass/box_filter.hpp>

#include <gtest/gtest.h>

#include <cmath>

using namespace test;

namespace {

/// The means of boxes by adding up every box; radius(y, x) is at most the image's size.
template <class Out, class T, class Radius>
std::vector<Out> means(std::vector<T> const& in, frame const& f, Radius const& radius)
{
  std::vector<Out> all(in.size());
  for (extent c = 0; c < f.channels; ++c)
    for (extent y = 0; y < f.rows; ++y)
      for (extent x = 0; x < f.columns; ++x) {
        extent const r    = std::max<extent>(radius(y, x), 0);
        std::uint64_t sum = 0, n = 0;
        for (extent v = std::max<extent>(y - r, 0); v <= std::min(y + r, f.rows - 1); ++v)
          for (extent u = std::max<extent>(x - r, 0); u <= std::min(x + r, f.columns - 1); ++u) {
            sum += in[std::size_t(f.at(v, u, c))];
            ++n;
          }
        auto& out = all[std::size_t(f.at(y, x, c))];
        if constexpr (std::is_integral_v<Out>) out = Out((sum + n / 2) / n);
        else out = Out(double(sum) / double(n));
      }
  return all;
}

template <int C>
struct filtered {
  frame f;
  std::vector<std::uint8_t> items = random_items<std::uint8_t>(f.numbers());
  guarded<std::uint8_t> in{items}, out{f.numbers()};
  guarded<std::uint32_t> sums{f.numbers()};
  guarded<float> fractions{f.numbers()};

  auto image() const { return image_of<std::uint8_t, C>(in, f); }
  auto table() const { return image_of<std::uint32_t, C>(sums, f); }
  auto result() const { return image_of<std::uint8_t, C>(out, f); }
};

TEST(box_filter, takes_the_mean_of_what_is_inside)
{
  for (extent const radius : {0, 1, 2, 9, 40, 5000}) {
    filtered<3> const p{{33, 50, 3, 2}};
    onepass::summed_area_table(row(), p.image(), p.table());
    onepass::box_filter(row(), p.table(), radius, p.result());
    auto const fixed = [&](extent, extent) { return std::min<extent>(radius, 100); };
    ASSERT_NO_FATAL_FAILURE(expect_image(p.out, p.f, means<std::uint8_t>(p.items, p.f, fixed)));
    onepass::box_filter(row(), p.table(), radius, image_of<float, 3>(p.fractions, p.f));
    ASSERT_NO_FATAL_FAILURE(expect_image(p.fractions, p.f, means<float>(p.items, p.f, fixed)));
  }
}

TEST(box_filter, of_one_row_column_or_pixel)
{
  for (auto const& f : {frame{1, 77}, {77, 1}, {1, 1}}) {
    filtered<1> const p{f};
    onepass::summed_area_table(row(), p.image(), p.table());
    onepass::box_filter(row(), p.table(), 3, p.result());
    ASSERT_NO_FATAL_FAILURE(expect_image(p.out, f, means<std::uint8_t>(p.items, f, [](extent, extent) { return 3; })));
  }
}

/// The means of a row of an image.
template <class Mean, class Sum, class T>
std::vector<Mean> means_of_row(std::vector<T> const& items, extent radius)
{
  frame const f{1, extent(items.size())};
  guarded<T> const in(items);
  guarded<Sum> const sums(f.numbers());
  guarded<Mean> const out(f.numbers());
  onepass::summed_area_table(row(), image_of(in, f), image_of(sums, f));
  onepass::box_filter(row(), image_of(sums, f), radius, image_of(out, f));
  return out.items();
}

TEST(box_filter, rounds_means_of_floats_to_nearest)
{
  for (auto const& [mean, rounded] : {std::pair(8388609.f, 8388609),
                                      {-8388609.f, -8388609},
                                      {0.49999997f, 0},
                                      {2.5f, 3},
                                      {-2.5f, -2},
                                      {-0.49999997f, 0},
                                      {-1e-30f, 0},
                                      {-1.75f, -2}})
    EXPECT_EQ((means_of_row<int, float, float>({mean}, 0)), std::vector<int>{rounded}) << mean;
  EXPECT_EQ((means_of_row<std::int64_t, double, double>({0x1p52 + 1}, 0)),
            (std::vector<std::int64_t>{(1ll << 52) + 1}));
}

TEST(box_filter, means_do_not_wrap_where_sums_do_not)
{
  std::uint64_t const most = ~std::uint64_t(0), half = most / 2 + 1;
  EXPECT_EQ((means_of_row<std::uint64_t, std::uint64_t, std::uint64_t>({most - 1, 1}, 1)), (std::vector{half, half}));
  EXPECT_EQ((means_of_row<std::uint64_t, std::uint64_t, std::uint64_t>({most, 0, 0}, 2)),
            (std::vector{most / 3, most / 3, most / 3}));
  EXPECT_EQ((means_of_row<std::uint32_t, std::uint32_t, std::uint32_t>({~0u - 1, 1}, 1)),
            (std::vector{1u << 31, 1u << 31}));
}

TEST(variable_box_filter, takes_a_radius_a_pixel)
{
  filtered<3> const p{{60, 45, 3}};
  auto const radius = [](extent y, extent x) { return (y * 31 + x * 7) % 40 - 2; };
  std::vector<int> all;
  for (extent y = 0; y < p.f.rows; ++y)
    for (extent x = 0; x < p.f.columns; ++x) all.push_back(int(radius(y, x)));
  guarded<int> const radii(all);
  onepass::summed_area_table(row(), p.image(), p.table());
  onepass::variable_box_filter(row(), p.table(), image_of(radii, {p.f.rows, p.f.columns}), p.result());
  ASSERT_NO_FATAL_FAILURE(expect_image(p.out, p.f, means<std::uint8_t>(p.items, p.f, radius)));
}

TEST(variable_box_filter, takes_all_of_an_image_by_the_largest_radius)
{
  filtered<1> const p{{9, 8}};
  guarded<std::uint64_t> const radii(std::vector<std::uint64_t>(std::size_t(p.f.numbers()), ~std::uint64_t(0)));
  onepass::summed_area_table(row(), p.image(), p.table());
  onepass::variable_box_filter(row(), p.table(), image_of(radii, p.f), p.result());
  ASSERT_NO_FATAL_FAILURE(
      expect_image(p.out, p.f, means<std::uint8_t>(p.items, p.f, [](extent, extent) { return 9; })));
}

TEST(near_gaussian, filters_three_times)
{
  filtered<3> const p{{31, 64, 3}};
  auto const fixed = [](extent, extent) { return 4; };
  onepass::near_gaussian(row(), p.image(), 4, p.table(), p.result());
  auto expected = p.items;
  for (int k = 0; k < 3; ++k) expected = means<std::uint8_t>(expected, p.f, fixed);
  ASSERT_NO_FATAL_FAILURE(expect_image(p.out, p.f, expected));

  onepass::near_gaussian(row(), p.image(), 4, p.table(), p.image());  // in place
  ASSERT_NO_FATAL_FAILURE(expect_image(p.in, p.f, expected));

  filtered<1> const wide{{9, 12}};
  onepass::near_gaussian(row(), wide.image(), ~std::uint64_t(0), wide.table(), wide.result());  // all of any image
  expected = wide.items;
  for (int k = 0; k < 3; ++k) expected = means<std::uint8_t>(expected, wide.f, [](extent, extent) { return 12; });
  ASSERT_NO_FATAL_FAILURE(expect_image(wide.out, wide.f, expected));
}

/// One bright pixel spreads as a Gaussian does: the variance of three boxes of radius r is r (r + 1).
TEST(near_gaussian, spreads_as_a_gaussian)
{
  frame const f{101, 101};
  std::vector<float> items(std::size_t(f.numbers()), 0);
  items[std::size_t(f.at(50, 50, 0))] = 1;
  guarded<float> const in(items), out(f.numbers());
  guarded<double> const sums(f.numbers());
  int const r = 8;
  onepass::near_gaussian(row(), image_of(in, f), r, image_of(sums, f), image_of(out, f));
  auto const got = out.items();
  double all = 0, variance = 0;
  for (extent y = 0; y < f.rows; ++y)
    for (extent x = 0; x < f.columns; ++x) {
      all += got[std::size_t(f.at(y, x, 0))];
      variance += double((y - 50) * (y - 50)) * got[std::size_t(f.at(y, x, 0))];
    }
  EXPECT_NEAR(all, 1, 1e-4);
  EXPECT_NEAR(variance, r * (r + 1), .05);
}

TEST(box_filter, refuses_what_can_not_be_right)
{
  filtered<1> const p{{12, 10}};
  guarded<int> const radii(120);
  expect_says(refusal([&] { onepass::box_filter(row(), p.table(), -1, p.result()); }),
              {"box_filter", "the radius is -1"});
  expect_says(refusal([&] {
                onepass::box_filter(row(), p.table(), 1, image_of(p.out, {10, 12}));
              }),
              {"the table has 12 x 10", "the output 10 x 12"});
  expect_says(refusal([&] {
                onepass::variable_box_filter(row(), p.table(), image_of(radii, {10, 12}), p.result());
              }),
              {"variable_box_filter", "10 x 12 radii", "12 x 10 pixels"});
  expect_says(refusal([&] { onepass::variable_box_filter(row(), p.table(), p.result(), p.result()); }),
              {"variable_box_filter", "shares memory"});
  expect_says(refusal([&] { onepass::near_gaussian(row(), p.image(), p.table(), p.table(), p.result()); }),
              {"near_gaussian", "shares memory"});
  EXPECT_TRUE(p.out.untouched() && p.sums.untouched());
}

}  // namespace
