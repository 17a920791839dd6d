// SPDX-License-Identifier: Apache-2.0
#include "apart.hpp"
#include "kernel_log.hpp"
#include "row.hpp"
#include "sorting.hpp"

#include <onepass/sort_by_cell.hpp>

#include <gtest/gtest.h>

using namespace test;

namespace {

enum class disorder { none, little, much, patch, all, one_cell };

auto const all_disorders = {disorder::none,  disorder::little, disorder::much,
                            disorder::patch, disorder::all,    disorder::one_cell};

/// Cells of n items, of `number`: in order, or with some moved to a near cell or one far away, or the first at random.
template <class T>
std::vector<T> random_cells(extent n, extent number, disorder how)
{
  random_words engine(seed() + std::uint64_t(n) + 1000 * std::uint64_t(number) + std::uint64_t(how));
  std::vector<T> cells;
  for (extent i = 0; i < n; ++i) {
    auto c       = extent(double(i) / double(n) * double(number));
    auto const r = engine();
    if (how == disorder::one_cell) c = number - 1;
    else if (how == disorder::all || (how == disorder::patch && i < n / 10)) c = extent(r % std::uint64_t(number));
    else if (r % 100 < (how == disorder::little ? 2 : how == disorder::much ? 15 : 0))
      c = (c + (r & 1 ? 1 : number / 7)) % number;
    cells.push_back(T(c));
  }
  return cells;
}

/// Where the items of each cell begin among sorted ones, and where all end.
template <class Offset, class T>
std::vector<Offset> begins_of(std::vector<T> cells, extent number)
{
  std::sort(cells.begin(), cells.end());
  std::vector<Offset> begins;
  for (extent c = 0; c <= number; ++c)
    begins.push_back(Offset(std::lower_bound(cells.begin(), cells.end(), c, [](T x, extent y) { return extent(x) < y; })
                            - cells.begin()));
  return begins;
}

template <class T>
class sort_by_cell_of : public testing::Test {};
using types = testing::Types<std::int32_t, std::uint64_t>;
TYPED_TEST_SUITE(sort_by_cell_of, types);

TYPED_TEST(sort_by_cell_of, gives_offsets_and_the_stable_order)
{
  for (extent const n : {extent(0), extent(1), extent(2), extent(65), extent(1009), many_keys})
    for (extent const number : {1, 2, 37, 256, 300, 2000, 12345})
      for (auto const how : all_disorders) {
        SCOPED_TRACE("n = " + std::to_string(n) + ", " + std::to_string(number) + " cells, disorder "
                     + std::to_string(int(how)) + ", seed " + std::to_string(seed()));
        auto const cells = random_cells<TypeParam>(n, number, how);
        guarded<TypeParam> const in(cells, 1);
        guarded<int> const offsets(number + 1);
        guarded<std::uint32_t> const permutation(n, 1);
        onepass::sort_by_cell(row(), in.view(), offsets.view(), permutation.view());
        ASSERT_NO_FATAL_FAILURE(expect_items(permutation, order_of(cells, std::less<TypeParam>{})));
        ASSERT_NO_FATAL_FAILURE(expect_items(offsets, begins_of<int>(cells, number)));
        ASSERT_NO_FATAL_FAILURE(expect_items(in, cells));
      }
}

TEST(sort_by_cell, sorts_so_many_items_that_a_device_looks_for_runs)
{
  bool const few = tiny_row || onepass::on_host<exec_space>;
  extent const n = few ? 7001 : (extent(1) << 24) + 1009;
  for (extent const number : {n / 500, n / 9})
    for (auto const how : all_disorders) {
      if (!few && how != disorder::much && how != disorder::patch) continue;
      SCOPED_TRACE(std::to_string(number) + " cells, disorder " + std::to_string(int(how)));
      auto const cells = random_cells<std::uint32_t>(n, number, how);
      guarded<std::uint32_t> const in(cells), offsets(number + 1), permutation(n);
      onepass::sort_by_cell(row(), in.view(), offsets.view(), permutation.view());
      ASSERT_NO_FATAL_FAILURE(expect_items(permutation, order_of(cells, std::less<std::uint32_t>{})));
      ASSERT_NO_FATAL_FAILURE(expect_items(offsets, begins_of<std::uint32_t>(cells, number)));
    }
}

TEST(sort_by_cell, takes_and_gives_items_apart_and_cells_of_few_bits)
{
  extent const n   = many_keys;
  auto const cells = random_cells<std::uint8_t>(n, 256, disorder::much);
  apart<std::uint8_t> const in(cells);
  apart<extent> const offsets(std::vector<extent>(257, -1));
  apart<extent> const permutation(std::vector<extent>(std::size_t(n), -1));
  onepass::sort_by_cell(row(), in.view(), offsets.view(), permutation.view());
  auto const expected = order_of(cells, std::less<std::uint8_t>{});
  EXPECT_EQ(permutation.items(), std::vector<extent>(expected.begin(), expected.end()));
  EXPECT_EQ(offsets.items(), begins_of<extent>(cells, 256));
}

TEST(sort_by_cell, refuses_what_can_not_be_right)
{
  guarded<int> const cells(std::vector<int>(1000, 3)), offsets(11), few(999), none(0), one(1);
  guarded<int> const permutation(1000);
  guarded<std::uint8_t> const narrow(1000);
  auto const call = [&](auto const& begins, auto const& order) {
    return refusal([&] { onepass::sort_by_cell(row(), cells.view(), begins.view(), order.view()); });
  };
  expect_says(call(offsets, few), {"sort_by_cell", "999", "1000"});
  expect_says(call(offsets, narrow), {"sort_by_cell", "1000", "wider"});
  expect_says(call(narrow, permutation), {"sort_by_cell", "1000", "offsets", "wider"});
  expect_says(call(none, permutation), {"sort_by_cell", "no offsets"});
  expect_says(call(one, permutation), {"sort_by_cell", "1000", "no cells"});
  expect_says(call(offsets, cells), {"sort_by_cell", "shares memory"});
  expect_says(call(permutation, permutation), {"sort_by_cell", "shares memory"});
  for (int const wrong : {-1, 10}) {
    auto items = std::vector<int>(1000, 3);
    items[501] = wrong;
    guarded<int> const in(items);
    expect_says(refusal([&] { onepass::sort_by_cell(row().checked(), in.view(), offsets.view(), permutation.view()); }),
                {"sort_by_cell", "cell of item 501", "10"});
  }
  EXPECT_TRUE(offsets.untouched());
  EXPECT_TRUE(permutation.untouched());
  EXPECT_TRUE(narrow.untouched());
  EXPECT_TRUE(few.untouched());
  onepass::sort_by_cell(row().checked(), cells.view(), offsets.view(), permutation.view());
  EXPECT_EQ(offsets.items(), (std::vector<int>{0, 0, 0, 0, 1000, 1000, 1000, 1000, 1000, 1000, 1000}));
}

TEST(sort_by_cell, writes_nothing_elsewhere_for_cells_that_there_are_not)
{
  for (auto const how : {disorder::little, disorder::all}) {
    auto cells = random_cells<int>(many_keys, 37, how);
    for (std::size_t i = 0; i < cells.size(); i += 97) cells[i] = i % 2 ? -1 - int(i) : 37 + int(i) * 1000;
    guarded<int> const in(cells), offsets(38), permutation(many_keys);
    onepass::sort_by_cell(row(), in.view(), offsets.view(), permutation.view());
    EXPECT_TRUE(offsets.canaries_alive() && permutation.canaries_alive());
  }
}

TEST(sort_by_cell, ends_for_cells_that_there_are_not_of_more_than_their_type_names)
{
  extent const n = 150000, number = 40000;  // in tiny tiles a device looks for runs
  auto cells                = random_cells<std::int16_t>(n, 30000, disorder::little);
  cells[std::size_t(n / 2)] = -1;
  guarded<std::int16_t> const in(cells);
  guarded<std::uint32_t> const offsets(number + 1), order(n);
  onepass::sort_by_cell(row(), in.view(), offsets.view(), order.view());
  EXPECT_TRUE(in.canaries_alive() && offsets.canaries_alive() && order.canaries_alive());
}

TEST(sort_by_cell, waits_for_nothing_allocates_nothing_and_stays_on_its_instance)
{
  for (auto const& mine : Kokkos::Experimental::partition_space(exec_space{}, 1, 1))
    for (auto const how : {disorder::little, disorder::all}) {
      auto const cells = random_cells<int>(many_keys, 3000, how);
      guarded<int> const in(cells), offsets(3001), permutation(many_keys);
      onepass::workspace<exec_space> scratch(mine);
      expect_discipline_of(
          [&] {
            onepass::sort_by_cell(row(mine).with(scratch).named("bin"), in.view(), offsets.view(), permutation.view());
          },
          mine, "bin");
      expect_items(offsets, begins_of<int>(cells, 3000));
    }
}

}  // namespace
