// SPDX-License-Identifier: Apache-2.0
// Functions that cost so much that a host's threads share few items, with a schedule left automatic.
#include "affine.hpp"
#include "guarded.hpp"
#include "row.hpp"

#include <onepass/count.hpp>
#include <onepass/each.hpp>
#include <onepass/partition.hpp>
#include <onepass/reduce.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <numeric>
#include <stdexcept>
#include <thread>

using namespace test;

namespace {

constexpr bool on_threads = std::is_same_v<onepass::backend_of<decltype(row())>, onepass::host_backend>;

auto here() { return row().by(onepass::schedule::automatic); }

KOKKOS_FUNCTION std::uint32_t slow_word(std::uint32_t word)
{
  for (int turn = 0; turn < 200; turn++) word = word * 1664525u + 1013904223u;
  return word;
}
KOKKOS_FUNCTION bool slowly_kept(std::uint32_t x) { return (slow_word(x) >> 20) % 3 != 0; }
KOKKOS_FUNCTION affine slow_map(std::uint32_t x) { return {slow_word(x) | 1, x}; }

/// Counts its calls, one counter an item.
struct kept_and_counted {
  unmanaged<std::uint32_t> calls;
  KOKKOS_FUNCTION bool operator()(std::uint32_t x) const
  {
    Kokkos::atomic_inc(&calls(x));
    return slowly_kept(x);
  }
};
struct to_map {
  KOKKOS_FUNCTION affine operator()(std::uint32_t x) const { return slow_map(x); }
};
struct map_of_position {
  unmanaged<std::uint32_t> calls;
  KOKKOS_FUNCTION affine operator()(extent i) const
  {
    Kokkos::atomic_inc(&calls(i));
    return slow_map(std::uint32_t(i));
  }
};
struct to_array {
  unmanaged<affine> out;
  KOKKOS_FUNCTION void operator()(extent i, affine const& x) const { out(i) = x; }
};

void expect_one_call_each(guarded<std::uint32_t> const& calls)
{
  if constexpr (on_threads) {
    for (auto const c : calls.items()) ASSERT_EQ(c, 1u);
  }
}
guarded<std::uint32_t> zeros(extent n) { return guarded(std::vector<std::uint32_t>(std::size_t(n), 0)); }

class dear_calls : public testing::TestWithParam<extent> {
protected:
  extent const n                         = GetParam();
  std::vector<std::uint32_t> const items = [this] {
    std::vector<std::uint32_t> all(static_cast<std::size_t>(n));
    std::iota(all.begin(), all.end(), 0u);
    return all;
  }();
  static constexpr int turns = on_threads ? 20 : 1;  // threads may come late

