// SPDX-License-Identifier: Apache-2.0
#include "images.hpp"
#include "sizes.hpp"

#include <onepass/summed_area_table.hpp>

#include <gtest/gtest.h>

using namespace test;

namespace {

/// Made by its definition, one recurrence a pixel.
template <class Sum, class T, class Term>
std::vector<Sum> table_of(std::vector<T> const& in, frame const& f, Term const& term)
{
  std::vector<Sum> table(in.size());
  for (extent c = 0; c < f.channels; ++c)
    for (extent y = 0; y < f.rows; ++y) {
      Sum row = 0;
      for (extent x = 0; x < f.columns; ++x) {
        auto const here = std::size_t(f.at(y, x, c));
        row             = Sum(row + static_cast<Sum>(term(in[here])));
        table[here]     = y > 0 ? Sum(table[here - std::size_t(f.pitch())] + row) : row;
      }
    }
  return table;
}

struct same {
  template <class T>
  T operator()(T const& x) const
  {
    return x;
  }
};

/// Heights and widths around the tiles of every machine of the row.
std::vector<frame> frames()
{
  std::vector<frame> all;
  for (extent const rows : {1, 2, 3, 5, 16, 31, 33, 65, 129})
    for (extent const columns : {1, 2, 7, 9, 63, 64, 65, 127, 129, 193, 520})
      all.push_back({rows, columns, 1, (rows + columns) % 3 ? 0 : 5});
  for (auto const& one : {frame{1, 20001},
                          {9001, 1},
                          {40, 4097},
                          {40, 4096},
                          {33, 9000, 1, 8},
                          {700, 1021},
                          {515, 1040, 1, 16},
                          {5001, 31},
                          {5001, 32}})
    all.push_back(one);
  return all;
}

TEST(summed_area_table, has_any_width_height_and_pitch)
{
  for (auto const& f : frames()) {
    auto const items = random_items<std::uint8_t>(f.numbers());
    for (extent const shift : {0, 1}) {
      guarded<std::uint8_t> const in(items, shift);
      guarded<std::uint32_t> const out(f.numbers(), shift);
      onepass::summed_area_table(row(), image_of(in, f), image_of(out, f));
      ASSERT_NO_FATAL_FAILURE(expect_image(out, f, table_of<std::uint32_t>(items, f, same{})));
    }
  }
}

/// Tiles may begin before the image, where that makes their writes whole; the last image has more tiles than a device
/// holds at once.
TEST(summed_area_table, begins_anywhere_in_a_line)
{
  struct one {
    frame image;
    extent shift;  // in numbers of 4 bytes
  };
  for (auto const& [f, shift] : {one{{40, 576}, 0},
                                 {{40, 576}, 16},
                                 {{40, 576}, 32},
                                 {{40, 576}, 48},
                                 {{40, 576}, 4},
                                 {{33, 100, 1, 28}, 0},
                                 {{260, tiny_row ? 1408 : 70400}, 0}}) {
    auto const items = random_items<std::uint8_t>(f.numbers());
    guarded<std::uint8_t> const in(items, shift);
    guarded<std::uint32_t> const out(f.numbers(), shift);
    onepass::summed_area_table(row(), image_of(in, f), image_of(out, f));
    ASSERT_NO_FATAL_FAILURE(expect_image(out, f, table_of<std::uint32_t>(items, f, same{})));
  }
}

TEST(summed_area_table, wraps_so_that_boxes_stay_exact)
{
  frame const f{70, 90};
  auto const items = random_items<std::uint32_t>(f.numbers());
  guarded<std::uint32_t> const in(items), out(f.numbers());
  onepass::summed_area_table(row(), image_of(in, f), image_of(out, f));
  auto const expected = table_of<std::uint32_t>(items, f, same{});
  ASSERT_NO_FATAL_FAILURE(expect_image(out, f, expected));
  auto const at = [&](extent y, extent x) { return expected[std::size_t(f.at(y, x, 0))]; };
  EXPECT_EQ(at(60, 80) - at(59, 80) - at(60, 79) + at(59, 79), items[std::size_t(f.at(60, 80, 0))]);
}

template <int C>
void interleaved()
{
  for (auto const& f : {frame{1, 1, C}, {37, 131, C, 3}, {70, 520, C}, {260, 700, C, 4}}) {
    auto const items = random_items<std::uint8_t>(f.numbers(), C);
    guarded<std::uint8_t> const in(items);
    guarded<std::uint32_t> const out(f.numbers());
    onepass::summed_area_table(row(), image_of<std::uint8_t, C>(in, f), image_of<std::uint32_t, C>(out, f));
    ASSERT_NO_FATAL_FAILURE(expect_image(out, f, table_of<std::uint32_t>(items, f, same{})));
  }
}
TEST(summed_area_table, has_channels_side_by_side)
{
  ASSERT_NO_FATAL_FAILURE(interleaved<2>());
  ASSERT_NO_FATAL_FAILURE(interleaved<3>());
  ASSERT_NO_FATAL_FAILURE(interleaved<4>());
}

/// More channels than a pixel has are several pixels, and what is left over.
TEST(summed_area_table, has_many_channels_side_by_side)
{
  for (extent const channels : {1, 5, 6, 7, 8, 9})
    for (auto const& f : {frame{1, 1, channels}, {37, 131, channels, 3}, {260, 120, channels}}) {
      auto const items = random_items<std::uint8_t>(f.numbers(), std::uint64_t(channels));
      guarded<std::uint8_t> const in(items);
      guarded<std::uint32_t> const out(f.numbers());
      Kokkos::LayoutStride const layout(f.rows, f.pitch(), f.columns, channels, channels, 1);
      Kokkos::View<std::uint8_t***, Kokkos::LayoutStride, memory_space, Kokkos::MemoryUnmanaged> const from(
          in.view().data(), layout);
      Kokkos::View<std::uint32_t***, Kokkos::LayoutStride, memory_space, Kokkos::MemoryUnmanaged> const to(
          out.view().data(), layout);
      onepass::summed_area_table(row(), from, to);
      ASSERT_NO_FATAL_FAILURE(expect_image(out, f, table_of<std::uint32_t>(items, f, same{})));
    }
}

/// The tables of planes of items.
void expect_planes(guarded<std::uint32_t> const& out, extent planes, frame const& plane,
                   std::vector<std::uint8_t> const& items)
{
  extent const size = plane.numbers();
  std::vector<std::uint32_t> expected;
  for (extent p = 0; p < planes; ++p) {
    std::vector<std::uint8_t> const one(items.begin() + p * size, items.begin() + (p + 1) * size);
    for (auto const sum : table_of<std::uint32_t>(one, plane, same{})) expected.push_back(sum);
  }
  expect_image(out, {planes, size}, expected);
}

TEST(summed_area_table, has_narrow_planes)
{
  for (auto const& [planes, plane] : {std::pair<extent, frame>{1, {5001, 28}}, {3, {5001, 7}}, {700, {28, 28}}}) {
    extent const size = plane.numbers();
    auto const items  = random_items<std::uint8_t>(planes * size);
    guarded<std::uint8_t> const in(items);
    guarded<std::uint32_t> const out(planes * size);
    using Kokkos::LayoutRight;
    Kokkos::View<std::uint8_t***, LayoutRight, memory_space, Kokkos::MemoryUnmanaged> const from(
        in.view().data(), planes, plane.rows, plane.columns);
    Kokkos::View<std::uint32_t***, LayoutRight, memory_space, Kokkos::MemoryUnmanaged> const to(
        out.view().data(), planes, plane.rows, plane.columns);
    onepass::summed_area_table(row(), onepass::planar(from), onepass::planar(to));
    ASSERT_NO_FATAL_FAILURE(expect_planes(out, planes, plane, items));
  }
}

TEST(summed_area_table, has_channels_in_planes)
{
  frame const plane{67, 133};
  extent const planes = 3, size = plane.numbers();
  auto const items = random_items<std::uint8_t>(planes * size);
  guarded<std::uint8_t> const in(items);
  guarded<std::uint32_t> const out(planes * size);
  using Kokkos::LayoutRight;
  Kokkos::View<std::uint8_t[3][67][133], LayoutRight, memory_space, Kokkos::MemoryUnmanaged> const from(
      in.view().data());
  Kokkos::View<std::uint32_t[3][67][133], LayoutRight, memory_space, Kokkos::MemoryUnmanaged> const to(
      out.view().data());
  onepass::summed_area_table(row(), onepass::planar(from), onepass::planar(to));
  ASSERT_NO_FATAL_FAILURE(expect_planes(out, planes, plane, items));
}

TEST(summed_area_table, of_columns_side_by_side_is_the_same)
{
  extent const rows = 131, columns = 67;
  auto const items = random_items<std::uint8_t>(rows * columns);
  guarded<std::uint8_t> const in(items);
  guarded<std::uint32_t> const out(rows * columns);
  Kokkos::View<std::uint8_t**, Kokkos::LayoutLeft, memory_space, Kokkos::MemoryUnmanaged> const from(in.view().data(),
                                                                                                     rows, columns);
  Kokkos::View<std::uint32_t**, Kokkos::LayoutLeft, memory_space, Kokkos::MemoryUnmanaged> const to(out.view().data(),
                                                                                                    rows, columns);
  onepass::summed_area_table(row(), from, to);
  frame const on_its_side{columns, rows};
  ASSERT_NO_FATAL_FAILURE(expect_image(out, on_its_side, table_of<std::uint32_t>(items, on_its_side, same{})));
}

template <class In, class Sum>
void expect_table()
{
  for (auto const& f : {frame{3, 5}, {130, 530, 1, 4}, {300, 1030, 1, 2}}) {
    auto const items = random_items<In>(f.numbers());
    guarded<In> const in(items);
    guarded<Sum> const out(f.numbers());
    onepass::summed_area_table(row(), image_of(in, f), image_of(out, f));
    ASSERT_NO_FATAL_FAILURE(expect_image(out, f, table_of<Sum>(items, f, same{})));
  }
}
TEST(summed_area_table, takes_numbers_of_many_types)
{
  ASSERT_NO_FATAL_FAILURE((expect_table<std::uint16_t, std::uint32_t>()));
  ASSERT_NO_FATAL_FAILURE((expect_table<std::int32_t, std::uint64_t>()));
  ASSERT_NO_FATAL_FAILURE((expect_table<std::int32_t, std::uint32_t>()));
  ASSERT_NO_FATAL_FAILURE((expect_table<long long, unsigned long long>()));
  ASSERT_NO_FATAL_FAILURE((expect_table<float, float>()));
  ASSERT_NO_FATAL_FAILURE((expect_table<std::uint8_t, double>()));
  ASSERT_NO_FATAL_FAILURE((expect_table<double, double>()));
  using wide = std::conditional_t<onepass::on_host<exec_space>, long double, double>;  // no vector's lane is so wide
  ASSERT_NO_FATAL_FAILURE((expect_table<wide, double>()));
}

TEST(summed_area_table, adds_squares)
{
  for (auto const& f : {frame{77, 301, 1, 3}, {7, 9001}, {300, 1030}}) {
    auto const items = random_items<std::uint16_t>(f.numbers());
    guarded<std::uint16_t> const in(items);
    guarded<std::uint64_t> const out(f.numbers());
    onepass::summed_area_table_of_squares(row(), image_of(in, f), image_of(out, f));
    ASSERT_NO_FATAL_FAILURE(
        expect_image(out, f, table_of<std::uint64_t>(items, f, [](std::uint64_t x) { return x * x; })));
  }
}

/// Of three tables with one workspace, the last is as right as the first, and its memory is as it was.
TEST(summed_area_table, follows_others_in_a_workspace)
{
  exec_space const exec;
  onepass::workspace<exec_space> scratch(exec);
  for (auto const& f : {frame{300, 700}, {70, 90}, {300, 700}}) {
    auto const items = random_items<std::uint8_t>(f.numbers(), std::uint64_t(f.rows));
    guarded<std::uint8_t> const in(items);
    guarded<std::uint32_t> const out(f.numbers());
    onepass::summed_area_table(row(exec).with(scratch), image_of(in, f), image_of(out, f));
    ASSERT_NO_FATAL_FAILURE(expect_image(out, f, table_of<std::uint32_t>(items, f, same{})));
  }
  auto const bytes = scratch.bytes();
  frame const f{300, 700};
  guarded<std::uint8_t> const in(random_items<std::uint8_t>(f.numbers()));
  guarded<std::uint32_t> const out(f.numbers());
  onepass::summed_area_table(row(exec).with(scratch), image_of(in, f), image_of(out, f));
  Kokkos::fence();
  EXPECT_EQ(scratch.bytes(), bytes);
}

TEST(summed_area_table, goes_from_one_half_of_a_matrix_to_the_other)
{
  for (auto const& half : {frame{37, 20}, {300, 516}, {700, 64}}) {
    frame const whole{half.rows, 2 * half.columns};
    auto const items = random_items<std::uint32_t>(whole.numbers());
    std::vector<std::uint32_t> left;
    for (extent y = 0; y < half.rows; ++y)
      for (extent x = 0; x < half.columns; ++x) left.push_back(items[std::size_t(whole.at(y, x, 0))]);
    auto const table = table_of<std::uint32_t>(left, half, same{});
    guarded<std::uint32_t> const all(items);
    auto const view   = image_of(all, whole);
    auto const middle = std::pair(half.columns, 2 * half.columns), all_rows = std::pair(extent(0), half.rows);
    onepass::summed_area_table(row(), Kokkos::subview(view, all_rows, std::pair(extent(0), half.columns)),
                               Kokkos::subview(view, all_rows, middle));
    auto expected = items;
    for (extent y = 0; y < half.rows; ++y)
      for (extent x = 0; x < half.columns; ++x)
        expected[std::size_t(whole.at(y, half.columns + x, 0))] = table[std::size_t(half.at(y, x, 0))];
    ASSERT_NO_FATAL_FAILURE(expect_image(all, whole, expected));
  }
}

TEST(summed_area_table, of_nothing_writes_nothing)
{
  for (auto const& f : {frame{0, 5}, {5, 0}, {0, 0}}) {
    guarded<std::uint8_t> const in(0);
    guarded<std::uint32_t> const out(f.numbers());
    onepass::summed_area_table(row(), image_of(in, f), image_of(out, f));
    EXPECT_TRUE(out.untouched());
  }
}

TEST(summed_area_table, refuses_what_can_not_be_right)
{
  guarded<std::uint32_t> const some(12 * 10), other(12 * 10);
  expect_says(refusal([&] {
                onepass::summed_area_table(row(), image_of(some, {12, 10}), image_of(other, {10, 12}));
              }),
              {"summed_area_table", "the image has 12 x 10", "the table 10 x 12"});
  expect_says(refusal([&] {
                onepass::summed_area_table(row(), image_of(some, {12, 10}), image_of(some, {12, 10}));
              }),
              {"summed_area_table", "shares memory"});
  expect_says(refusal([&] {
                onepass::summed_area_table_of_squares(row(), image_of(some, {3, 10}), image_of(some, {3, 10}));
              }),
              {"summed_area_table_of_squares"});
  EXPECT_TRUE(some.untouched() && other.untouched());
}

}  // namespace
