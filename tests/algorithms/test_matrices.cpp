// SPDX-License-Identifier: Apache-2.0
// Matrices as inputs: of either layout, with and without gaps, of one column, each like its items in a row.
#include "guarded.hpp"
#include "row.hpp"
#include "seed.hpp"

#include <onepass/count.hpp>
#include <onepass/find.hpp>
#include <onepass/histogram.hpp>
#include <onepass/minmax.hpp>
#include <onepass/partition.hpp>
#include <onepass/reduce.hpp>
#include <onepass/scan.hpp>
#include <onepass/segmented.hpp>
#include <onepass/select.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <numeric>
#include <thread>

using namespace onepass;
using namespace test;

namespace {

using item = std::int32_t;

struct is_odd {
  ONEPASS_FUNCTION bool operator()(item x) const { return x % 2 != 0; }
};
struct is {
  item value;
  ONEPASS_FUNCTION bool operator()(item x) const { return x == value; }
};

/// The older of two neighbours with everything between them: does not commute.
struct first_of {
  ONEPASS_FUNCTION item operator()(item older, item) const { return older; }
};

/// Items become those of a matrix, row by row, or `Back`: a matrix becomes items.
template <bool Back, class Matrix>
struct copy_by_rows {
  Matrix matrix;
  unmanaged<item> items;
  ONEPASS_FUNCTION void operator()(int i) const
  {
    int const columns = int(matrix.extent(1));
    auto& in_matrix   = matrix(i / columns, i % columns);
    if constexpr (Back) items(i) = in_matrix;
    else in_matrix = items(i);
  }
};
template <bool Back, class Matrix>
void copy(Matrix const& matrix, unmanaged<item> const& items)
{
  Kokkos::fence();
  Kokkos::parallel_for(Kokkos::RangePolicy<exec_space>(0, extent(matrix.size())),
                       copy_by_rows<Back, Matrix>{matrix, items});
  Kokkos::fence();
}
template <class Matrix>
std::vector<item> items_of(Matrix const& matrix)
{
  guarded<item> const items(extent(matrix.size()));
  copy<true>(matrix, items.view());
  return items.items();
}

/// Scans by rows, with and without an init, in place by an operator that does not commute, and of all rows as one
/// sequence.
template <class Where, class Matrix>
void expect_scans(Where const& where, Matrix const& matrix, Matrix const& scanned, guarded<item> const& all)
{
  auto const items = all.items();
  auto const n = extent(items.size()), columns = extent(matrix.extent(1));
  std::vector<item> sums(items.size()), before = sums, firsts = sums;
  for (extent i = 0; i < n; ++i) {
    bool const begins = i % columns == 0;
    auto const k      = std::size_t(i);
    before[k]         = begins ? 5 : before[k - 1] + items[k - 1];
    sums[k]           = items[k] + (begins ? 0 : sums[k - 1]);
    firsts[k]         = begins ? items[k] : firsts[k - 1];
  }
  inclusive_scan(where, matrix, scanned);
  EXPECT_EQ(items_of(scanned), sums);
  exclusive_scan(where, matrix, scanned, plus{}, 5);
  EXPECT_EQ(items_of(scanned), before);
  inclusive_scan(where, as_sequence(matrix), scanned);
  std::partial_sum(items.begin(), items.end(), sums.begin());
  EXPECT_EQ(items_of(scanned), sums);
  inclusive_scan(where, matrix, matrix, first_of{});
  EXPECT_EQ(items_of(matrix), firsts);
  copy<false>(matrix, all.view());
}

template <class Matrix>
void expect_like_a_row(Matrix const& matrix, Matrix const& scanned)
{
  random_words engine(seed());
  extent const rows = extent(matrix.extent(0)), columns = extent(matrix.extent(1));
  std::vector<item> items, kept, sums;
  for (extent r = 0; r < rows; ++r) {
    for (extent c = 0; c < columns; ++c) items.push_back(item(engine() % 1000));
    auto const begin = items.end() - columns;
    sums.push_back(std::accumulate(begin, items.end(), 0));
  }
  std::copy_if(items.begin(), items.end(), std::back_inserter(kept), is_odd{});
  std::vector<int> bins(10, 0);
  for (item const x : items) ++bins[std::size_t(x / 100)];
  auto const n = extent(items.size());
  guarded<item> const all(items);
  copy<false>(matrix, all.view());

  single<item> const total;
  single<extent> const count, at, largest;
  reduce(row(), matrix, total.view());
  EXPECT_EQ(total.value(), std::accumulate(items.begin(), items.end(), 0));
  reduce(row(), matrix, total.view(), first_of{}, item(-7));
  EXPECT_EQ(total.value(), -7);
  count_if(row(), matrix, count.view(), is_odd{});
  EXPECT_EQ(count.value(), extent(kept.size()));
  auto const squares = std::inner_product(items.begin(), items.end(), items.begin(), extent(0));
  dot(row(), matrix, matrix, count.view());
  EXPECT_EQ(count.value(), squares);
  dot(row(), matrix, all.view(), count.view());
  EXPECT_EQ(count.value(), squares);
  if (n > 0) {
    min_element(row(), matrix, at.view());
    EXPECT_EQ(at.value(), std::min_element(items.begin(), items.end()) - items.begin());
    minmax_element(row(), matrix, at.view(), largest.view());
    EXPECT_EQ(largest.value(), std::minmax_element(items.begin(), items.end()).second - items.begin());
    item const wanted = items[std::size_t(n * 2 / 3)];
    find_if(row(), matrix, at.view(), is{wanted});
    EXPECT_EQ(at.value(), std::find(items.begin(), items.end(), wanted) - items.begin());
  }
  guarded<int> const counts(10);
  histogram_even(row(), matrix, counts.view(), 0, 1000);
  EXPECT_EQ(counts.items(), bins);
  guarded<item> const selected(n), row_sums(rows);
  select_if(row(), matrix, selected.view(), count.view(), is_odd{});
  auto const got = selected.items();
  EXPECT_TRUE(std::equal(kept.begin(), kept.end(), got.begin()));
  guarded<item> const others(n);
  partition_if(row(), matrix, selected.view(), others.view(), count.view(), is_odd{});
  std::vector<item> rest;
  std::remove_copy_if(items.begin(), items.end(), std::back_inserter(rest), is_odd{});
  auto const in_kept = selected.items(), in_others = others.items();
  EXPECT_TRUE(std::equal(kept.begin(), kept.end(), in_kept.begin()));
  EXPECT_TRUE(std::equal(rest.begin(), rest.end(), in_others.begin()));
  reduce_rows(row(), matrix, row_sums.view());
  EXPECT_EQ(row_sums.items(), sums);

  expect_scans(row(), matrix, scanned, all);
  expect_scans(row().by(schedule::automatic), matrix, scanned, all);

  // As a sequence its rows are no segments.
  guarded<extent> const halves(std::vector<extent>{0, n / 3, n});
  guarded<item> const half_sums(2);
  segmented_reduce(row(), as_sequence(matrix), halves.view(), half_sums.view());
  EXPECT_EQ(half_sums.items()[0], std::accumulate(items.begin(), items.begin() + n / 3, 0));
  EXPECT_EQ(half_sums.items()[1], std::accumulate(items.begin() + n / 3, items.end(), 0));

  single<extent> const some;
  Kokkos::deep_copy(some.view(), n / 2);
  count_if(row(), first(matrix, some.view()), count.view(), is_odd{});
  EXPECT_EQ(count.value(), std::count_if(items.begin(), items.begin() + n / 2, is_odd{}));
}

/// By rows or columns, whole or a part of a larger one.
template <class Layout>
void expect_like_rows(int rows, int columns)
{
  SCOPED_TRACE(std::to_string(rows) + " x " + std::to_string(columns) + ", seed " + std::to_string(seed()));
  using matrix    = Kokkos::View<item**, Layout, memory_space>;
  auto const made = [&](int more) { return matrix("matrix", std::size_t(rows + more), std::size_t(columns + more)); };
  auto const part = [&](matrix const& all) {
    return Kokkos::subview(all, std::pair(2, 2 + rows), std::pair(1, 1 + columns));
  };
  expect_like_a_row(made(0), made(0));
  expect_like_a_row(part(made(3)), part(made(3)));
}

TEST(matrices, are_like_their_items_in_a_row)
{
  for (auto const& [rows, columns] : {std::pair(1, 1),
                                      {1, 1000},
                                      {1000, 1},
                                      {37, 53},
                                      {7, 2000},
                                      {3000, 3},
                                      {200, 90},
                                      {700, 200},
                                      {20, 9000},
                                      {5, 0}}) {
    expect_like_rows<Kokkos::LayoutRight>(rows, columns);
    expect_like_rows<Kokkos::LayoutLeft>(rows, columns);
  }
}

/// A sum that notes on hosts which threads add.
struct noting_sum {
  std::thread::id caller;
  std::atomic<extent>* others;
  ONEPASS_FUNCTION item operator()(item a, item b) const
  {
    KOKKOS_IF_ON_HOST((if (std::this_thread::get_id() != caller) others->fetch_add(1, std::memory_order_relaxed);))
    return a + b;
  }
};

/// Calls until another thread has its share: one that comes too late is done without, for some calls.
template <class Call>
bool shared_by_threads(Call const& call)
{
  backends::host::crowd::rest const rest;
  std::atomic<extent> others = 0;
  for (int turn = 0; turn < 100 && others == 0; ++turn) call(noting_sum{std::this_thread::get_id(), &others});
  return others > 0;
}

TEST(matrices, of_few_long_rows_are_shared_by_threads)
{
  if constexpr (std::is_same_v<backend_of<decltype(row())>, host_backend>) {
    if (exec_space().concurrency() == 1) GTEST_SKIP() << "there is one thread";
    Kokkos::View<item**, Kokkos::LayoutLeft, memory_space> const matrix("matrix", 64, 20000);
    Kokkos::View<item*, memory_space> const sums("sums", 64);
    auto const place = row().by(schedule::automatic);
    EXPECT_TRUE(shared_by_threads([&](noting_sum const& add) { reduce_rows(place, matrix, sums, add, 0); }));
    if (exec_space().concurrency() < 4) return;  // a scan would have to read all twice for one thread more
    EXPECT_TRUE(shared_by_threads([&](noting_sum const& add) { inclusive_scan(place, matrix, matrix, add, 0); }));
  }
}

TEST(matrices, know_how_much_they_read)
{
  by_rows<float> const matrix{nullptr, 3000 * 1000, 1000, 1, 3000};
  using base = scan_program<scan_kind::total_only, by_rows<float>, nothing, float, plus, unchanged>;
  sums_side_by_side<base, nothing> const sums{{{matrix, {}, {}, {}, {}, false, nullptr}, 3000, 1, nullptr}, {}};
  EXPECT_EQ(backends::host::bytes_of_range(sums), 12000000);
}

}  // namespace
