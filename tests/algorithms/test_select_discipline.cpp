// SPDX-License-Identifier: Apache-2.0
// What compaction does besides its answer, and chains of calls whose sizes never come to the host.
#include "compaction.hpp"
#include "kernel_log.hpp"
#include "sizes.hpp"

#include <onepass/partition.hpp>
#include <onepass/reduce_by_key.hpp>
#include <onepass/run_length.hpp>
#include <onepass/scan_by_key.hpp>
#include <onepass/select.hpp>

#include <gtest/gtest.h>

#include <numeric>

using namespace test;

namespace {

using item = std::uint32_t;

/// select -> scan -> run lengths, each of as many items as the one before has left.
struct chain {
  extent n;
  std::vector<item> items = keyed_items<item>(n);
  guarded<item> in{items}, out{n}, sums{n}, symbols{n};
  guarded<int> lengths{n};
  single<extent> count, runs;

  explicit chain(extent size)
      : n(size)
  {}

  template <class Where>
  void call(Where const& where, unsigned limit)
  {
    onepass::select_if(where, in.view(), out.view(), count.view(), below{limit});
    auto const some = onepass::first(out.view(), count.view());
    onepass::inclusive_scan(where, some, sums.view(), onepass::maximum{});
    onepass::run_length_encode(where, onepass::first(sums.view(), count.view()), symbols.view(), lengths.view(),
                               runs.view());
  }
  void expect(unsigned limit) const
  {
    auto expected = kept(items, below{limit});
    auto greatest = expected;
    std::inclusive_scan(expected.begin(), expected.end(), greatest.begin(),
                        [](item a, item b) { return std::max(a, b); });
    std::vector<item> heads;
    std::vector<int> run;
    for (auto const x : greatest) {
      if (heads.empty() || heads.back() != x) heads.push_back(x), run.push_back(0);
      ++run.back();
    }
    ASSERT_EQ(count.value(), extent(expected.size()));
    ASSERT_EQ(runs.value(), extent(heads.size()));
    ASSERT_NO_FATAL_FAILURE(expect_compacted(sums, greatest));
    ASSERT_NO_FATAL_FAILURE(expect_compacted(symbols, heads));
    ASSERT_NO_FATAL_FAILURE(expect_compacted(lengths, run));
  }
};

TEST(select_chain, takes_its_sizes_from_the_device)
{
  for (extent const n : edge_sizes<item>())
    for (unsigned const limit : limits) {
      SCOPED_TRACE("n = " + std::to_string(n) + ", limit " + std::to_string(limit));
      chain calls(n);
      calls.call(row(), limit);
      ASSERT_NO_FATAL_FAILURE(calls.expect(limit));
    }
}

TEST(select_discipline, waits_for_nothing_allocates_nothing_and_stays_on_its_instance)
{
  for (auto const& mine : Kokkos::Experimental::partition_space(exec_space{}, 1, 1)) {
    chain calls(many_tiles<item>());
    guarded<item> const others(calls.n), third(calls.n);
    onepass::workspace<exec_space> scratch(mine);
    auto const call = [&] {
      auto const here = row(mine).with(scratch);
      onepass::partition_if(here, calls.in.view(), others.view(), third.view(), calls.count.view(), below{9});
      onepass::partition_if_into_one(here, calls.in.view(), others.view(), calls.count.view(), below{9});
      onepass::reduce_by_key(here, calls.in.view(), calls.in.view(), others.view(), third.view(), calls.runs.view());
      onepass::exclusive_scan_by_key(here, calls.in.view(), calls.in.view(), third.view());
    };
    expect_discipline_of(call, mine);
  }
}

TEST(select_discipline, uses_a_workspace_again_for_calls_of_all_kinds)
{
  onepass::workspace<exec_space> scratch(exec_space{});
  scratch.set_epoch(onepass::epoch::last - 10);
  for (int repetition = 0; repetition < 4; ++repetition)
    for (extent const n : some_sizes<item>()) {
      chain calls(n);
      calls.call(row().with(scratch), 128);
      ASSERT_NO_FATAL_FAILURE(calls.expect(128));
    }
}

TEST(select_discipline, labels_its_kernels)
{
  chain calls(many_tiles<item>());
  onepass::workspace<exec_space> scratch(exec_space{}, 1 << 24);
  kernel_log const log;
  calls.call(row().with(scratch).named("compaction"), 128);
  onepass::partition_if_into_one(row().with(scratch).named("compaction"), calls.in.view(), calls.out.view(),
                                 calls.count.view(), below{9});
  for (auto const& kernel : log.kernels) EXPECT_NE(kernel.label.find("compaction"), std::string::npos) << kernel.label;
}

TEST(select_refuses, views_that_overlap_without_being_the_same)
{
  auto const items = keyed_items<item>(1001);
  guarded<item> const data(items);
  single<extent> const count(77);
  unmanaged<item> const low  = Kokkos::subview(data.view(), std::pair(0, 1000));
  unmanaged<item> const high = Kokkos::subview(data.view(), std::pair(1, 1001));
  expect_says(refusal([&] { onepass::select_if(row(), low, high, count.view(), below{9}); }), {"select_if", "overlap"});
  expect_says(refusal([&] { onepass::select_if(row(), high, low, count.view(), below{9}); }), {"select_if", "overlap"});
  EXPECT_TRUE(data.items() == items);
  EXPECT_EQ(count.value(), 77);
}

TEST(select_refuses, a_count_inside_items)
{
  auto const items = keyed_items<item>(1000);
  guarded<item> const data(items), out(1000);
  for (auto const& of : {data.view(), out.view()}) {
    auto const count = item_of(of, 500);
    expect_says(refusal([&] { onepass::select_if(row(), data.view(), out.view(), count, below{9}); }),
                {"select_if", "shares"});
    expect_says(refusal([&] { onepass::select_indices(row(), data.view(), out.view(), count, below{9}); }),
                {"select_indices", "shares"});
  }
  EXPECT_TRUE(data.items() == items && out.untouched());
}

}  // namespace
