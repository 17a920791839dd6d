// SPDX-License-Identifier: Apache-2.0
#include "apart.hpp"
#include "kernel_log.hpp"
#include "row.hpp"
#include "sorting.hpp"

#include <onepass/csr.hpp>

#include <gtest/gtest.h>

using namespace test;

namespace {

/// Counts of n rows, a third of them empty, and their offsets.
std::vector<int> random_counts(extent n, int most)
{
  random_words engine(seed() + std::uint64_t(n));
  std::vector<int> counts;
  for (extent i = 0; i < n; ++i) counts.push_back(i % 3 == 1 ? 0 : int(engine() % std::uint64_t(most)));
  return counts;
}
template <class Offset>
std::vector<Offset> offsets_of(std::vector<int> const& counts)
{
  std::vector<Offset> offsets{0};
  for (int const c : counts) offsets.push_back(Offset(offsets.back() + Offset(c)));
  return offsets;
}
constexpr extent sizes[] = {0, 1, 2, 63, 1009, many_keys};

TEST(counts_to_offsets, gives_the_offsets_and_the_total_wherever_it_is_wanted)
{
  for (extent const n : sizes) {
    SCOPED_TRACE("n = " + std::to_string(n) + ", seed " + std::to_string(seed()));
    auto const counts   = random_counts(n, 9);
    auto const expected = offsets_of<extent>(counts);
    guarded<int> const in(counts, 1);
    guarded<extent> const offsets(n + 1), beside(n + 1);
    onepass::counts_to_offsets(row(), in.view(), offsets.view());
    ASSERT_NO_FATAL_FAILURE(expect_items(offsets, expected));
    single<int> const total(-1);
    onepass::counts_to_offsets(row(), in.view(), beside.view(), total.view());
    ASSERT_EQ(total.value(), int(expected.back()));
    std::uint64_t here = 77;
    onepass::counts_to_offsets(row(), in.view(), beside.view(), here);
    EXPECT_EQ(here, std::uint64_t(expected.back()));
    ASSERT_NO_FATAL_FAILURE(expect_items(beside, expected));
  }
}

TEST(counts_to_offsets, may_have_its_counts_in_the_offsets)
{
  auto counts         = random_counts(1009, 9);
  auto const expected = offsets_of<int>(counts);
  counts.push_back(-5);
  guarded<int> const both(counts);
  unmanaged<int> const first = Kokkos::subview(both.view(), std::pair(0, 1009));
  unmanaged<int> const later = Kokkos::subview(both.view(), std::pair(1, 1010));
  expect_says(refusal([&] { onepass::counts_to_offsets(row(), later, both.view()); }), {"overlap"});
  onepass::counts_to_offsets(row().checked(), first, both.view());
  expect_items(both, expected);
}

TEST(counts_to_offsets, reports_a_total_that_does_not_fit_at_the_checked_level)
{
  guarded<int> const counts(std::vector<int>{100, 0, 27, 1}), negative(std::vector<int>{1, -1, 5, 0});
  guarded<std::int8_t> const narrow(5);
  expect_says(refusal([&] { onepass::counts_to_offsets(row().checked(), counts.view(), narrow.view()); }),
              {"counts_to_offsets", "4 counts is 128", "127", "wider"});
  expect_says(refusal([&] { onepass::counts_to_offsets(row().checked(), negative.view(), narrow.view()); }),
              {"counts_to_offsets", "count 1", "negative"});
  std::uint64_t const large = std::uint64_t(1) << 63;
  guarded<std::uint64_t> const huge(std::vector<std::uint64_t>{large, large - 1, 2});
  guarded<std::uint64_t> const wide(4);
  expect_says(refusal([&] { onepass::counts_to_offsets(row().checked(), huge.view(), narrow.view()); }), {"or more"});
  EXPECT_TRUE(narrow.untouched());
  onepass::counts_to_offsets(row().checked(), unmanaged<int>(counts.view().data(), 3), narrow.view());
  EXPECT_EQ(narrow.items()[3], 127);
  guarded<std::int8_t> const short_of_one(3);
  expect_says(refusal([&] { onepass::counts_to_offsets(row(), counts.view(), short_of_one.view()); }),
              {"3 offsets", "4 counts", "5"});
}

TEST(offsets_from_sorted, finds_every_row_empty_ones_too)
{
  for (extent const n : sizes) {
    SCOPED_TRACE("n = " + std::to_string(n) + ", seed " + std::to_string(seed()));
    auto const counts   = random_counts(n, 5);
    auto const expected = offsets_of<int>(counts);
    std::vector<std::uint32_t> ids;
    for (std::size_t r = 0; r < counts.size(); ++r) ids.insert(ids.end(), std::size_t(counts[r]), std::uint32_t(r));
    guarded<std::uint32_t> const in(ids, 1);
    guarded<int> const offsets(n + 1);
    onepass::offsets_from_sorted(row().checked(), in.view(), offsets.view());
    ASSERT_NO_FATAL_FAILURE(expect_items(offsets, expected));

    auto const some = std::min<extent>(n, 20);  // of the rows, with the ids that these have
    single<extent> const count(expected[std::size_t(some)]);
    guarded<int> const first(some + 1);
    onepass::offsets_from_sorted(row().checked(), onepass::first(in.view(), count.view()), first.view());
    ASSERT_NO_FATAL_FAILURE(expect_items(first, std::vector<int>(expected.begin(), expected.begin() + some + 1)));
  }
}

TEST(offsets_from_sorted, refuses_what_can_not_be_right)
{
  guarded<int> const ids(std::vector<int>{0, 0, 4, 3}), one(std::vector<int>{0, 0, 0, 5}), offsets(6), none(0);
  guarded<int> const many(std::vector<int>(200, 0));
  guarded<std::int8_t> const narrow(6);
  expect_says(refusal([&] { onepass::offsets_from_sorted(row().checked(), ids.view(), offsets.view()); }),
              {"offsets_from_sorted", "id 3", "sort"});
  expect_says(refusal([&] { onepass::offsets_from_sorted(row().checked(), one.view(), offsets.view()); }),
              {"id 3", "none of the 5"});
  expect_says(refusal([&] { onepass::offsets_from_sorted(row(), ids.view(), none.view()); }), {"no offsets"});
  expect_says(refusal([&] { onepass::offsets_from_sorted(row(), many.view(), narrow.view()); }), {"200", "wider"});
  expect_says(refusal([&] { onepass::offsets_from_sorted(row(), ids.view(), ids.view()); }), {"shares memory"});
  EXPECT_TRUE(offsets.untouched());
}

/// A graph of `rows` rows, with columns in no order and some of them several times.
struct graph {
  std::vector<int> counts, offsets, columns;
  std::vector<int> out_offsets;
  std::vector<std::int16_t> out_rows;
  std::vector<std::uint32_t> permutation;

