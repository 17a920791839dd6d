// SPDX-License-Identifier: Apache-2.0
// Bins counted by teams of several threads, and bins of equal width without a division.
#include "host_teams.hpp"
#include "seed.hpp"

#include <onepass/engine/ranges.hpp>
#include <onepass/programs/histogram.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <string>
#include <vector>

using namespace onepass;

namespace {

struct itself {
  template <class T>
  ONEPASS_FUNCTION std::uint32_t operator()(T const& x) const
  {
    return std::uint32_t(x);
  }
};

template <class T>
using program_of = histogram_program<contiguous<T const>, contiguous<std::uint32_t>, itself>;
using cache      = bin_cache<64>;

constexpr int threads = 8, teams = 3;

/// f(team, items, the team's share, memory) on teams that share these items, which do not begin at 16 bytes.
template <class T, class F>
std::vector<std::uint32_t> counted(std::vector<T> const& items, std::uint32_t bins, F const& f)
{
  std::vector<std::uint32_t> counts(bins);
  extent const n = extent(items.size()) - 1;
  bin_items<program_of<T>> const in({{items.data() + 1, n}, {counts.data(), extent(bins)}, {}}, n);
  test::on_teams_with<range_sums, threads>(
      bytes_of_counters(4 * (extent(bins) + 257)), teams, [&](auto const& team, int t) {
        f(team, in, bin_share{{t * threads + team.rank(), in.units, teams * threads}, t == 0},
          reinterpret_cast<std::uint32_t*>(team.stage()));
      });
  return counts;
}

template <class T>
void expect_counted_in_every_way(extent n, std::uint32_t bins, bool crowded)
{
  SCOPED_TRACE(std::to_string(n) + " items, " + std::to_string(bins) + " bins");
  test::random_words engine(test::seed());
  std::vector<T> items{T(0)};
  for (extent i = 0; i < n; ++i) items.push_back(T(crowded && i % 16 ? bins / 2 : engine() % (bins + 3)));
  std::vector<std::uint32_t> wanted(bins);
  for (extent i = 1; i <= n; ++i)
    if (std::uint32_t(items[std::size_t(i)]) < bins) ++wanted[std::size_t(items[std::size_t(i)])];

  using table = bin_table<program_of<T>>;
  for (std::uint32_t const copies : {1, 4, 8}) {
    if (table::by_value && copies > 4) continue;
    auto const counters = table::by_value ? std::uint32_t(table::values) : bins;
    EXPECT_EQ(wanted, counted(items, bins,
                              [&](auto const& team, auto const& in, bin_share const& share, auto* memory) {
                                if (counters * copies <= 4 * (bins + 256))
                                  table{0, counters, copies}.template count<2>(team, in, share, memory, false);
                                else table{0, counters, 1}.template count<2>(team, in, share, memory, false);
                              }))
        << copies << " copies";
  }
  if constexpr (!table::by_value) {
    EXPECT_EQ(wanted, counted(items, bins, [&](auto const& team, auto const& in, bin_share const& share, auto* memory) {
                for (std::uint32_t first = 0, slice = bins / 3 + 1; first < bins; first += slice)
                  bin_table<program_of<T>, true>{first, std::min(slice, bins - first), 1}.template count<1>(
                      team, in, share, memory, false);
              }));
  }
  EXPECT_EQ(wanted, counted(items, bins, [&](auto const& team, auto const& in, bin_share const& share, auto* memory) {
              cache::count<2>(team, in, share, memory);
            }));
}

TEST(histogram_teams, count_in_tables_slices_and_caches)
{
  for (extent const n : {0, 1, 7, 500, 20011})
    for (bool const crowded : {false, true}) {
      for (std::uint32_t const bins : {1, 5, 64, 65, 1000, 5001})
        expect_counted_in_every_way<std::uint32_t>(n, bins, crowded);
      expect_counted_in_every_way<std::uint16_t>(n, 300, crowded);
      expect_counted_in_every_way<std::uint8_t>(n, 200, crowded);
    }
}

/// A team alone clears counts that hold anything.
TEST(histogram_teams, clear_the_counts_where_no_other_team_counts)
{
  std::vector<std::uint32_t> const items(100, 3);
  std::vector<std::uint32_t> counts(10, 77);
  bin_items<program_of<std::uint32_t>> const in({{items.data(), 100}, {counts.data(), 10}, {}}, 100);
  test::on_teams_with<range_sums, threads>(1024, 1, [&](auto const& team, int) {
    bin_table<program_of<std::uint32_t>>{0, 10, 4}.template count<2>(
        team, in, {{team.rank(), in.units, threads}, true}, reinterpret_cast<std::uint32_t*>(team.stage()), true);
  });
  EXPECT_EQ(counts, (std::vector<std::uint32_t>{0, 0, 0, 100, 0, 0, 0, 0, 0, 0}));
}

/// All teams agree: a crowded bin and items of no bin are few bins, uniform ones are not.
TEST(histogram_teams, find_in_a_sample_whether_few_bins_have_nearly_all_items)
{
  auto const all_find = [](auto const& bin_of) {
    std::vector<std::uint32_t> items;
    for (std::uint32_t i = 0; i < 10001; ++i) items.push_back(bin_of(i));
    std::atomic<int> found = 0;
    counted(items, 4000, [&](auto const& team, auto const& in, bin_share const&, auto* memory) {
      if (cache::suits(team, in, memory)) ++found;
    });
    return found.load();
  };
  EXPECT_EQ(all_find([](std::uint32_t) { return 77u; }), teams * threads);
  EXPECT_EQ(all_find([](std::uint32_t) { return 5000u; }), teams * threads);
  EXPECT_EQ(all_find([](std::uint32_t i) { return i * 7 % 4000; }), 0);
}

/// Bins 64 apart would all have one slot if a slot were the lower bits of a bin.
TEST(histogram_teams, give_slots_of_their_own_to_bins_that_lie_powers_of_two_apart)
{
  std::vector<bool> taken(64);
  for (std::uint32_t bin = 0; bin < 64 * 64; bin += 64) taken[cache::slot_of(bin, bin / 64 * 2)] = true;
  EXPECT_GT(std::count(taken.begin(), taken.end(), true), 24);
  for (std::uint32_t bin = 0; bin < 5000; ++bin)
    for (std::uint32_t const tag : {bin / 64 * 2, bin / 64 * 2 + 1})
      ASSERT_EQ(cache::slot_of(cache::slot_of(bin, tag), tag), bin % 64);
}

template <class T>
void expect_even(T low, T high, extent bins, T x)
{
  even_bins<T> const bin_of(low, high, bins);
  using wide  = __int128;
  auto wanted = no_bin;
  if (low <= x && x < high) wanted = std::uint32_t((wide(x) - wide(low)) * bins / (wide(high) - wide(low)));
  ASSERT_EQ(bin_of(x), wanted) << +x << " of " << +low << " to " << +high << ", " << bins << " bins";
}

TEST(even_bins, are_exact_for_all_bytes)
{
  for (int low = -128; low < 128; low += 17)
    for (int high = low + 1; high < 128; ++high)
      for (extent const bins : {1, 2, 3, 7, 64, 100, 127, 128, 255, 256, 1000, 1 << 20})
        for (int x = -128; x < 128; ++x)
          ASSERT_NO_FATAL_FAILURE(expect_even(std::int8_t(low), std::int8_t(high), bins, std::int8_t(x)));
}

/// Items at and around the ends of random bins of random ranges.
template <class T>
void expect_even_at_ends()
{
  test::random_words engine(test::seed());
  for (int times = 0; times < 20000; ++times) {
    auto const drawn = [&] { return static_cast<T>(engine() >> engine() % (8 * sizeof(T))); };
    T const a = drawn(), b = drawn();
    if (a == b) continue;
    T const low = std::min(a, b), high = std::max(a, b);
    extent const bins = extent(1 + (engine() & 0xfffff) % (extent(1) << engine() % 21));
    auto const range  = static_cast<unsigned __int128>(static_cast<__int128>(high) - static_cast<__int128>(low));
    auto const end    = engine() % std::uint64_t(bins) * range / unsigned(bins);
    auto const at     = static_cast<std::uint64_t>(end) + static_cast<std::uint64_t>(low);  // modulo 2^64
    for (std::uint64_t const by : {std::uint64_t(0) - 1, std::uint64_t(0), std::uint64_t(1), std::uint64_t(2)})
      ASSERT_NO_FATAL_FAILURE(expect_even(low, high, bins, static_cast<T>(at + by)));
    ASSERT_NO_FATAL_FAILURE(expect_even(low, high, bins, static_cast<T>(high - 1)));
  }
}
TEST(even_bins, are_exact_at_the_ends_of_bins)
{
  expect_even_at_ends<std::uint16_t>();
  expect_even_at_ends<std::int32_t>();
  expect_even_at_ends<std::uint32_t>();
  expect_even_at_ends<std::int64_t>();
  expect_even_at_ends<std::uint64_t>();
}

}  // namespace
