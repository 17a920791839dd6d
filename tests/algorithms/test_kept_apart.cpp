// SPDX-License-Identifier: Apache-2.0
// What a call reads while it writes may not lie in its output: the number of items on the device, and inits of rows
// and segments.
#include "compaction.hpp"
#include "guarded.hpp"
#include "refusal.hpp"
#include "row.hpp"

#include <onepass/adjacent_difference.hpp>
#include <onepass/apply_permutation.hpp>
#include <onepass/classic/compaction.hpp>
#include <onepass/csr.hpp>
#include <onepass/merge.hpp>
#include <onepass/partition.hpp>
#include <onepass/scan.hpp>
#include <onepass/scan_by_key.hpp>
#include <onepass/search.hpp>
#include <onepass/segmented.hpp>
#include <onepass/select.hpp>
#include <onepass/unique.hpp>

#include <gtest/gtest.h>

using namespace test;

namespace {

constexpr extent n = 1000;

/// A call that reads something of its output is refused, and has written nothing.
template <class Call>
void expect_refused(char const* name, Call const& call)
{
  std::vector<extent> items(2 * n, 7);
  guarded<extent> const out(items);
  expect_says(refusal([&] { call(out.view()); }), {name, "shares memory"});
  EXPECT_EQ(out.items(), items);
}

TEST(numbers_of_items, may_not_lie_in_outputs)
{
  guarded<extent> const in(n), same(n), rest(n), third(n), sizes(3);
  single<extent> const count;
  auto const items = in.view(), others = same.view();
  auto const r = rest.view(), t = third.view();
  auto const counted = [&](auto const& out) { return onepass::first(items, Kokkos::subview(out, 3)); };
  auto const c       = count.view();
  expect_refused("inclusive_scan", [&](auto const& out) { onepass::inclusive_scan(row(), counted(out), out); });
  expect_refused("select_if", [&](auto const& out) { onepass::select_if(row(), counted(out), out, c, below{9}); });
  expect_refused("unique", [&](auto const& out) { onepass::unique(row(), counted(out), out, c); });
  expect_refused("partition_if",
                 [&](auto const& out) { onepass::partition_if(row(), counted(out), out, r, c, below{9}); });
  expect_refused("partition_if",
                 [&](auto const& out) { onepass::partition_if(row(), counted(out), r, out, c, below{9}); });
  expect_refused("partition_if_into_one",
                 [&](auto const& out) { onepass::partition_if_into_one(row(), counted(out), out, c, below{9}); });
  auto const three = [&](auto const& from, auto const& x, auto const& y, auto const& z) {
    onepass::partition_three_way(row(), from, x, y, z, sizes.view(), below{9});
  };
  expect_refused("partition_three_way", [&](auto const& out) { three(counted(out), out, r, t); });
  expect_refused("partition_three_way", [&](auto const& out) { three(counted(out), r, out, t); });
  expect_refused("partition_three_way", [&](auto const& out) { three(counted(out), r, t, out); });
  expect_refused("lower_bound", [&](auto const& out) { onepass::lower_bound(row(), counted(out), others, out); });
  expect_refused("upper_bound", [&](auto const& out) { onepass::upper_bound(row(), others, counted(out), out); });
  expect_refused("offsets_from_sorted",
                 [&](auto const& out) { onepass::offsets_from_sorted(row(), counted(out), out); });
  expect_refused("counts_to_offsets",
                 [&](auto const& out) { onepass::counts_to_offsets(row(), items, out, Kokkos::subview(out, 3)); });
  expect_refused("compact_by_blocks", [&](auto const& out) {
    onepass::classic::compact_by_blocks(row(), items, out, Kokkos::subview(out, 3), below{9});
  });
  expect_refused("encode_by_blocks", [&](auto const& out) {
    onepass::classic::encode_by_blocks(row(), items, out, r, Kokkos::subview(out, 3));
  });
  std::vector<extent> places(n);
  for (extent i = 0; i < n; ++i) places[std::size_t(i)] = n - 1 - i;
  guarded<extent> const reversed(places);
  expect_refused("apply_permutation", [&](auto const& out) {
    auto const part = [&](extent from) { return Kokkos::subview(out, std::pair<extent, extent>(from, from + n)); };
    onepass::apply_permutation(row(), reversed.view(), part(0), part(1));
  });
  expect_refused("adjacent_difference",
                 [&](auto const& out) { onepass::adjacent_difference(row(), counted(out), out); });
  expect_refused("merge", [&](auto const& out) { onepass::merge(row(), counted(out), others, out); });
  expect_refused("merge", [&](auto const& out) { onepass::merge(row(), others, counted(out), out); });
  guarded<extent> const keys(2 * n);
  expect_refused("merge_by_key", [&](auto const& out) {
    onepass::merge_by_key(row(), counted(out), items, others, others, keys.view(), out);
  });
  expect_refused("merge_by_key", [&](auto const& out) {
    onepass::merge_by_key(row(), others, others, counted(out), items, keys.view(), out);
  });
  expect_refused("inclusive_scan_by_key",
                 [&](auto const& out) { onepass::inclusive_scan_by_key(row(), counted(out), others, out); });
  expect_refused("inclusive_segmented_scan",
                 [&](auto const& out) { onepass::inclusive_segmented_scan(row(), others, counted(out), out); });
  expect_refused("segmented_reduce",
                 [&](auto const& out) { onepass::segmented_reduce(row(), others, counted(out), out); });
}

TEST(inits, of_rows_and_segments_may_not_lie_in_outputs)
{
  using onepass::plus;
  guarded<extent> const in(std::vector<extent>(n, 0)), keys(n);
  auto const items = in.view(), offsets = keys.view();
  auto const init = [](auto const& out) { return Kokkos::subview(out, 3); };
  auto const rows = [](auto const& all) {
    return Kokkos::View<extent**, Kokkos::LayoutRight, memory_space, Kokkos::MemoryTraits<Kokkos::Unmanaged>>(
        all.data(), 20, 50);
  };
  expect_refused("inclusive_scan",
                 [&](auto const& out) { onepass::inclusive_scan(row(), rows(out), rows(out), plus{}, init(out)); });
  expect_refused("segmented_reduce",
                 [&](auto const& out) { onepass::reduce_rows(row(), rows(items), out, plus{}, init(out)); });
  expect_refused("segmented_reduce",
                 [&](auto const& out) { onepass::segmented_reduce(row(), items, offsets, out, plus{}, init(out)); });
  expect_refused("exclusive_segmented_scan", [&](auto const& out) {
    onepass::exclusive_segmented_scan(row(), items, offsets, out, plus{}, init(out));
  });
  expect_refused("exclusive_scan_by_key", [&](auto const& out) {
    onepass::exclusive_scan_by_key(row(), offsets, items, out, plus{}, init(out));
  });
  single<extent> const apart(5);
  guarded<extent> const sums(20);
  onepass::reduce_rows(row(), rows(items), sums.view(), plus{}, apart.view());
  EXPECT_EQ(sums.items(), std::vector<extent>(20, 5));
}

}  // namespace
