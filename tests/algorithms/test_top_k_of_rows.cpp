// SPDX-License-Identifier: Apache-2.0
// The k first of every row of matrices, in every layout; the oracle sorts the columns of a row by key, then column.
#include "refusal.hpp"
#include "row.hpp"
#include "sorting.hpp"

#include <onepass/top_k.hpp>

#include <gtest/gtest.h>

using namespace test;

namespace {

template <class T, class Layout = Kokkos::LayoutRight>
using matrix = Kokkos::View<T**, Layout, memory_space>;

/// A matrix of these items, row after row, in a larger one: a rim of so many columns is around it.
template <class T, class Layout>
auto in_a_larger_one(std::vector<T> const& items, extent rows, extent columns, extent rim)
{
  matrix<T, Layout> const all("all", std::size_t(rows + rim), std::size_t(columns + 2 * rim));
  auto const there = Kokkos::create_mirror_view(all);
  for (extent r = 0; r < rows; ++r)
    for (extent c = 0; c < columns; ++c) there(r, c + rim) = items[std::size_t(r * columns + c)];
  Kokkos::deep_copy(all, there);
  return Kokkos::subview(all, std::pair<extent, extent>(0, rows), std::pair<extent, extent>(rim, rim + columns));
}

/// The columns of the k first of each row.
template <class T>
std::vector<extent> first_columns(std::vector<T> const& items, extent rows, extent columns, extent k, bool descending)
{
  std::vector<extent> first;
  for (extent r = 0; r < rows; ++r) {
    std::vector<T> const keys(items.begin() + r * columns, items.begin() + (r + 1) * columns);
    auto const of_row = first_of(keys, k, descending);
    first.insert(first.end(), of_row.begin(), of_row.end());
  }
  return first;
}

template <class T>
void expect_bits(T const& got, T const& expected)
{
  EXPECT_EQ(std::memcmp(&got, &expected, sizeof(T)), 0) << +got << " for " << +expected;
}

template <class T, class Layout>
void expect_first_of_rows(std::vector<T> const& items, extent rows, extent columns, extent k, bool descending,
                          extent rim = 0)
{
  SCOPED_TRACE(std::to_string(k) + " of each of " + std::to_string(rows) + " x " + std::to_string(columns)
               + (descending ? ", descending" : ""));
  auto const in = in_a_larger_one<T, Layout>(items, rows, columns, rim);
  matrix<T> const keys("keys", std::size_t(rows), std::size_t(k));
  matrix<std::uint32_t, Kokkos::LayoutLeft> const indices("indices", std::size_t(rows), std::size_t(k));
  onepass::top_k(row(), in, k, keys, indices, {.descending = descending});
  auto const got      = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), keys);
  auto const at       = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), indices);
  auto const expected = first_columns(items, rows, columns, k, descending);
  for (extent r = 0; r < rows && !testing::Test::HasFailure(); ++r)
    for (extent i = 0; i < k && !testing::Test::HasFailure(); ++i) {
      extent const c = expected[std::size_t(r * k + i)];
      EXPECT_EQ(extent(at(r, i)), c) << "row " << r << ", rank " << i;
      expect_bits(got(r, i), items[std::size_t(r * columns + c)]);
    }
  ASSERT_FALSE(testing::Test::HasFailure());
}

template <class T>
class top_k_of_rows : public testing::Test {};
using types = testing::Types<std::uint8_t, std::uint32_t, float, double>;
TYPED_TEST_SUITE(top_k_of_rows, types);

TYPED_TEST(top_k_of_rows, agrees_with_std)
{
  for (auto const& [rows, columns] : {std::pair<extent, extent>{1, 1},
                                      {3, 2},
                                      {70, 33},
                                      {40, 64},
                                      {9, 65},
                                      {33, 257},
                                      {5, 1024},
                                      {3, 1500},
                                      {2, 5000},
                                      {130, 3}})
    for (auto const how : {spread::uniform, spread::few, spread::narrow}) {
      auto const items = random_keys<TypeParam>(rows * columns, how);
      extent last      = 0;
      for (extent const k : {extent(1), extent(8), extent(31), extent(64), columns / 2, columns})
        if (k > last && k <= columns && k * rows < 20000) {
          last                  = k;
          bool const descending = k % 2 == 0;
          ASSERT_NO_FATAL_FAILURE(
              (expect_first_of_rows<TypeParam, Kokkos::LayoutRight>(items, rows, columns, k, descending)));
        }
    }
}

