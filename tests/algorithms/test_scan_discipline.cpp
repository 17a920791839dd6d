// SPDX-License-Identifier: Apache-2.0
// What a call does besides its answer: where it runs, what it waits for, what it allocates, what it leaves behind.
#include "guarded.hpp"
#include "inputs.hpp"
#include "kernel_log.hpp"
#include "refusal.hpp"
#include "sizes.hpp"
#include "witness.hpp"

#include <onepass/reduce.hpp>
#include <onepass/scan.hpp>

#include <gtest/gtest.h>

#include <numeric>

using namespace test;

namespace {

using workspace = onepass::workspace<exec_space>;

TEST(scan_discipline, waits_for_nothing_allocates_nothing_and_stays_on_its_instance)
{
  auto const instances = Kokkos::Experimental::partition_space(exec_space{}, 1, 1);
  for (extent const n : some_sizes<int>())
    for (auto const& mine : instances) {
      guarded<int> const in(std::vector<int>(std::size_t(n), 1)), out(n);
      single<int> const total;
      workspace scratch(mine);
      auto const call = [&] {
        onepass::exclusive_scan(row(mine).with(scratch), in.view(), out.view(), onepass::plus{}, 0, total.view());
        onepass::inclusive_scan(row(mine).with(scratch), out.view(), out.view(), onepass::maximum{});
        onepass::reduce(row(mine).with(scratch), out.view(), total.view(), onepass::maximum{});
      };
      SCOPED_TRACE("n = " + std::to_string(n));
      expect_discipline_of(call, mine);
      EXPECT_EQ(total.value(), n - 1);
    }
}

TEST(scan_discipline, labels_its_kernels_and_allocations)
{
  extent const n = some_sizes<int>().back();
  guarded<int> const in(std::vector<int>(std::size_t(n), 1)), out(n);
  for (std::string const label : {"offsets", "onepass::inclusive_scan"}) {
    onepass::release_workspaces();
    kernel_log const log;
    onepass::inclusive_scan(label == "offsets" ? row().named(label) : row(), in.view(), out.view());
    for (auto const& kernel : log.kernels)
      if (!kernel.label.starts_with("Kokkos::")) { EXPECT_TRUE(kernel.label.starts_with(label)) << kernel.label; }
    for (auto const& allocation : log.allocations) EXPECT_TRUE(allocation.starts_with(label)) << allocation;
  }
}

TEST(scan_discipline, without_a_workspace_allocates_in_the_first_call_alone)
{
  onepass::keep_workspaces(std::size_t(64) << 20);  // main.cpp keeps none where the address sanitizer looks
  for (extent const n : some_sizes<int>()) {
    guarded<int> const in(std::vector<int>(std::size_t(n), 1)), out(n);
    single<int> const total;
    SCOPED_TRACE("n = " + std::to_string(n));
    expect_discipline_of(
        [&] { onepass::exclusive_scan(row(), in.view(), out.view(), onepass::plus{}, 0, total.view()); }, exec_space{});
    EXPECT_EQ(total.value(), n);
  }
}

template <class T>
void expect_sums(workspace& scratch, extent n, std::uint64_t salt)
{
  auto const items = random_items<T>(n, salt);
  auto expected    = items;
  std::inclusive_scan(items.begin(), items.end(), expected.begin(), [](T a, T b) { return static_cast<T>(a + b); });
  guarded<T> const in(items), out(n);
  onepass::inclusive_scan(row().with(scratch), in.view(), out.view());
  ASSERT_EQ(out.items(), expected) << "n = " << n << ", call " << salt;
}

void expect_intervals(workspace& scratch, extent n)
{
  faults const seen;
  guarded<large_interval> const in(neighbours<large_interval>(n)), out(n);
  onepass::inclusive_scan(row().with(scratch), in.view(), out.view(), join{seen.sink()});
  EXPECT_EQ(seen.text(), "") << "n = " << n;
  auto const got = out.items();
  for (extent i = 0; i < n; ++i) ASSERT_EQ(got[std::size_t(i)], large_interval::of(0, std::int32_t(i + 1)));
}

/// Calls of different types and sizes after one another, none of them told of the others.
void use_in_turn(workspace& scratch, int calls)
{
  auto const large = some_sizes<large_interval>(), wide = some_sizes<std::int64_t>(),
             narrow = some_sizes<std::uint8_t>();
  for (int call = 0; call < calls; ++call) {
    auto const at = std::size_t(call) / 3;
    if (call % 3 == 0) expect_sums<std::uint8_t>(scratch, narrow[at % narrow.size()], std::uint64_t(call));
    if (call % 3 == 1) expect_sums<std::int64_t>(scratch, wide[at % wide.size()], std::uint64_t(call));
    if (call % 3 == 2) expect_intervals(scratch, large[at % large.size()]);
  }
}

TEST(scan_workspace, serves_calls_of_any_type_and_size_one_after_another)
{
  workspace scratch(exec_space{});
  use_in_turn(scratch, 100);
}

TEST(scan_workspace, lives_through_the_wrap_around_of_its_epoch)
{
  workspace scratch(exec_space{}, 1 << 20);
  scratch.set_epoch(onepass::epoch::last - 10);
  use_in_turn(scratch, 36);
}

TEST(scan_workspace, does_not_mind_what_the_memory_of_the_user_held)
{
  guarded<unsigned char> const garbage(std::vector<unsigned char>(1 << 20, 0xff), 3);
  workspace scratch(exec_space{}, garbage.view());
  use_in_turn(scratch, 12);
  EXPECT_TRUE(garbage.canaries_alive());
}

TEST(scan_workspace, that_is_too_small_and_may_not_grow_is_refused_with_the_bytes_it_needs)
{
  onepass::backends::host::crowd::rest const rest;  // one thread alone needs none
  guarded<unsigned char> const memory(160);
  workspace scratch(exec_space{}, memory.view());
  extent const n = some_sizes<std::int64_t>().back();
  guarded<std::int64_t> const in(random_items<std::int64_t>(n)), out(n);
  if (std::is_same_v<ONEPASS_ROW_BACKEND, onepass::serial_backend>) GTEST_SKIP() << "needs no workspace";
  auto const said = refusal([&] { onepass::inclusive_scan(row().with(scratch), in.view(), out.view()); });
  EXPECT_NE(said.find("bytes"), std::string::npos) << said;
  EXPECT_NE(said.find(std::to_string(scratch.bytes())), std::string::npos) << said;
  EXPECT_TRUE(out.untouched());
}

TEST(scan_workspace, of_a_refused_call_serves_the_next_one)
{
  guarded<unsigned char> const memory(4096);
  workspace scratch(exec_space{}, memory.view());
  extent const n = some_sizes<std::int64_t>().back() * 10;
  guarded<std::int64_t> const in(n), out(n);
  refusal([&] { onepass::inclusive_scan(row().with(scratch), in.view(), out.view()); });
  expect_sums<std::int64_t>(scratch, 67, 1);
}

TEST(scan_refuses, an_output_that_is_too_short)
{
  guarded<int> const in(std::vector<int>(1000, 1)), out(999);
  auto const said = refusal([&] { onepass::exclusive_scan(row(), in.view(), out.view()); });
  for (char const* part : {"exclusive_scan", "1000", "999"}) EXPECT_NE(said.find(part), std::string::npos) << said;
  EXPECT_TRUE(out.untouched());
}

TEST(scan_refuses, views_that_overlap_without_being_the_same)
{
  std::vector<int> const items(1001, 1);
  guarded<int> const data(items);
  auto const low  = Kokkos::subview(data.view(), std::pair(0, 1000)),
             high = Kokkos::subview(data.view(), std::pair(1, 1001));
  for (auto const& said : {refusal([&] { onepass::inclusive_scan(row(), low, high); }),
                           refusal([&] { onepass::inclusive_scan(row(), high, low); })})
    for (char const* part : {"inclusive_scan", "overlap"}) EXPECT_NE(said.find(part), std::string::npos) << said;
  EXPECT_EQ(data.items(), items);
}

TEST(scan_refuses, strided_views_that_overlap_without_being_the_same)
{
  extent const n = 300;
  std::vector<int> ones(std::size_t(3 * n), 1);
  guarded<int> const data(ones);
  using matrix = Kokkos::View<int**, Kokkos::LayoutRight, memory_space, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
  matrix const m(data.view().data(), n, 3);
  auto const from = [&](int first, int column) {
    return Kokkos::subview(m, std::pair(first, int(n) - 1 + first), column);
  };
  for (auto const& said : {refusal([&] { onepass::inclusive_scan(row(), from(0, 1), from(1, 1)); }), refusal([&] {
                             onepass::inclusive_scan(row(), Kokkos::subview(data.view(), std::pair(0, 50)), from(0, 2));
                           }),
                           refusal([&] {
                             onepass::inclusive_scan(row(), Kokkos::subview(m, Kokkos::ALL, std::pair(0, 2)),
                                                     Kokkos::subview(m, Kokkos::ALL, std::pair(1, 3)));
                           })})
    EXPECT_NE(said.find("overlap"), std::string::npos) << said;
  EXPECT_EQ(data.items(), ones);

  // Columns beside each other are apart, and a column may be scanned where it is.
  onepass::inclusive_scan(row(), Kokkos::subview(m, Kokkos::ALL, 0), Kokkos::subview(m, Kokkos::ALL, 2));
  onepass::inclusive_scan(row(), Kokkos::subview(m, Kokkos::ALL, 0), Kokkos::subview(m, Kokkos::ALL, 0));
  for (extent i = 0; i < n; ++i) ones[std::size_t(3 * i)] = ones[std::size_t(3 * i + 2)] = int(i + 1);
  EXPECT_EQ(data.items(), ones);
  EXPECT_TRUE(data.canaries_alive());
}

TEST(scan_refuses, the_same_memory_as_items_of_another_size)
{
  std::vector<std::uint32_t> const items(1000, 1);
  guarded<std::uint32_t> const data(items);
  unmanaged<std::uint8_t> const bytes(reinterpret_cast<std::uint8_t*>(data.view().data()), 1000);
  EXPECT_NE(refusal([&] { onepass::inclusive_scan(row(), bytes, data.view()); }).find("overlap"), std::string::npos);
  EXPECT_EQ(data.items(), items);
}

}  // namespace