  graph(extent rows, extent number)
      : counts(random_counts(rows, 7))
      , offsets(offsets_of<int>(counts))
  {
    random_words engine(seed() + std::uint64_t(rows));
    std::vector<std::int16_t> row_of;
    for (extent r = 0; r < rows; ++r)
      for (int e = 0; e < counts[std::size_t(r)]; ++e) {
        row_of.push_back(std::int16_t(r));
        columns.push_back(int((std::uint64_t(r) + engine() % 5) % std::uint64_t(number)));
      }
    permutation = order_of(columns, std::less<int>{});
    out_rows    = gathered(row_of, permutation);
    std::vector<int> of_column(std::size_t(number), 0);
    for (int const c : columns) ++of_column[std::size_t(c)];
    out_offsets = offsets_of<int>(of_column);
  }
};

TEST(transpose_graph, gives_the_rows_of_each_column_in_order)
{
  for (extent const rows : {0, 1, 40, 1009, 20000})
    for (extent const number : {1, 50, 30011}) {
      SCOPED_TRACE(std::to_string(rows) + " rows, " + std::to_string(number) + " columns, seed "
                   + std::to_string(seed()));
      graph const g(rows, number);
      auto const n = extent(g.columns.size());
      guarded<int> const offsets(g.offsets), columns(g.columns), out_offsets(number + 1), again(number + 1);
      guarded<std::int16_t> const out_rows(n), rows_again(n);
      guarded<std::uint32_t> const permutation(n);
      onepass::transpose_graph(row().checked(), offsets.view(), columns.view(), out_offsets.view(), out_rows.view());
      ASSERT_NO_FATAL_FAILURE(expect_items(out_offsets, g.out_offsets));
      ASSERT_NO_FATAL_FAILURE(expect_items(out_rows, g.out_rows));
      onepass::transpose_graph(row(), offsets.view(), columns.view(), again.view(), rows_again.view(),
                               permutation.view());
      ASSERT_NO_FATAL_FAILURE(expect_items(again, g.out_offsets));
      ASSERT_NO_FATAL_FAILURE(expect_items(rows_again, g.out_rows));
      ASSERT_NO_FATAL_FAILURE(expect_items(permutation, g.permutation));
    }
}

TEST(transpose_graph, refuses_what_can_not_be_right)
{
  guarded<int> const offsets(std::vector<int>{0, 2, 1, 3}), right(std::vector<int>{0, 2, 2, 3}),
      short_of(std::vector<int>{0, 2, 2, 2}), late(std::vector<int>{1, 2, 2, 3});
  guarded<int> const columns(std::vector<int>{1, 0, 4}), out_offsets(6), few(4), none(0), one(1), out_rows(3), two(2);
  auto const call = [&](auto const& bounds, auto const& begins, auto const& out) {
    return refusal(
        [&] { onepass::transpose_graph(row().checked(), bounds.view(), columns.view(), begins.view(), out.view()); });
  };
  expect_says(call(offsets, out_offsets, out_rows), {"transpose_graph", "offset 2"});
  expect_says(call(short_of, out_offsets, out_rows), {"offset 3", "entries, 3"});
  expect_says(call(late, out_offsets, out_rows), {"offset 0"});
  expect_says(call(right, few, out_rows), {"column of entry 2", "none of the 3"});
  expect_says(call(right, one, out_rows), {"3 entries", "3 rows", "0 columns"});
  expect_says(call(none, out_offsets, out_rows), {"no offsets"});
  expect_says(call(right, out_offsets, two), {"2", "3"});
  expect_says(call(right, out_offsets, right), {"shares memory"});
  EXPECT_TRUE(out_offsets.untouched() && out_rows.untouched() && few.untouched());
}

TEST(csr, waits_for_nothing_and_allocates_nothing_with_a_workspace)
{
  graph const g(20000, 1000);
  auto const n = extent(g.columns.size());
  for (auto const& mine : Kokkos::Experimental::partition_space(exec_space{}, 1, 1)) {
    guarded<int> const counts(g.counts), offsets(extent(g.offsets.size())), columns(g.columns), out_offsets(1001);
    guarded<int> const from_ids(1001);
    guarded<std::int16_t> const out_rows(n);
    guarded<std::uint32_t> const permutation(n);
    single<int> const total;
    onepass::workspace<exec_space> scratch(mine);
    auto const call = [&] {
      auto const here = row(mine).with(scratch);
      onepass::counts_to_offsets(here, counts.view(), offsets.view(), total.view());
      onepass::transpose_graph(here, offsets.view(), columns.view(), out_offsets.view(), out_rows.view(),
                               permutation.view());
      onepass::offsets_from_sorted(here, onepass::counting<int>{0, 1000}, from_ids.view());
    };
    expect_discipline_of(call, mine);
  }
}

}  // namespace
