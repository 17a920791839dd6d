// SPDX-License-Identifier: Apache-2.0
// Scans and reductions of segments.
#include "compaction.hpp"
#include "kernel_log.hpp"
#include "sizes.hpp"
#include "witness.hpp"

#include <onepass/segmented.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numeric>

using namespace test;

namespace {

using witness = interval<48>;

/// Lengths of segments that fill n items, of a mean length; every third of some is empty, or a few hundred in a row
/// are.
std::vector<extent> segment_lengths(extent n, extent mean)
{
  random_words engine(seed() + std::uint64_t(n));
  std::vector<extent> lengths{0};
  for (extent const length : run_lengths(n, mean)) {
    lengths.push_back(length);
    if (engine() % 3 == 0) lengths.push_back(0);
    if (engine() % 100 == 0) lengths.insert(lengths.end(), 300, 0);
  }
  return lengths;
}

struct cut {
  std::vector<extent> lengths;
  std::vector<extent> offsets{0};

  explicit cut(std::vector<extent> const& given)
      : lengths(given)
  {
    for (extent const length : lengths) offsets.push_back(offsets.back() + length);
  }
  extent items() const { return offsets.back(); }
  extent number() const { return extent(lengths.size()); }

  /// value(j) for item j of every segment.
  template <class Value>
  std::vector<witness> in_each(Value const& value) const
  {
    std::vector<witness> items;
    for (extent const length : lengths)
      for (int j = 0; j < int(length); ++j) items.push_back(value(j));
    return items;
  }
  std::vector<witness> numbered() const
  {
    return in_each([](int j) { return witness::of(j, j + 1); });
  }
};

template <class F>
void for_all_cuts(F const& f)
{
  auto const check = [&](extent n, extent mean) {
    SCOPED_TRACE("n = " + std::to_string(n) + ", mean length " + std::to_string(mean));
    f(cut(segment_lengths(n, mean)));
  };
  for (extent const n : edge_sizes<witness>()) ASSERT_NO_FATAL_FAILURE(check(n, 3));
  for (extent const n : some_sizes<witness>())
    for (extent const mean : mean_lengths) ASSERT_NO_FATAL_FAILURE(check(n, mean));
}

TEST(inclusive_segmented_scan, joins_within_every_segment_alone)
{
  for_all_cuts([](cut const& segments) {
    faults const seen;
    guarded<extent> const offsets(segments.offsets);
    guarded<witness> const in(segments.numbered()), out(segments.items());
    onepass::inclusive_segmented_scan(row(), in.view(), offsets.view(), out.view(), join{seen.sink()});
    EXPECT_EQ(seen.text(), "");
    expect_compacted(out, segments.in_each([](int j) { return witness::of(0, j + 1); }));
  });
}

TEST(exclusive_segmented_scan, begins_every_segment_with_the_init)
{
  for_all_cuts([](cut const& segments) {
    faults const seen;
    guarded<extent> const offsets(segments.offsets);
    guarded<witness> const data(segments.numbered());  // in place
    onepass::exclusive_segmented_scan(row(), data.view(), offsets.view(), data.view(), join{seen.sink()},
                                      witness::of(-1, 0));
    EXPECT_EQ(seen.text(), "");
    expect_compacted(data, segments.in_each([](int j) { return witness::of(-1, j); }));
  });
}

TEST(segmented_reduce, joins_every_segment_in_order_and_gives_empty_ones_the_init)
{
  for_all_cuts([](cut const& segments) {
    faults const seen;
    guarded<extent> const offsets(segments.offsets);
    guarded<witness> const in(segments.numbered()), sums(segments.number());
    std::vector<witness> expected;
    for (extent const length : segments.lengths) expected.push_back(witness::of(-1, int(length)));
    onepass::segmented_reduce(row(), in.view(), offsets.view(), sums.view(), join{seen.sink()}, witness::of(-1, 0));
    EXPECT_EQ(seen.text(), "");
    expect_compacted(sums, expected);
  });
}

template <class Layout>
void expect_row_totals(extent rows, extent columns)
{
  SCOPED_TRACE(std::to_string(rows) + " x " + std::to_string(columns));
  std::vector<witness> items(std::size_t(rows * columns)), expected(std::size_t(rows), witness::of(-1, int(columns)));
  Kokkos::View<witness**, Layout, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>> const host(
      items.data(), std::size_t(rows), std::size_t(columns));
  for (extent r = 0; r < rows; ++r)
    for (extent c = 0; c < columns; ++c) host(r, c) = witness::of(int(c), int(c) + 1);
  faults const seen;
  guarded<witness> const in(items), totals(rows);
  Kokkos::View<witness**, Layout, memory_space, Kokkos::MemoryTraits<Kokkos::Unmanaged>> const matrix(
      in.view().data(), std::size_t(rows), std::size_t(columns));
  onepass::reduce_rows(row(), matrix, totals.view(), join{seen.sink()}, witness::of(-1, 0));
  EXPECT_EQ(seen.text(), "");
  expect_compacted(totals, expected);
}

TEST(reduce_rows, joins_every_row_in_order_and_gives_empty_ones_the_init)
{
  for (auto const& [rows, columns] :
       {std::pair<extent, extent>(0, 5), {5, 0}, {1, 1}, {1, 3001}, {1009, 1}, {331, 3}, {37, 100}, {32, 2}}) {
    ASSERT_NO_FATAL_FAILURE(expect_row_totals<Kokkos::LayoutRight>(rows, columns));
    ASSERT_NO_FATAL_FAILURE(expect_row_totals<Kokkos::LayoutLeft>(rows, columns));
  }
  guarded<int> const in(12), few(2);
  Kokkos::View<int**, Kokkos::LayoutRight, memory_space, Kokkos::MemoryTraits<Kokkos::Unmanaged>> const matrix(
      in.view().data(), 3, 4);
  expect_says(refusal([&] { onepass::reduce_rows(row(), matrix, few.view()); }), {"2 items for 3 segments"});
  EXPECT_TRUE(few.untouched());
}

TEST(segmented_reduce, adds_numbers_of_several_types_from_narrow_offsets)
{
  cut const segments(segment_lengths(many_tiles<double>(), 32));
  guarded<int> const offsets(std::vector<int>(segments.offsets.begin(), segments.offsets.end()));
  guarded<std::uint8_t> const ones(std::vector<std::uint8_t>(std::size_t(segments.items()), 1));
  guarded<double> const sums(segments.number(), 1);
  guarded<std::uint32_t> const ranks(segments.items(), 1);
  onepass::segmented_reduce(row(), ones.view(), offsets.view(), sums.view());
  onepass::inclusive_segmented_scan(row(), ones.view(), offsets.view(), ranks.view(), onepass::plus{}, 10u);
  expect_compacted(sums, std::vector<double>(segments.lengths.begin(), segments.lengths.end()));
  std::vector<std::uint32_t> expected;
  for (extent const length : segments.lengths)
    for (extent j = 0; j < length; ++j) expected.push_back(std::uint32_t(11 + j));
  expect_compacted(ranks, expected);
}

TEST(segments, of_floats_begin_and_end_with_a_positive_zero)
{
  cut const all(segment_lengths(many_tiles<float>(), 20));
  guarded<float> const in(std::vector<float>(std::size_t(all.items()), -0.0f)), out(all.items()), sums(all.number());
  guarded<extent> const offsets(all.offsets);
  onepass::exclusive_segmented_scan(row(), in.view(), offsets.view(), out.view());
  for (float const x : out.items()) ASSERT_TRUE(x == 0 && !std::signbit(x));
  onepass::segmented_reduce(row(), in.view(), offsets.view(), sums.view(), std::plus<>{});
  for (float const x : sums.items()) ASSERT_TRUE(x == 0 && !std::signbit(x));
}

TEST(segments, may_be_empty_by_the_thousand_short_and_very_long_at_once)
{
  std::vector<extent> lengths(3000, 0);
  auto const add = [&](std::size_t number, extent length) { lengths.insert(lengths.end(), number, length); };
  add(3001, 1), add(1, 200000), add(2500, 100), add(3000, 0), add(2999, 2), add(1, 150001), add(2200, 33), add(5000, 0);
  cut const segments(lengths);
  guarded<std::uint32_t> const offsets(std::vector<std::uint32_t>(segments.offsets.begin(), segments.offsets.end()));
  guarded<std::uint32_t> const ones(std::vector<std::uint32_t>(std::size_t(segments.items()), 1)),
      ranks(segments.items());
  guarded<std::uint32_t> const sums(segments.number());
  onepass::inclusive_segmented_scan(row(), ones.view(), offsets.view(), ranks.view());
  onepass::segmented_reduce(row(), ones.view(), offsets.view(), sums.view());
  std::vector<std::uint32_t> expected;
  for (extent const length : lengths)
    for (extent j = 0; j < length; ++j) expected.push_back(std::uint32_t(j + 1));
  expect_compacted(ranks, expected);
  expect_compacted(sums, std::vector<std::uint32_t>(lengths.begin(), lengths.end()));
}

TEST(segments, end_before_the_items_do_and_may_be_counted_on_the_device)
{
  std::vector<std::uint32_t> const items(1000, 1);
  std::vector<int> const bounds{0, 3, 3, 10, 500, 900, 1000};  // five of them are offsets
  guarded<std::uint32_t> const in(items), out(1000), sums(6);
  guarded<int> const offsets(bounds);
  single<extent> const number(5);
  auto const five = onepass::first(offsets.view(), number.view());
  onepass::exclusive_segmented_scan(row(), in.view(), five, out.view());
  onepass::segmented_reduce(row(), in.view(), five, sums.view());
  std::vector<std::uint32_t> expected;
  for (int s = 0; s < 4; ++s)
    for (int j = bounds[std::size_t(s)]; j < bounds[std::size_t(s) + 1]; ++j)
      expected.push_back(std::uint32_t(j - bounds[std::size_t(s)]));
  expect_compacted(out, expected);
  expect_compacted(sums, {3, 0, 7, 490});
}

TEST(segments, may_begin_behind_items_which_are_scanned_as_one_more)
{
  for (extent const n : {2, 40, 400, 3000, 30000}) {
    SCOPED_TRACE("n = " + std::to_string(n));
    cut segments(run_lengths(n, 3));
    segments.offsets.push_back(n);  // so that there is one at least
    faults const seen;
    guarded<extent> const offsets({segments.offsets.begin() + 1, segments.offsets.end()});
    guarded<witness> const in(segments.numbered()), out(n), data(segments.numbered()),
        sums(extent(segments.offsets.size()) - 2);
    auto const init = witness::of(-1, 0);
    onepass::inclusive_segmented_scan(row(), in.view(), offsets.view(), out.view(), join{seen.sink()});
    onepass::exclusive_segmented_scan(row(), data.view(), offsets.view(), data.view(), join{seen.sink()}, init);
    onepass::segmented_reduce(row(), in.view(), offsets.view(), sums.view(), join{seen.sink()}, init);
    EXPECT_EQ(seen.text(), "");
    expect_compacted(out, segments.in_each([](int j) { return witness::of(0, j + 1); }));
    expect_compacted(data, segments.in_each([](int j) { return witness::of(-1, j); }));
    std::vector<witness> expected;
    for (std::size_t s = 1; s < segments.lengths.size(); ++s)
      expected.push_back(witness::of(-1, int(segments.lengths[s])));
    expected.push_back(witness::of(-1, 0));
    expect_compacted(sums, expected);
  }
}

TEST(segments, of_offsets_that_make_no_sense_write_nothing_outside)
{
  random_words engine(seed());
  std::vector<std::uint32_t> const items(2000, 1);
  for (int round = 0; round < 20; ++round) {
    std::vector<int> wild(300);
    for (auto& w : wild) w = int(engine() % 4000) - 1000;
    guarded<int> const offsets(wild);
    guarded<std::uint32_t> const in(items), out(2000), sums(299);
    onepass::inclusive_segmented_scan(row(), in.view(), offsets.view(), out.view());
    onepass::segmented_reduce(row(), in.view(), offsets.view(), sums.view());
    ASSERT_TRUE(out.canaries_alive() && sums.canaries_alive() && in.items() == items);
  }
  // No offsets at all are no segments.
  guarded<int> const none(0);
  guarded<std::uint32_t> const in(items), out(2000), sums(5);
  onepass::exclusive_segmented_scan(row(), in.view(), none.view(), out.view());
  onepass::segmented_reduce(row(), in.view(), none.view(), sums.view());
  EXPECT_TRUE(out.untouched() && sums.untouched());
}

TEST(segments, of_offsets_that_make_no_sense_are_refused_at_the_checked_level)
{
  std::vector<std::uint32_t> const items(1000, 1);
  guarded<std::uint32_t> const in(items), out(1000), sums(4);
  single<extent> const three(3);
  auto const said = [&](std::vector<int> const& bounds) {
    guarded<int> const offsets(bounds);
    auto const sum =
        refusal([&] { onepass::segmented_reduce(row().checked(), in.view(), offsets.view(), sums.view()); });
    EXPECT_EQ(sum.empty(), refusal([&] {
                             onepass::inclusive_segmented_scan(row().checked(), in.view(), offsets.view(), out.view());
                           }).empty());
    return sum;
  };
  expect_says(said({0, 10, 9, 1000}), {"segmented_reduce", "offset 2", "1000 items"});
  expect_says(said({-1, 10, 20, 1000}), {"offset 0"});
  expect_says(said({0, 10, 20, 30, 1001}), {"offset 4"});
  expect_says(said({0, 10, 9, 8, 7}), {"offset 2"});  // the first that is wrong
  EXPECT_TRUE(out.untouched() && sums.untouched());

  // What lies behind the number of offsets is none.
  guarded<int> const offsets(std::vector<int>{0, 10, 1000, 5});
  EXPECT_EQ(refusal([&] {
              onepass::segmented_reduce(row().checked(), in.view(), onepass::first(offsets.view(), three.view()),
                                        sums.view());
            }),
            "");
  EXPECT_EQ(said({0, 10, 10, 1000}), "");
  EXPECT_TRUE(sums.canaries_alive() && out.canaries_alive());
}

/// Few items are one kernel of one team without a workspace; one more takes the other way.
TEST(segments, of_few_items_are_one_kernel)
{
  extent const few = onepass::segment_tuning_for<ONEPASS_ROW_TUNING>().few;
  exec_space const exec;
  for (extent const more : {-1, 0, 1})
    for (extent const mean : {1, 7, 10000}) {
      SCOPED_TRACE("mean length " + std::to_string(mean) + ", " + std::to_string(more) + " more than few, seed "
                   + std::to_string(seed()));
      random_words engine(seed() + std::uint64_t(mean));
      std::vector<extent> lengths;
      extent const steps = few + more;  // of items and segments for sums; a scan counts an offset more
      for (extent left = steps; left > 0; left -= lengths.back() + 1)
        lengths.push_back(std::min(left - 1, extent(engine() % std::uint64_t(2 * mean + 1))));
      cut const segments(lengths);
      faults const seen;
      guarded<extent> const offsets(segments.offsets);
      guarded<witness> const in(segments.numbered()), sums(segments.number()), out(segments.items());
      std::vector<witness> expected;
      for (extent const length : segments.lengths) expected.push_back(witness::of(-1, int(length)));
      auto const op   = join{seen.sink()};
      auto const init = witness::of(-1, 0);
      auto const once = [&](bool is_few, auto const& call) {
        kernel_log const log;
        call();
        if (!is_few) return;
        expect_discipline(log, exec);
        EXPECT_LE(log.kernels.size(), 1u);
      };
      constexpr bool takes_turns = onepass::has_relays<decltype(row(exec))>;  // and needs some words for them
      once(more <= 0 && !takes_turns,
           [&] { onepass::segmented_reduce(row(exec), in.view(), offsets.view(), sums.view(), op, init); });
      once(more < 0,
           [&] { onepass::inclusive_segmented_scan(row(exec), in.view(), offsets.view(), out.view(), op, init); });
      exec.fence();
      EXPECT_EQ(seen.text(), "");
      expect_compacted(sums, expected);
      expect_compacted(out, segments.in_each([](int j) { return witness::of(-1, j + 1); }));
      onepass::exclusive_segmented_scan(row(exec), in.view(), offsets.view(), in.view(), op, init);  // in place
      EXPECT_EQ(seen.text(), "");
      expect_compacted(in, segments.in_each([](int j) { return witness::of(-1, j); }));
    }
}

TEST(segments, wait_for_nothing_and_allocate_nothing_with_a_workspace)
{
  exec_space const exec;
  onepass::workspace<exec_space> scratch(exec);
  cut const segments(segment_lengths(5000, 3));
  guarded<extent> const offsets(segments.offsets);
  guarded<std::uint32_t> const in(std::vector<std::uint32_t>(5000, 1)), out(5000), sums(segments.number());
  auto const call = [&] {
    onepass::inclusive_segmented_scan(row(exec).with(scratch), in.view(), offsets.view(), out.view());
    onepass::segmented_reduce(row(exec).with(scratch), in.view(), offsets.view(), sums.view());
  };
  expect_discipline_of(call, exec, "", !onepass::on_host<exec_space>);
}

TEST(segmented_reduce, counts_anew_whatever_words_earlier_calls_left_in_the_workspace)
{
  exec_space const exec;
  extent const n = extent(3) << 19;
  onepass::workspace<exec_space> scratch(exec, 1 << 20);
  guarded<std::uint64_t> const in(std::vector<std::uint64_t>(std::size_t(n), 1)), out(n);
  guarded<extent> const offsets(std::vector<extent>{0, n});
  for (std::uint32_t const status : {1, 2}) {  // of tiles: a word begins with four times its epoch, and that
    guarded<std::uint64_t> const sum(1);
    scratch.set_epoch(5);
    onepass::inclusive_scan(row(exec).with(scratch), in.view(), out.view());
    scratch.set_epoch(4 * 5 + status);
    onepass::segmented_reduce(row(exec).with(scratch), in.view(), offsets.view(), sum.view());
    EXPECT_EQ(sum.items(), std::vector<std::uint64_t>{std::uint64_t(n)}) << "status " << status;
  }
}

TEST(segments, refuse_shared_memory_and_too_little_room)
{
  auto const items = keyed_items<std::uint32_t>(1000);
  guarded<std::uint32_t> const data(items), bounds(std::vector<std::uint32_t>{0, 10, 1000}), out(1000);
  auto const in = data.view(), offsets = bounds.view(), to = out.view();
  unmanaged<std::uint32_t> const high = Kokkos::subview(in, std::pair(1, 1000)),
                                 few  = Kokkos::subview(to, std::pair(0, 1));
  unmanaged<std::uint32_t> const low  = Kokkos::subview(in, std::pair(0, 999));
  expect_says(refusal([&] { onepass::inclusive_segmented_scan(row(), low, offsets, high); }),
              {"inclusive_segmented_scan", "overlap"});
  expect_says(refusal([&] { onepass::exclusive_segmented_scan(row(), in, in, in); }),
              {"exclusive_segmented_scan", "shares"});
  expect_says(refusal([&] { onepass::inclusive_segmented_scan(row(), in, offsets, few); }),
              {"inclusive_segmented_scan", "1 items"});
  expect_says(refusal([&] { onepass::segmented_reduce(row(), in, offsets, in); }), {"segmented_reduce", "shares"});
  expect_says(refusal([&] { onepass::segmented_reduce(row(), in, offsets, offsets); }), {"segmented_reduce", "shares"});
  expect_says(refusal([&] { onepass::segmented_reduce(row(), in, offsets, few); }),
              {"segmented_reduce", "1 items for 2 segments"});
  EXPECT_TRUE(data.items() == items && out.untouched());
}

}  // namespace
