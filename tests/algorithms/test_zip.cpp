// SPDX-License-Identifier: Apache-2.0
// Runs of keys of several columns, runs longer than 1, last keys.
#include "compaction.hpp"
#include "sizes.hpp"
#include "witness.hpp"

#include <onepass/reduce_by_key.hpp>
#include <onepass/run_length.hpp>
#include <onepass/unique.hpp>
#include <onepass/zip.hpp>

#include <gtest/gtest.h>

using namespace test;

namespace {

using witness = interval<48>;

/// Runs that differ from their neighbours in one column alone, now in this one, now in that.
struct two_columns {
  std::vector<extent> lengths;
  std::vector<std::uint8_t> narrow, narrow_heads;
  std::vector<std::uint64_t> wide, wide_heads;

  two_columns(extent n, extent mean)
      : lengths(run_lengths(n, mean))
  {
    for (std::size_t r = 0; r < lengths.size(); ++r) {
      narrow_heads.push_back(std::uint8_t((r + 1) / 2));
      wide_heads.push_back(r / 2 << 33);
      narrow.insert(narrow.end(), std::size_t(lengths[r]), narrow_heads.back());
      wide.insert(wide.end(), std::size_t(lengths[r]), wide_heads.back());
    }
  }
};

template <class F>
void for_all_runs(F const& f)
{
  for (extent const n : edge_sizes<std::uint64_t, extent>())
    for (extent const mean : mean_lengths) {
      SCOPED_TRACE("n = " + std::to_string(n) + ", mean length " + std::to_string(mean));
      f(n, two_columns(n, mean));
      if (testing::Test::HasFatalFailure()) return;
    }
}

TEST(run_length_encode, takes_keys_of_two_columns)
{
  for_all_runs([](extent n, two_columns const& runs) {
    guarded<std::uint8_t> const narrow(runs.narrow), narrow_out(n, 1);
    guarded<std::uint64_t> const wide(runs.wide);
    guarded<extent> const lengths(n, 1);
    single<extent> const count(77);
    // One column in place, where the schedule can.
    guarded<std::uint64_t> const other(n);
    auto const& wide_out = two_pass ? other : wide;
    onepass::run_length_encode(row(), onepass::zip(narrow.view(), wide.view()),
                               onepass::zip(narrow_out.view(), wide_out.view()), lengths.view(), count.view());
    ASSERT_EQ(count.value(), extent(runs.lengths.size()));
    expect_compacted(narrow_out, runs.narrow_heads);
    expect_compacted(wide_out, runs.wide_heads, two_pass ? std::vector<std::uint64_t>{} : runs.wide);
    expect_compacted(lengths, runs.lengths);
  });
}

TEST(unique, takes_keys_of_two_columns)
{
  for_all_runs([](extent n, two_columns const& runs) {
    guarded<std::uint8_t> const narrow(runs.narrow), narrow_out(n, 1);
    guarded<std::uint64_t> const wide(runs.wide), wide_out(n);
    single<int> const count(77);
    onepass::unique(row(), onepass::zip(narrow.view(), wide.view()), onepass::zip(narrow_out.view(), wide_out.view()),
                    count.view());
    ASSERT_EQ(count.value(), int(runs.lengths.size()));
    expect_compacted(narrow_out, runs.narrow_heads);
    expect_compacted(wide_out, runs.wide_heads);
  });
}

TEST(columns, count_on_where_the_outputs_are_full)
{
  extent const n = many_tiles<std::uint64_t>();
  two_columns const runs(n, 3);
  guarded<std::uint8_t> const narrow(runs.narrow);
  guarded<std::uint64_t> const wide(runs.wide);
  auto const in    = onepass::zip(narrow.view(), wide.view());
  extent const all = extent(runs.lengths.size());
  for (extent const room : {extent(0), extent(1), all / 2, all - 1}) {
    guarded<std::uint8_t> const narrow_out(room, 1);
    guarded<std::uint64_t> const wide_out(all / 3);  // a length of its own
    guarded<extent> const lengths(room);
    single<extent> const count, again;
    auto const out = onepass::zip(narrow_out.view(), wide_out.view());
    onepass::unique(row(), in, out, count.view());
    ASSERT_NO_FATAL_FAILURE(expect_compacted(narrow_out, runs.narrow_heads));
    onepass::run_length_encode(row(), in, out, lengths.view(), again.view());
    EXPECT_EQ(count.value(), all);
    EXPECT_EQ(again.value(), all);
    ASSERT_NO_FATAL_FAILURE(expect_compacted(narrow_out, runs.narrow_heads));
    ASSERT_NO_FATAL_FAILURE(expect_compacted(wide_out, runs.wide_heads));
    ASSERT_NO_FATAL_FAILURE(expect_compacted(lengths, runs.lengths));
  }
}

TEST(columns, must_be_of_one_length_and_apart)
{
  guarded<int> const a(std::vector<int>(100, 1)), b(std::vector<int>(100, 1)), out(100);
  single<int> const count(77);
  unmanaged<int> const few = Kokkos::subview(b.view(), std::pair(0, 99));
  auto const in            = onepass::zip(a.view(), b.view());
  auto const said          = [&](auto const& from, auto const& to) {
    return refusal([&] { onepass::unique(row(), from, to, count.view()); });
  };
  expect_says(said(onepass::zip(a.view(), few), in), {"unique", "100 and 99"});
  expect_says(said(in, onepass::zip(b.view(), out.view())), {"unique", "shares"});
  expect_says(said(in, onepass::zip(out.view(), out.view())), {"unique", "shares"});
  expect_says(refusal([&] {
                onepass::run_length_encode(row(), in, onepass::zip(out.view(), b.view()), b.view(), count.view());
              }),
              {"run_length_encode", two_pass ? "in place" : "shares"});
  guarded<int> const beside(100), lengths(100);
  auto const to = onepass::zip(out.view(), beside.view());
  for (auto const& of : {a.view(), b.view(), out.view(), beside.view(), lengths.view()})
    expect_says(refusal([&] { onepass::run_length_encode(row(), in, to, lengths.view(), item_of(of, 3)); }),
                {"run_length_encode", "shares"});
  for (auto const& of : {out.view(), beside.view()})
    expect_says(refusal([&] { onepass::unique(row(), in, to, item_of(of, 99)); }), {"unique", "shares"});
  EXPECT_TRUE(beside.untouched() && lengths.untouched());
  EXPECT_TRUE(out.untouched());
  EXPECT_EQ(count.value(), 77);
}

TEST(non_trivial_runs, gives_the_runs_longer_than_one)
{
  for_all_runs([](extent n, two_columns const& runs) {
    std::vector<extent> expected_offsets, expected_lengths;
    extent begin = 0;
    for (extent const length : runs.lengths) {
      if (length > 1) expected_offsets.push_back(begin), expected_lengths.push_back(length);
      begin += length;
    }
    std::vector<std::uint16_t> items;  // many runs of one item between others
    for (std::size_t i = 0; i < runs.narrow.size(); ++i)
      items.push_back(std::uint16_t(runs.narrow[i] + (runs.wide[i] >> 33)));
    guarded<std::uint16_t> const in(items);
    guarded<extent> const offsets(n / 2), lengths(n / 2, 1);
    single<extent> const count(77);
    onepass::non_trivial_runs(row(), in.view(), offsets.view(), lengths.view(), count.view());
    ASSERT_EQ(count.value(), extent(expected_lengths.size()));
    expect_compacted(offsets, expected_offsets);
    expect_compacted(lengths, expected_lengths);
  });
}

TEST(non_trivial_runs, counts_on_where_the_outputs_are_full_and_refuses_shared_memory)
{
  extent const n   = many_tiles<extent>();
  auto const items = items_of_runs<int>(run_lengths(n, 3), [](extent, extent r) { return int(r); });
  guarded<int> const in(items);
  guarded<extent> const all_offsets(n), all_lengths(n);
  single<int> const count, again;
  onepass::non_trivial_runs(row(), in.view(), all_offsets.view(), all_lengths.view(), count.view());
  for (extent const room : {extent(0), extent(1), extent(count.value() - 1)}) {
    guarded<extent> const offsets(room), lengths(room, 1);
    onepass::non_trivial_runs(row(), in.view(), offsets.view(), lengths.view(), again.view());
    EXPECT_EQ(again.value(), count.value());
    ASSERT_NO_FATAL_FAILURE(expect_compacted(offsets, all_offsets.items()));
    ASSERT_NO_FATAL_FAILURE(expect_compacted(lengths, all_lengths.items()));
  }
  auto const o = all_offsets.view();
  expect_says(refusal([&] { onepass::non_trivial_runs(row(), o, o, all_lengths.view(), count.view()); }),
              {"non_trivial_runs", "shares"});
  expect_says(refusal([&] { onepass::non_trivial_runs(row(), in.view(), o, o, count.view()); }),
              {"non_trivial_runs", "shares"});
  for (auto const& of : {o, all_lengths.view()})
    expect_says(refusal([&] { onepass::non_trivial_runs(row(), in.view(), o, all_lengths.view(), item_of(of, 1)); }),
                {"non_trivial_runs", "shares"});
}

struct same_tens {
  ONEPASS_FUNCTION bool operator()(int a, int b) const { return a / 10 == b / 10; }
};

TEST(reduce_by_last_key, joins_the_values_of_a_run_and_gives_its_last_key)
{
  for (extent const n : some_sizes<witness>())
    for (extent const mean : mean_lengths) {
      auto const lengths = run_lengths(n, mean);
      std::vector<int> keys, last;
      std::vector<witness> values, expected;  // between runs there is a gap
      for (std::size_t r = 0; r < lengths.size(); ++r) {
        int const begin = int(values.size() + r);
        for (extent j = 0; j < lengths[r]; ++j) {
          keys.push_back(int(r) * 10 + int(j % 10));
          values.push_back(witness::of(begin + int(j), begin + int(j) + 1));
        }
        last.push_back(keys.back());
        expected.push_back(witness::of(begin, begin + int(lengths[r])));
      }
      faults const seen;
      guarded<int> const keys_in(keys), keys_out(n);
      guarded<witness> const in(values), sums(n);
      single<extent> const count(77);
      onepass::reduce_by_key<onepass::run_key::last>(row(), keys_in.view(), in.view(), keys_out.view(), sums.view(),
                                                     count.view(), join{seen.sink()}, same_tens{});
      ASSERT_EQ(seen.text(), "");
      ASSERT_EQ(count.value(), extent(lengths.size()));
      ASSERT_NO_FATAL_FAILURE(expect_compacted(keys_out, last));
      ASSERT_NO_FATAL_FAILURE(expect_compacted(sums, expected));
    }
  guarded<int> const keys(std::vector<int>{10, 11, 20}), values(std::vector<int>{1, 2, 3}), out(3), sums(3);
  single<int> const count;
  expect_says(refusal([&] {
                onepass::reduce_by_key<onepass::run_key::last>(row(), keys.view(), values.view(), keys.view(),
                                                               sums.view(), count.view());
              }),
              {"reduce_by_key", "shares"});
  onepass::reduce_by_key<onepass::run_key::first>(row(), keys.view(), values.view(), out.view(), sums.view(),
                                                  count.view(), onepass::plus{}, same_tens{});
  expect_compacted(out, {10, 20});
  expect_compacted(sums, {3, 3});
}

}  // namespace
