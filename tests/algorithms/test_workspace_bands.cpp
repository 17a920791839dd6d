// SPDX-License-Identifier: Apache-2.0
// Calls keep to the workspace that they ask for: the least memory that each takes, between poisoned bands, its plain
// memory full of poison. Bands begin at each of 32 words, since plain memory is aligned: at one of them it ends 15
// bytes or less before the band.
#include "guarded.hpp"
#include "inputs.hpp"
#include "refusal.hpp"

#include <onepass/merge_sort.hpp>
#include <onepass/radix_sort.hpp>
#include <onepass/run_length.hpp>
#include <onepass/scan.hpp>
#include <onepass/scatter.hpp>
#include <onepass/segmented.hpp>
#include <onepass/select.hpp>
#include <onepass/sort_by_cell.hpp>
#include <onepass/summed_area_table.hpp>
#include <onepass/top_k.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <functional>

using namespace test;

namespace {

using item      = std::uint32_t;
using words     = Kokkos::View<std::uint64_t*, memory_space>;
using workspace = onepass::workspace<exec_space>;
using call      = std::function<void(workspace&)>;

struct odd {
  KOKKOS_FUNCTION bool operator()(item x) const { return x % 2 == 1; }
};

/// What a call takes at least.
struct demand {
  extent words    = 0;
  bool with_plain = false;  ///< some of it is plain memory
};

demand least(call const& f)
{
  workspace growing(exec_space{});
  f(growing);
  demand found{extent(growing.bytes() / sizeof(std::uint64_t)) + 64};
  words const all("memory", std::size_t(found.words));
  auto const part = [&](extent size) { return Kokkos::subview(all, std::pair<extent, extent>(0, size)); };
  for (extent too_few = 0; found.words - too_few > 1;) {
    auto const some                        = (too_few + found.words) / 2;
    auto const fits                        = refusal([&] {
      workspace scratch(exec_space{}, part(some));
      f(scratch);
    });
    (fits.empty() ? found.words : too_few) = some;
  }
  found.with_plain = refusal([&] {  // if it had none before, what it takes now is missing in the second call
                       workspace scratch(exec_space{}, part(found.words));
                       f(scratch), scratch.plain(1), f(scratch);
                     })
                         .empty();
  return found;
}

void expect_to_keep_to_it(char const* name, guarded<item> const& out, call const& f)
{
  SCOPED_TRACE(name);
  auto const forget = [&] { Kokkos::deep_copy(out.view(), item(0xa5a5a5a5)); };
  workspace growing(exec_space{});
  forget(), f(growing);
  auto const expected = out.items();
  auto const asked    = least(f);
  for (extent shift = 0; shift < 32; ++shift) {
    guarded<std::uint64_t> const bands(asked.words, shift);
    workspace scratch(exec_space{}, bands.view());
    for (int repetition = 0; repetition < 2; ++repetition) {
      forget(), f(scratch);
      ASSERT_TRUE(out.items() == expected) << shift << " words on, of " << asked.words;
      ASSERT_TRUE(bands.canaries_alive()) << shift << " words on, of " << asked.words;
      if (!asked.with_plain) break;
      auto const before = scratch.plain(1) - reinterpret_cast<std::byte*>(bands.view().data());
      auto const plain =
          std::pair<std::size_t, std::size_t>(std::size_t(before) / sizeof(std::uint64_t), bands.view().size());
      Kokkos::deep_copy(Kokkos::subview(bands.view(), plain), 0xcbcbcbcbcbcbcbcb);
    }
  }
}

class workspace_bands : public testing::TestWithParam<extent> {
protected:
  extent const n            = GetParam();
  std::vector<item> numbers = random_items<item>(n);
  guarded<item> in{numbers}, out{n};
};

TEST_P(workspace_bands, of_scans_and_selections)
{
  single<extent> const count;
  expect_to_keep_to_it("exclusive_scan", out,
                       [&](workspace& w) { onepass::exclusive_scan(row().with(w), in.view(), out.view()); });
  expect_to_keep_to_it("select_if", out, [&](workspace& w) {
    onepass::select_if(row().with(w), in.view(), out.view(), count.view(), odd{});
  });
}

TEST_P(workspace_bands, of_sorts)
{
  expect_to_keep_to_it("radix_sort", out,
                       [&](workspace& w) { onepass::radix_sort(row().with(w), in.view(), out.view()); });
  expect_to_keep_to_it("merge_sort", out,
                       [&](workspace& w) { onepass::merge_sort(row().with(w), in.view(), out.view()); });
  expect_to_keep_to_it("top_k", out, [&](workspace& w) {
    auto const some = Kokkos::subview(out.view(), std::pair<extent, extent>(0, n / 3));
    onepass::top_k(row().with(w), in.view(), n / 3, some);
  });
}

TEST_P(workspace_bands, of_runs_and_segments)
{
  std::vector<int> lengths;
  std::vector<extent> offsets{0};
  for (extent sum = 0; sum < n; sum += lengths.back()) {
    lengths.push_back(int(std::min<extent>(n - sum, numbers[lengths.size()] % 7)));
    offsets.push_back(sum + lengths.back());
  }
  guarded<int> const runs(lengths);
  guarded<extent> const ends(offsets);
  single<extent> const total;
  auto const symbols = Kokkos::subview(in.view(), std::pair<std::size_t, std::size_t>(0, lengths.size()));
  expect_to_keep_to_it("run_length_decode", out, [&](workspace& w) {
    onepass::run_length_decode(row().with(w), symbols, runs.view(), out.view(), total.view());
  });
  guarded<item> const sums(extent(lengths.size()));
  expect_to_keep_to_it("segmented_reduce", sums, [&](workspace& w) {
    onepass::segmented_reduce(row().with(w), in.view(), ends.view(), sums.view());
  });
}

TEST_P(workspace_bands, of_tables)
{
  using image     = Kokkos::View<item**, Kokkos::LayoutRight, memory_space, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
  auto const rows = std::size_t(n / 100);
  image const from(in.view().data(), rows, 100), to(out.view().data(), rows, 100);
  expect_to_keep_to_it("summed_area_table", out,
                       [&](workspace& w) { onepass::summed_area_table(row().with(w), from, to); });
}

TEST_P(workspace_bands, of_calls_by_index)
{
  auto numbers_of_cells = numbers;
  for (auto& x : numbers_of_cells) x %= 37;
  guarded<item> const cells(numbers_of_cells), offsets(38), sums(37);
  expect_to_keep_to_it("sort_by_cell", out, [&](workspace& w) {
    onepass::sort_by_cell(row().with(w), cells.view(), offsets.view(), out.view());
  });
  expect_to_keep_to_it("scatter_add", sums, [&](workspace& w) {
    onepass::scatter_add(row().with(w), in.view(), cells.view(), sums.view());
  });
}

INSTANTIATE_TEST_SUITE_P(items, workspace_bands, testing::Values(300, 1500));

}  // namespace