TYPED_TEST(top_k_of_rows, takes_any_layout_and_gaps)
{
  extent const rows = 37, columns = 200;
  auto const items = random_keys<TypeParam>(rows * columns, spread::narrow);
  for (extent const rim : {0, 3})
    for (extent const k : {10, 70, 150}) {
      ASSERT_NO_FATAL_FAILURE(
          (expect_first_of_rows<TypeParam, Kokkos::LayoutRight>(items, rows, columns, k, true, rim)));
      ASSERT_NO_FATAL_FAILURE(
          (expect_first_of_rows<TypeParam, Kokkos::LayoutLeft>(items, rows, columns, k, false, rim)));
    }
}

/// Each item comes before all that were there, or after; or many are equal to the last of the first.
TYPED_TEST(top_k_of_rows, takes_rows_in_order)
{
  for (auto const& [rows, columns] : {std::pair<extent, extent>{6, 300}, {4, 3000}, {2, 9000}})
    for (int const how : {0, 1, 2, 3}) {
      std::vector<TypeParam> items;
      for (extent r = 0; r < rows; ++r)
        for (extent c = 0; c < columns; ++c)
          items.push_back(TypeParam(how == 0   ? c * 255 / columns
                                    : how == 1 ? (columns - 1 - c) * 255 / columns
                                    : how == 2 ? 7
                                               : (c + r) % 3));
      for (extent const k : {5, 32, 64, 100}) {
        SCOPED_TRACE("order " + std::to_string(how));
        ASSERT_NO_FATAL_FAILURE(
            (expect_first_of_rows<TypeParam, Kokkos::LayoutRight>(items, rows, columns, k, k == 32)));
      }
    }
}

TEST(top_k_of_rows_of_all, sorts_where_many_are_wanted_and_takes_long_rows_one_by_one)
{
  for (auto const& [rows, columns, k] :
       {std::array<extent, 3>{3, 2500, 1025}, {2, 2500, 2500}, {20, 1100, 1030}, {1, 70000, 20}, {2, 140000, 1500}}) {
    auto const items = random_keys<float>(rows * columns, spread::uniform);
    ASSERT_NO_FATAL_FAILURE((expect_first_of_rows<float, Kokkos::LayoutRight>(items, rows, columns, k, true)));
    auto const wide = random_keys<double>(rows * columns, spread::few);
    ASSERT_NO_FATAL_FAILURE((expect_first_of_rows<double, Kokkos::LayoutRight>(wide, rows, columns, k, false)));
  }
}

TEST(select_kth_of_rows, gives_the_key_of_a_rank_in_each_row)
{
  for (auto const& [rows, columns] : {std::pair<extent, extent>{50, 31}, {7, 2000}, {300, 4}}) {
    auto const items = random_keys<double>(rows * columns, spread::few);
    auto const in    = in_a_larger_one<double, Kokkos::LayoutLeft>(items, rows, columns, 1);
    for (extent const k : {extent(0), columns / 2, columns - 1}) {
      Kokkos::View<double*, memory_space> const keys("keys", std::size_t(rows));
      Kokkos::View<std::int16_t*, memory_space> const columns_of("columns", std::size_t(rows));
      onepass::select_kth(row(), in, k, keys, columns_of);
      auto const got      = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), keys);
      auto const at       = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), columns_of);
      auto const expected = first_columns(items, rows, columns, k + 1, false);
      for (extent r = 0; r < rows; ++r) {
        extent const c = expected[std::size_t(r * (k + 1) + k)];
        EXPECT_EQ(extent(at(r)), c) << r;
        expect_bits(got(r), items[std::size_t(r * columns + c)]);
      }
    }
  }
}

TEST(top_k_of_rows_discipline, refuses_what_can_not_be_right)
{
  matrix<float> const in("in", 4, 300), keys("keys", 4, 5);
  matrix<std::uint8_t> const narrow("narrow", 4, 5);
  auto const says = [](char const* text, auto const& call) { return refusal(call).find(text) != std::string::npos; };
  EXPECT_TRUE(
      says("top_k: the output has 4 x 5 items; give it at least 4 x 6", [&] { onepass::top_k(row(), in, 6, keys); }));
  EXPECT_TRUE(says("top_k: a row has 300 keys, and 301 are asked for", [&] { onepass::top_k(row(), in, 301, keys); }));
  EXPECT_TRUE(says("give it at least 4 x 2",
                   [&] { onepass::top_k(row(), in, 2, Kokkos::subview(keys, std::pair(0, 3), Kokkos::ALL)); }));
  EXPECT_TRUE(says("top_k", [&] { onepass::top_k(row(), in, 2, keys, narrow); }));
  EXPECT_TRUE(
      says("top_k", [&] { onepass::top_k(row(), in, 2, Kokkos::subview(in, Kokkos::ALL, std::pair(10, 12))); }));
  matrix<float> const none("none", 0, 300);
  onepass::top_k(row(), none, 2, keys);
  onepass::top_k(row(), in, 0, keys);
}

}  // namespace
