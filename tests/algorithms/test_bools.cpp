// SPDX-License-Identifier: Apache-2.0
// Views of bool are items as all others: a byte each, which no backend takes for its own flags.
#include "compaction.hpp"
#include "sizes.hpp"

#include <onepass/adjacent_difference.hpp>
#include <onepass/count.hpp>
#include <onepass/find.hpp>
#include <onepass/partition.hpp>
#include <onepass/radix_sort.hpp>
#include <onepass/reduce.hpp>
#include <onepass/reduce_by_key.hpp>
#include <onepass/run_length.hpp>
#include <onepass/scan.hpp>
#include <onepass/segmented.hpp>
#include <onepass/top_k.hpp>
#include <onepass/unique.hpp>

#include <numeric>

using namespace test;

namespace {

using byte = std::uint8_t;

/// The same memory as items that are bool: std::vector has none of these.
unmanaged<bool> as_bools(guarded<byte> const& bytes)
{
  auto const all = bytes.view();
  return unmanaged<bool>(reinterpret_cast<bool*>(all.data()), all.size());
}

std::vector<byte> some_bools(extent mean, extent n = many_tiles<bool>())
{
  return items_of_runs<byte>(run_lengths(n, mean), [](extent, extent run) { return byte(run % 2); });
}

struct is_set {
  ONEPASS_FUNCTION bool operator()(bool x) const { return x; }
};
struct is_unset {
  ONEPASS_FUNCTION bool operator()(bool x) const { return !x; }
};

TEST(bools, are_scanned)
{
  for (extent const mean : {extent(2), extent(5000)})
    for (extent const n : some_sizes<bool>()) {
      auto const items = some_bools(mean, n);
      auto any = items, odd = items, before = items;
      std::inclusive_scan(items.begin(), items.end(), any.begin(), std::bit_or<byte>{});
      std::inclusive_scan(items.begin(), items.end(), odd.begin(), std::bit_xor<byte>{});
      std::exclusive_scan(items.begin(), items.end(), before.begin(), byte(1), std::bit_and<byte>{});
      guarded<byte> const in(items, 1), out(n), most(n, 3), parity(n), all(n, 2);
      onepass::inclusive_scan(row(), as_bools(in), as_bools(out), onepass::bit_or{});
      onepass::inclusive_scan(row(), as_bools(in), as_bools(most), onepass::maximum{});
      onepass::inclusive_scan(row(), as_bools(in), as_bools(parity), onepass::bit_xor{});
      onepass::exclusive_scan(row(), as_bools(in), as_bools(all), onepass::bit_and{}, true);
      EXPECT_TRUE(out.items() == any && most.items() == any);
      EXPECT_TRUE(parity.items() == odd && all.items() == before);
      EXPECT_TRUE(out.canaries_alive() && most.canaries_alive() && parity.canaries_alive() && all.canaries_alive());
    }
}

TEST(bools, are_counted_found_and_reduced)
{
  auto const items = some_bools(3);
  guarded<byte> const in(items);
  extent set = -1, first = -1;
  bool any = false;
  onepass::count_if(row(), as_bools(in), set, is_set{});
  onepass::find_if(row(), as_bools(in), first, is_set{});
  onepass::reduce(row(), as_bools(in), any, onepass::bit_or{});
  EXPECT_EQ(set, std::count(items.begin(), items.end(), 1));
  EXPECT_EQ(first, std::find(items.begin(), items.end(), 1) - items.begin());
  EXPECT_TRUE(any);
}

TEST(bools, are_selected)
{
  auto const items = some_bools(2), set = kept(items, is_set{}), unset = kept(items, is_unset{});
  guarded<byte> const in(items), out(extent(items.size())), yes(extent(items.size())), no(extent(items.size()));
  extent count = -1, split = -1;
  onepass::select_if(row(), as_bools(in), as_bools(out), count, is_unset{});
  onepass::partition_if(row(), as_bools(in), as_bools(yes), as_bools(no), split, is_set{});
  EXPECT_EQ(count, extent(unset.size()));
  EXPECT_EQ(split, extent(set.size()));
  expect_compacted(out, unset);
  expect_compacted(yes, set);
  expect_compacted(no, unset);
  onepass::select_flagged(row(), as_bools(in), as_bools(in), as_bools(out), count);
  EXPECT_EQ(count, extent(set.size()));
  auto const flagged = out.items();
  EXPECT_TRUE(std::equal(set.begin(), set.end(), flagged.begin()));
}

TEST(bools, have_runs)
{
  for (extent const mean : mean_lengths) {
    auto const lengths = run_lengths(many_tiles<bool>(), mean);
    auto const items   = some_bools(mean);
    std::vector<byte> symbols;
    for (std::size_t r = 0; r < lengths.size(); ++r) symbols.push_back(byte(r % 2));
    extent const n = extent(items.size());
    guarded<byte> const in(items), out(n), heads(n), keys(n), decoded(n);
    guarded<extent> const of_runs(n), sums(n), ones(std::vector<extent>(items.size(), 1));
    extent runs = -1, unique = -1, keyed = -1;
    onepass::run_length_encode(row(), as_bools(in), as_bools(out), of_runs.view(), runs);
    onepass::unique(row(), as_bools(in), as_bools(heads), unique);
    onepass::reduce_by_key(row(), as_bools(in), ones.view(), as_bools(keys), sums.view(), keyed);
    EXPECT_EQ(runs, extent(lengths.size()));
    EXPECT_EQ(unique, runs);
    EXPECT_EQ(keyed, runs);
    expect_compacted(out, symbols);
    expect_compacted(heads, symbols);
    expect_compacted(keys, symbols);
    expect_compacted(of_runs, lengths);
    expect_compacted(sums, lengths);

    guarded<byte> const encoded(symbols);
    guarded<extent> const long_as(lengths);
    extent total = -1;
    onepass::run_length_decode(row(), as_bools(encoded), long_as.view(), as_bools(decoded), total);
    EXPECT_EQ(total, n);
    EXPECT_TRUE(decoded.items() == items);
  }
}

TEST(bools, have_segments_and_differences)
{
  auto const items = some_bools(3);
  std::vector<extent> offsets{0};
  for (extent const length : run_lengths(extent(items.size()), 40)) offsets.push_back(offsets.back() + length);
  std::vector<byte> any, changed = items;
  for (std::size_t s = 0; s + 1 < offsets.size(); ++s)
    any.push_back(*std::max_element(items.begin() + offsets[s], items.begin() + offsets[s + 1]));
  for (std::size_t i = 1; i < items.size(); ++i) changed[i] = items[i] != items[i - 1];
  guarded<byte> const in(items, 5), out(extent(any.size())), differences(extent(items.size()));
  guarded<extent> const bounds(offsets);
  onepass::segmented_reduce(row(), as_bools(in), bounds.view(), as_bools(out), onepass::bit_or{});
  onepass::adjacent_difference(row(), as_bools(in), as_bools(differences), onepass::bit_xor{});
  EXPECT_TRUE(out.items() == any && out.canaries_alive());
  EXPECT_TRUE(differences.items() == changed && differences.canaries_alive());
}

TEST(bools, are_sorted)
{
  auto const items = some_bools(2);
  auto wanted      = items;
  std::sort(wanted.begin(), wanted.end());
  guarded<byte> const in(items), out(extent(items.size()));
  onepass::radix_sort(row(), as_bools(in), as_bools(out));
  EXPECT_TRUE(out.items() == wanted && out.canaries_alive());
  for (extent const k : {extent(1), extent(100), extent(items.size()) / 3}) {
    guarded<byte> const least(k);
    onepass::top_k(row(), as_bools(in), k, as_bools(least));
    EXPECT_TRUE(least.items() == std::vector<byte>(wanted.begin(), wanted.begin() + k) && least.canaries_alive()) << k;
  }
}

}  // namespace
