// SPDX-License-Identifier: Apache-2.0
// Runs: unique, run_length_encode, reduce_by_key and scans by key.
#include "compaction.hpp"
#include "sizes.hpp"
#include "witness.hpp"

#include <onepass/reduce_by_key.hpp>
#include <onepass/run_length.hpp>
#include <onepass/scan_by_key.hpp>
#include <onepass/unique.hpp>

#include <gtest/gtest.h>

using namespace test;

namespace {

using key     = std::uint32_t;
using witness = interval<48>;  ///< beside a count and a flag the largest sum that a tile can publish

/// Keys in runs of a mean length, and what a plain loop makes of them. No key comes twice.
struct runs_of {
  std::vector<extent> lengths;
  std::vector<key> keys, heads;

  runs_of(extent n, extent mean)
      : lengths(run_lengths(n, mean))
      , keys(items_of_runs<key>(lengths, [](extent, extent r) { return of_run(r); }))
  {
    for (std::size_t r = 0; r < lengths.size(); ++r) heads.push_back(of_run(extent(r)));
  }
  extent count() const { return extent(lengths.size()); }

private:
  static key of_run(extent r) { return key(r) * 2654435761u; }
};

/// Calls f(n, runs) for edge sizes and every mean length of runs.
template <class... Items, class F>
void for_all_runs(F const& f)
{
  for (extent const n : edge_sizes<Items...>())
    for (extent const mean : mean_lengths) {
      SCOPED_TRACE("n = " + std::to_string(n) + ", mean length " + std::to_string(mean));
      f(n, runs_of(n, mean));
      if (testing::Test::HasFatalFailure()) return;
    }
}

TEST(unique, keeps_the_head_of_every_run)
{
  for_all_runs<key>([](extent n, runs_of const& runs) {
    guarded<key> const in(runs.keys), out(n, 1), data(runs.keys);
    single<extent> const count(77);
    onepass::unique(row(), in.view(), out.view(), count.view());
    ASSERT_EQ(count.value(), runs.count());
    expect_compacted(out, runs.heads);
    if (two_pass) return;
    onepass::unique(row(), data.view(), data.view(), count.view());
    expect_compacted(data, runs.heads, runs.keys);
  });
}

struct same_key {
  ONEPASS_FUNCTION bool operator()(triple const& a, triple const& b) const { return a.key == b.key; }
};

/// So many items of 12 bytes as hosts list where flags come as they like, and take one after another where not.
TEST(unique, of_wide_items_follows_runs_that_become_short_and_long)
{
  std::vector<triple> items, heads;
  auto const add = [&](int runs, int length) {
    for (int r = 0; r < runs; ++r)
      for (int j = 0; j < length; ++j) {
        items.push_back({std::uint32_t(heads.size() + (j == 0 ? 1 : 0)), std::uint32_t(items.size()), 5});
        if (j == 0) heads.push_back(items.back());
      }
  };
  for (int turn = 0; turn < 3; ++turn)  // all different, alike, some of each, short
    add(5000, 1), add(1, 2500), add(800, 3), add(1300, 1), add(1, 1000), add(100, 11 + turn), add(20, 30);
  ASSERT_GT(items.size(), 32768U);
  ASSERT_LT(items.size() * sizeof(triple), 512U * 1024);
  for (std::size_t const room : {items.size(), heads.size(), std::size_t(7001), std::size_t(1)}) {
    guarded<triple> const in(items), out{extent(room), 1};
    single<extent> const count;
    onepass::unique(row(), in.view(), out.view(), count.view(), same_key{});
    EXPECT_EQ(count.value(), extent(heads.size()));
    expect_compacted(out,
                     std::vector<triple>(heads.begin(), heads.begin() + std::ptrdiff_t(std::min(room, heads.size()))));
  }
  if (two_pass) return;
  guarded<triple> const data(items);
  single<extent> const count;
  onepass::unique(row(), data.view(), data.view(), count.view(), same_key{});
  EXPECT_EQ(count.value(), extent(heads.size()));
  expect_compacted(data, heads, items);
}

TEST(unique_by_key, keeps_the_value_beside_every_head)
{
  for_all_runs<key, triple>([](extent n, runs_of const& runs) {
    auto const beside = keyed_items<triple>(n);
    std::vector<triple> expected;
    extent begin = 0;
    for (extent const length : runs.lengths) expected.push_back(beside[std::size_t(begin)]), begin += length;
    guarded<key> const keys(runs.keys), keys_out(n);
    guarded<triple> const values(beside), values_out(n);
    single<int> const count;
    onepass::unique_by_key(row(), keys.view(), values.view(), keys_out.view(), values_out.view(), count.view());
    ASSERT_EQ(count.value(), int(runs.count()));
    expect_compacted(keys_out, runs.heads);
    expect_compacted(values_out, expected);
  });
}

TEST(run_length_encode, gives_every_run_and_its_length)
{
  for_all_runs<key, extent>([](extent n, runs_of const& runs) {
    guarded<key> const in(runs.keys), symbols(n, 3);
    guarded<extent> const lengths(n, 1);
    single<unsigned> const count(77);
    onepass::run_length_encode(row(), in.view(), symbols.view(), lengths.view(), count.view());
    ASSERT_EQ(count.value(), unsigned(runs.count()));
    expect_compacted(symbols, runs.heads);
    expect_compacted(lengths, runs.lengths);
    unsigned variable = 77;
    onepass::run_length_encode(row(), in.view(), symbols.view(), lengths.view(), variable);
    ASSERT_EQ(variable, unsigned(runs.count()));
  });
}

TEST(run_length_encode, empty_views_are_not_in_place)
{
  using memory = exec_space::memory_space;
  Kokkos::View<key*, memory> const none;  // no address, as that of every other empty View
  Kokkos::View<extent*, memory> const lengths;
  single<unsigned> const count;
  EXPECT_EQ(refusal([&] { onepass::run_length_encode(row(), none, none, lengths, count.view()); }), "");
  EXPECT_EQ(refusal([&] { onepass::unique(row(), none, none, count.view()); }), "");
}

TEST(run_length_encode, is_right_in_place)
{
  for (extent const n : some_sizes<key>())
    for (extent const mean : mean_lengths) {
      runs_of const runs(n, mean);
      guarded<key> const data(runs.keys);
      guarded<extent> const lengths(n);
      single<unsigned> const count;
      auto const said =
          refusal([&] { onepass::run_length_encode(row(), data.view(), data.view(), lengths.view(), count.view()); });
      if (two_pass && n > 0) expect_says(said, {"run_length_encode", "in place", "another schedule"});
      else {
        ASSERT_EQ(said, "");
        ASSERT_NO_FATAL_FAILURE(expect_compacted(data, runs.heads, runs.keys));
        ASSERT_NO_FATAL_FAILURE(expect_compacted(lengths, runs.lengths));
      }
    }
}

TEST(run_length_encode, counts_on_where_the_outputs_are_full)
{
  extent const n = many_tiles<extent>();
  runs_of const runs(n, 3);
  guarded<key> const in(runs.keys);
  for (extent const room : {extent(0), extent(1), runs.count() / 2, runs.count() - 1}) {
    guarded<key> const symbols(room);
    guarded<extent> const lengths(room, 1);
    single<unsigned> const count;
    onepass::run_length_encode(row(), in.view(), symbols.view(), lengths.view(), count.view());
    EXPECT_EQ(count.value(), unsigned(runs.count()));
    ASSERT_NO_FATAL_FAILURE(expect_compacted(symbols, runs.heads));
    ASSERT_NO_FATAL_FAILURE(expect_compacted(lengths, runs.lengths));
  }
}

TEST(by_key, counts_on_where_the_outputs_are_full)
{
  extent const n = many_tiles<extent>();
  runs_of const runs(n, 3);
  auto const values = items_of_runs<int>(runs.lengths, [](extent i, extent) { return int(i); });
  std::vector<int> firsts, sums;
  extent begin = 0;
  for (extent const length : runs.lengths) {
    firsts.push_back(int(begin));
    sums.push_back(int(length * begin + length * (length - 1) / 2));
    begin += length;
  }
  guarded<key> const keys(runs.keys);
  guarded<int> const in(values);
  for (extent const room : {extent(0), extent(1), runs.count() / 2, runs.count() - 1})
    for (extent const other : {room, runs.count()}) {  // either output may be the shorter one
      guarded<key> const keys_out(room), more_keys(other);
      guarded<int> const values_out(other, 1), sums_out(room);
      single<extent> const count, again;
      onepass::unique_by_key(row(), keys.view(), in.view(), keys_out.view(), values_out.view(), count.view());
      onepass::reduce_by_key(row(), keys.view(), in.view(), more_keys.view(), sums_out.view(), again.view());
      EXPECT_EQ(count.value(), runs.count());
      EXPECT_EQ(again.value(), runs.count());
      ASSERT_NO_FATAL_FAILURE(expect_compacted(keys_out, runs.heads));
      ASSERT_NO_FATAL_FAILURE(expect_compacted(more_keys, runs.heads));
      ASSERT_NO_FATAL_FAILURE(expect_compacted(values_out, firsts));
      ASSERT_NO_FATAL_FAILURE(expect_compacted(sums_out, sums));
    }
}

TEST(reduce_by_key, joins_the_values_of_a_run_in_order_and_no_others)
{
  for_all_runs<key, witness>([](extent n, runs_of const& runs) {
    // Between runs there is a gap, so that a join across one is seen.
    auto const values = items_of_runs<witness>(
        runs.lengths, [](extent i, extent r) { return witness::of(int(i + r), int(i + r + 1)); });
    std::vector<witness> expected;
    extent end = 0;
    for (extent const length : runs.lengths) {
      auto const r = extent(expected.size());
      end += length;
      expected.push_back(witness::of(int(end - length + r), int(end + r)));
    }
    faults const seen;
    guarded<key> const keys(runs.keys), keys_out(n);
    guarded<witness> const in(values), sums(n);
    single<extent> const count(77);
    onepass::reduce_by_key(row(), keys.view(), in.view(), keys_out.view(), sums.view(), count.view(),
                           join{seen.sink()});
    EXPECT_EQ(seen.text(), "");
    ASSERT_EQ(count.value(), runs.count());
    expect_compacted(keys_out, runs.heads);
    expect_compacted(sums, expected);
  });
}

TEST(reduce_by_key, adds_in_place_of_its_keys)
{
  extent const n = many_tiles<double>();
  runs_of const runs(n, 32);
  guarded<key> const keys(runs.keys), keys_out(n);
  guarded<std::uint8_t> const ones(std::vector<std::uint8_t>(std::size_t(n), 1));
  guarded<double> const sums(n);
  single<extent> const count;
  auto const& to = two_pass ? keys_out : keys;
  onepass::reduce_by_key(row(), keys.view(), ones.view(), to.view(), sums.view(), count.view());
  expect_compacted(to, runs.heads, two_pass ? std::vector<key>{} : runs.keys);
  expect_compacted(sums, std::vector<double>(runs.lengths.begin(), runs.lengths.end()));
}

TEST(reduce_by_key, follows_runs_that_become_short_and_long)
{
  std::vector<key> keys, heads;
  std::vector<std::uint32_t> sums;
  auto const add = [&](int runs, int length) {
    for (int r = 0; r < runs; ++r) {
      heads.push_back(key(heads.size() * 7 + 1));
      keys.insert(keys.end(), std::size_t(length), heads.back());
      sums.push_back(std::uint32_t(length));
    }
  };
  for (int turn = 0; turn < 3; ++turn)  // all different, long, some of each, short
    add(700, 1), add(3, 900), add(20, 70), add(130, 1), add(1, 129), add(200, 3), add(1, 127 + turn);
  for (std::size_t const room : {heads.size(), std::size_t(1000), std::size_t(1)})
    for (bool const in_place : {false, true}) {
      if (in_place && two_pass) continue;
      SCOPED_TRACE("room for " + std::to_string(room) + (in_place ? ", in place" : ""));
      guarded<key> const in(keys), apart{extent(room)};
      guarded<std::uint32_t> const ones(std::vector<std::uint32_t>(keys.size(), 1)), out{extent(room)};
      single<extent> const count;
      auto const call = [&](auto const& to) {
        onepass::reduce_by_key(row(), in.view(), ones.view(), to, out.view(), count.view());
      };
      if (in_place) call(in.view());
      else call(apart.view());
      EXPECT_EQ(count.value(), extent(heads.size()));
      if (in_place) expect_compacted(in, heads, keys);
      else expect_compacted(apart, std::vector<key>(heads.begin(), heads.begin() + std::ptrdiff_t(room)));
      expect_compacted(out, std::vector<std::uint32_t>(sums.begin(), sums.begin() + std::ptrdiff_t(room)));
    }
}

/// value(j) for item j of every run.
template <class Value>
std::vector<witness> in_each(runs_of const& runs, Value const& value)
{
  std::vector<witness> items;
  for (extent const length : runs.lengths)
    for (int j = 0; j < int(length); ++j) items.push_back(value(j));
  return items;
}
std::vector<witness> numbered(runs_of const& runs)
{
  return in_each(runs, [](int j) { return witness::of(j, j + 1); });
}

TEST(inclusive_scan_by_key, joins_within_every_run_alone)
{
  for_all_runs<key, witness>([](extent n, runs_of const& runs) {
    faults const seen;
    guarded<key> const keys(runs.keys);
    guarded<witness> const in(numbered(runs)), out(n);
    onepass::inclusive_scan_by_key(row(), keys.view(), in.view(), out.view(), join{seen.sink()});
    EXPECT_EQ(seen.text(), "");
    expect_compacted(out, in_each(runs, [](int j) { return witness::of(0, j + 1); }));
  });
}

TEST(exclusive_scan_by_key, begins_every_run_with_the_init)
{
  for_all_runs<key, witness>([](extent, runs_of const& runs) {
    faults const seen;
    guarded<key> const keys(runs.keys);
    guarded<witness> const data(numbered(runs));  // in place
    onepass::exclusive_scan_by_key(row(), keys.view(), data.view(), data.view(), join{seen.sink()}, witness::of(-1, 0));
    EXPECT_EQ(seen.text(), "");
    expect_compacted(data, in_each(runs, [](int j) { return witness::of(-1, j); }));
  });
}

TEST(runs_refuse, too_few_values_and_too_little_room)
{
  guarded<int> const keys(std::vector<int>(1000, 1)), few(std::vector<int>(999, 1)), out(1000), more(1000);
  single<extent> const count(77);
  auto const c = count.view();
  expect_says(refusal([&] { onepass::unique_by_key(row(), keys.view(), few.view(), out.view(), more.view(), c); }),
              {"unique_by_key", "999 values for 1000 keys"});
  expect_says(refusal([&] { onepass::reduce_by_key(row(), keys.view(), few.view(), out.view(), more.view(), c); }),
              {"reduce_by_key", "999 values for 1000 keys"});
  expect_says(refusal([&] { onepass::exclusive_scan_by_key(row(), keys.view(), few.view(), out.view()); }),
              {"exclusive_scan_by_key", "999 values for 1000 keys"});
  unmanaged<int> const small = Kokkos::subview(out.view(), std::pair(0, 999));
  expect_says(refusal([&] { onepass::inclusive_scan_by_key(row(), keys.view(), keys.view(), small); }),
              {"inclusive_scan_by_key", "999 items", "1000"});
  EXPECT_TRUE(out.untouched() && more.untouched());
  EXPECT_EQ(count.value(), 77);
}

TEST(runs_refuse, outputs_that_share_memory)
{
  auto const items = keyed_items<std::uint32_t>(1000);
  guarded<std::uint32_t> const data(items), more(items), out(1000);
  single<extent> const count(77);
  auto const in = data.view(), values = more.view(), to = out.view();
  unmanaged<std::uint32_t> const low  = Kokkos::subview(in, std::pair(0, 999)),
                                 high = Kokkos::subview(in, std::pair(1, 1000));
  unmanaged<std::uint32_t> const keys = Kokkos::subview(values, std::pair(0, 999));
  auto const c                        = count.view();

  expect_says(refusal([&] { onepass::unique(row(), low, high, c); }), {"unique", "overlap"});
  expect_says(refusal([&] { onepass::unique_by_key(row(), in, values, to, values, c); }), {"unique_by_key", "shares"});
  expect_says(refusal([&] { onepass::unique_by_key(row(), in, values, to, in, c); }), {"unique_by_key", "shares"});
  expect_says(refusal([&] { onepass::unique_by_key(row(), in, values, to, to, c); }), {"unique_by_key", "shares"});
  expect_says(refusal([&] { onepass::run_length_encode(row(), low, high, to, c); }), {"run_length_encode", "overlap"});
  expect_says(refusal([&] { onepass::run_length_encode(row(), in, to, in, c); }), {"run_length_encode", "shares"});
  expect_says(refusal([&] { onepass::run_length_encode(row(), in, to, to, c); }), {"run_length_encode", "shares"});
  expect_says(refusal([&] { onepass::reduce_by_key(row(), in, values, to, values, c); }), {"reduce_by_key", "shares"});
  expect_says(refusal([&] { onepass::reduce_by_key(row(), in, values, values, to, c); }), {"reduce_by_key", "shares"});
  expect_says(refusal([&] { onepass::reduce_by_key(row(), in, values, to, in, c); }), {"reduce_by_key", "shares"});
  expect_says(refusal([&] { onepass::reduce_by_key(row(), in, values, to, to, c); }), {"reduce_by_key", "shares"});
  expect_says(refusal([&] { onepass::inclusive_scan_by_key(row(), in, values, in); }),
              {"inclusive_scan_by_key", "shares"});
  expect_says(refusal([&] { onepass::exclusive_scan_by_key(row(), keys, low, high); }),
              {"exclusive_scan_by_key", "overlap"});

  EXPECT_TRUE(data.items() == items && more.items() == items && out.untouched());
  EXPECT_EQ(count.value(), 77);
}

TEST(runs_refuse, outputs_where_the_number_of_items_is)
{
  guarded<int> const data(std::vector<int>(100, 1));
  guarded<extent> const words(std::vector<extent>(100, 70)), more(100);
  single<extent> const count(77);
  auto const some = onepass::first(data.view(), item_of(words.view(), 3));
  auto const w = words.view(), m = more.view();
  auto const c      = count.view();
  auto const encode = [&](auto const&... out) {
    expect_says(refusal([&] { onepass::run_length_encode(row(), some, out..., c); }), {"run_length_encode", "shares"});
  };
  auto const long_runs = [&](auto const&... out) {
    expect_says(refusal([&] { onepass::non_trivial_runs(row(), some, out..., c); }), {"non_trivial_runs", "shares"});
  };
  auto const reduce = [&](auto const&... out) {
    expect_says(refusal([&] { onepass::reduce_by_key(row(), some, data.view(), out..., c); }),
                {"reduce_by_key", "shares"});
  };
  encode(w, m), encode(m, w), long_runs(w, m), long_runs(m, w), reduce(w, m), reduce(m, w);
  EXPECT_EQ(words.items(), std::vector<extent>(100, 70));
  EXPECT_TRUE(more.untouched());
  EXPECT_EQ(count.value(), 77);
}

TEST(runs_refuse, counts_inside_items)
{
  auto const items = keyed_items<std::uint32_t>(1000);
  guarded<std::uint32_t> const data(items), more(items), out(1000), other(1000);
  auto const in = data.view(), values = more.view(), to = out.view(), beside = other.view();
  for (auto const& of : {in, to, beside}) {
    auto const c = item_of(of, 5);
    expect_says(refusal([&] { onepass::unique_by_key(row(), in, values, to, beside, c); }),
                {"unique_by_key", "shares"});
    expect_says(refusal([&] { onepass::run_length_encode(row(), in, to, beside, c); }),
                {"run_length_encode", "shares"});
    expect_says(refusal([&] { onepass::reduce_by_key(row(), in, values, to, beside, c); }),
                {"reduce_by_key", "shares"});
  }
  auto const c = item_of(values, 999);
  expect_says(refusal([&] { onepass::reduce_by_key(row(), in, values, to, beside, c); }), {"reduce_by_key", "shares"});
  expect_says(refusal([&] { onepass::unique(row(), in, to, item_of(to, 0)); }), {"unique", "shares"});
  EXPECT_TRUE(data.items() == items && more.items() == items && out.untouched() && other.untouched());
}

}  // namespace