  /// The items that are kept, if `kept`, or the others.
  std::vector<std::uint32_t> those(bool kept) const
  {
    std::vector<std::uint32_t> some;
    std::copy_if(items.begin(), items.end(), std::back_inserter(some),
                 [&](std::uint32_t x) { return slowly_kept(x) == kept; });
    return some;
  }
  /// What is before each, and the total.
  std::vector<affine> maps(affine before) const
  {
    std::vector<affine> all{before};
    for (auto const x : items) all.push_back(compose{}(all.back(), slow_map(x)));
    return all;
  }
  static void expect_begins(guarded<std::uint32_t> const& out, std::vector<std::uint32_t> const& expected)
  {
    auto const got = out.items();
    ASSERT_TRUE(std::equal(expected.begin(), expected.end(), got.begin()));
    ASSERT_TRUE(out.canaries_alive());
  }
};
INSTANTIATE_TEST_SUITE_P(items, dear_calls, testing::Values(1, 31, 90, 300, 1000, 20000));

TEST_P(dear_calls, select_and_count)
{
  auto const kept = those(true), others = those(false);
  guarded<std::uint32_t> const in(items);
  for (int turn = 0; turn < turns; ++turn) {
    guarded<std::uint32_t> const out(n), rest(n), data(items);
    auto const calls = zeros(n), counted = zeros(n), parted = zeros(n), replaced = zeros(n);
    single<extent> const count;
    onepass::select_if(here(), in.view(), out.view(), count.view(), kept_and_counted{calls.view()});
    ASSERT_EQ(count.value(), extent(kept.size()));
    ASSERT_NO_FATAL_FAILURE(expect_begins(out, kept));
    onepass::count_if(here(), in.view(), count.view(), kept_and_counted{counted.view()});
    ASSERT_EQ(count.value(), extent(kept.size()));
    onepass::partition_if(here(), in.view(), out.view(), rest.view(), count.view(), kept_and_counted{parted.view()});
    ASSERT_EQ(count.value(), extent(kept.size()));
    ASSERT_NO_FATAL_FAILURE(expect_begins(out, kept));
    ASSERT_NO_FATAL_FAILURE(expect_begins(rest, others));
    for (auto const* each : {&calls, &counted, &parted}) ASSERT_NO_FATAL_FAILURE(expect_one_call_each(*each));
    if (onepass::takes_two_passes(here())) continue;
    onepass::select_if(here(), data.view(), data.view(), count.view(), kept_and_counted{replaced.view()});
    ASSERT_NO_FATAL_FAILURE(expect_begins(data, kept));
    ASSERT_NO_FATAL_FAILURE(expect_one_call_each(replaced));
  }
}

TEST_P(dear_calls, scan_and_reduce)
{
  affine const init{5, 7};
  auto const expected = maps(init);
  std::vector<affine> const before(expected.begin(), expected.end() - 1), through(expected.begin() + 1, expected.end());
  guarded<std::uint32_t> const in(items);
  for (int turn = 0; turn < turns; ++turn) {
    guarded<affine> const out(n), each(n);
    auto const calls = zeros(n);
    single<affine> const total;
    onepass::transform_inclusive_scan<affine>(here(), in.view(), out.view(), to_map{}, compose{}, init);
    ASSERT_TRUE(out.items() == through && out.canaries_alive());
    onepass::transform_reduce(here(), in.view(), total.view(), to_map{}, compose{}, init);
    ASSERT_EQ(total.value(), expected.back());
    onepass::scan_each(here(), n, map_of_position{calls.view()}, to_array{each.view()}, compose{}, init, total.view());
    ASSERT_TRUE(each.items() == before && each.canaries_alive());
    ASSERT_EQ(total.value(), expected.back());
    ASSERT_NO_FATAL_FAILURE(expect_one_call_each(calls));
  }
}

/// Counts calls by other threads than the one that calls.
struct slow_callers {
  std::thread::id caller;
  std::atomic<int>* others;

  KOKKOS_FUNCTION bool operator()(std::uint32_t x) const
  {
    KOKKOS_IF_ON_HOST((if (std::this_thread::get_id() != caller) others->fetch_add(1, std::memory_order_relaxed);))
    return slowly_kept(x);
  }
};

/// No single call can be asked for that: a thread that comes too late is done without, for some calls.
TEST(dear_calls_of_few_items, wake_threads)
{
  if (!on_threads || exec_space().concurrency() == 1) GTEST_SKIP();
  for (extent const n : {90, 1000}) {
    std::vector<std::uint32_t> const items(std::size_t(n), 1);
    guarded<std::uint32_t> const in(items);
    single<extent> const count;
    std::atomic<int> others = 0;
    for (int turn = 0; turn < 2000 && others == 0; ++turn)
      onepass::count_if(here(), in.view(), count.view(), slow_callers{std::this_thread::get_id(), &others});
    EXPECT_GT(others, 0) << "the calling thread did all " << n;
  }
}

/// Throws at one item.
struct throws_at {
  std::uint32_t item;

  KOKKOS_FUNCTION bool operator()(std::uint32_t x) const
  {
    KOKKOS_IF_ON_HOST((if (x == item) throw std::out_of_range("an item that is none");))
    return slowly_kept(x);
  }
};

/// Also where threads share them.
TEST(dear_calls_of_few_items, throw_what_a_function_throws)
{
  if constexpr (on_threads) {
    std::uint32_t const n = onepass::is_tiny<onepass::tuning_of<decltype(row())>> ? 90 : 1000;  // more are many there
    std::vector<std::uint32_t> items(n);
    std::iota(items.begin(), items.end(), 0u);
    guarded<std::uint32_t> const in(items), out(n);
    single<extent> const count;
    for (int turn = 0; turn < 50; ++turn)
      for (std::uint32_t const item : {0u, n / 10, n - n / 3, n - 1}) {
        throws_at const f{item};
        EXPECT_THROW(onepass::count_if(here(), in.view(), count.view(), f), std::out_of_range) << item;
        EXPECT_THROW(onepass::select_if(here(), in.view(), out.view(), count.view(), f), std::out_of_range) << item;
        onepass::count_if(here(), in.view(), count.view(), throws_at{n});
        EXPECT_GT(count.value(), 0);
      }
    EXPECT_TRUE(out.canaries_alive());
  }
}

}  // namespace
