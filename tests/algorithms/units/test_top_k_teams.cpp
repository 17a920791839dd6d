// SPDX-License-Identifier: Apache-2.0
// The steps of top_k by teams of several threads.
#include "host_teams.hpp"
#include "seed.hpp"

#include <onepass/programs/top_k.hpp>
#include <onepass/sequences.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

using namespace onepass;

namespace {

using key   = std::uint32_t;
using order = order_of_keys<key>;

std::vector<key> random_keys(extent n, key values)
{
  test::random_words engine(test::seed() + std::uint64_t(n));
  std::vector<key> keys;
  for (extent i = 0; i < n; ++i) keys.push_back(key(engine() % values));
  return keys;
}

std::vector<extent> sorted_positions(std::vector<key> const& keys)
{
  std::vector<extent> at(keys.size());
  std::iota(at.begin(), at.end(), extent(0));
  std::stable_sort(at.begin(), at.end(),
                   [&](extent a, extent b) { return keys[std::size_t(a)] < keys[std::size_t(b)]; });
  return at;
}

/// Where the ranks [first, last) go, which are all of them: positions alone.
using positions = ranks_written<contiguous<key const>, nothing, contiguous<extent>>;

template <int Threads>
void expect_ranks(extent n, key values)
{
  auto const keys = random_keys(n, values);
  std::vector<key_place> places(keys.size());
  std::vector<extent> got(keys.size(), -1);
  std::iota(places.begin(), places.end(), key_place(0));
  rank_program<key, positions> const ranks{
      {keys.data(), n}, {places.data(), n}, &n, {{keys.data(), n}, {}, {got.data(), n}, 0, n, n}};
  constexpr int tile  = ranks.positions(test::numbers<Threads>);
  constexpr int words = int(div_up(ranks.stage_words(tile), Threads));
  test::on_teams<range_sums, words, Threads>(int(div_up(n, tile)), [&](auto const& team, int t) {
    ranks.template together<tile>(team, t, extent(t) * tile, std::min<extent>(extent(t) * tile + tile, n));
  });
  EXPECT_EQ(got, sorted_positions(keys)) << n << " of " << values;
}

TEST(top_k_teams, rank_listed_items)
{
  for (key const values : {1u, 7u, 1u << 30})
    for (extent const n : {1, 3, 33, 1024, 1500, 2049}) {
      expect_ranks<4>(n, values);
      if (n <= 100) expect_ranks<35>(n, values);
    }
}

template <int Threads>
void expect_mended(extent n, extent k, key values, extent listed)
{
  auto const keys   = random_keys(n, values);
  extent const room = k + 3;
  std::vector<key> codes(std::size_t(room), 99);
  std::vector<key_place> places(std::size_t(room), ~key_place(0));
  extent count = listed;
  order const by(false, 0, 32);
  mend_program<contiguous<key const>, order> const mend{{},
                                                        {keys.data(), n},
                                                        by,
                                                        n,
                                                        k,
                                                        int(std::bit_width(std::uint64_t(n - 1))),
                                                        &count,
                                                        {codes.data(), room},
                                                        {places.data(), room}};
  test::on_teams_with<decltype(mend), Threads>(mend.stage_bytes(Threads), 1,
                                               [&](auto const& team, int) { mend.downsweep(team, 0, 0); });
  std::vector<key_place> expected(std::size_t(room), ~key_place(0));
  if (listed < k || listed > room) {
    auto first = sorted_positions(keys);
    std::sort(first.begin(), first.begin() + k);
    std::copy(first.begin(), first.begin() + k, expected.begin());
    EXPECT_EQ(count, k);
    for (extent i = 0; i < k; ++i) EXPECT_EQ(codes[std::size_t(i)], keys[std::size_t(expected[std::size_t(i)])]);
  } else EXPECT_EQ(count, listed);
  EXPECT_EQ(places, expected) << k << " of " << n << " of " << values;
}

TEST(top_k_teams, mend_what_a_sample_spoils)
{
  for (key const values : {1u, 300u, ~0u})
    for (auto const& [n, k] : {std::pair<extent, extent>{1, 1}, {40, 40}, {700, 1}, {700, 257}, {70000, 300}}) {
      expect_mended<4>(n, k, values, k - 1);
      expect_mended<7>(n, k, values, n + 4);
      expect_mended<4>(n, k, values, k + 3);
    }
}

template <int Threads>
void expect_sampled(extent n, extent groups, extent each, key values)
{
  auto const keys = random_keys(n, values);
  using program   = sample_program<contiguous<key const>, order>;
  using placed    = program::placed;
  std::vector<placed> alone(std::size_t(groups), placed{0, -1}), got = alone;
  order const by(true, 0, 32);
  contiguous<key const> const in{keys.data(), n};
  program{in, by, n, groups, each, {alone.data(), groups}}.alone(0, groups);
  program const sample{in, by, n, groups, each, {got.data(), groups}};
  constexpr int tile  = program::positions(test::numbers<Threads>);
  constexpr int words = int(div_up(program::stage_words(tile), Threads));
  test::on_teams<range_sums, words, Threads>(int(div_up(groups, tile)), [&](auto const& team, int t) {
    sample.template together<tile>(team, t, extent(t) * tile, std::min<extent>(extent(t) * tile + tile, groups));
  });
  std::vector<extent> seen;
  for (std::size_t g = 0; g < got.size(); ++g) {
    EXPECT_EQ(got[g].at, alone[g].at) << g << " of " << groups << " x " << each;
    EXPECT_EQ(got[g].code, by(keys[std::size_t(got[g].at)]));
    seen.push_back(got[g].at);
  }
  std::sort(seen.begin(), seen.end());
  EXPECT_TRUE(std::adjacent_find(seen.begin(), seen.end()) == seen.end()) << "an item in two groups";

  // As many firsts as asked for reach the bound.
  for (extent const rank : {extent(1), groups / 3 + 1, groups}) {
    placed bound{};
    bound_program<key> const find{{}, {got.data(), groups}, rank, int(std::bit_width(std::uint64_t(n - 1))), &bound};
    test::on_teams_with<decltype(find), Threads>(find.stage_bytes(Threads), 1,
                                                 [&](auto const& team, int) { find.downsweep(team, 0, 0); });
    EXPECT_EQ(std::count_if(got.begin(), got.end(), [&](placed const& x) { return bound.reaches(x.code, x.at); }),
              rank);
  }
}

TEST(top_k_teams, sample_every_stretch_once)
{
  for (key const values : {1u, 5u, ~0u}) {
    expect_sampled<4>(64, 32, 2, values);
    expect_sampled<7>(1000, 32, 5, values);
    expect_sampled<4>(30000, 64, 100, values);
    expect_sampled<35>(500, 4, 40, values);
  }
}

/// No sample asks for more than it has, and candidates always have room.
TEST(top_k_plans, are_consistent)
{
  for (extent n = 4097; n < extent(1) << 40; n = n * 5 / 2)
    for (extent k = 1; k <= n / 4; k = k * 3 + 1) {
      auto const p = top_k_plan::of(top_k_tuning_for<measured_tuning>(), n, k);
      EXPECT_TRUE(1 <= p.rank && p.rank <= p.groups && p.rank <= k) << n << " " << k;
      EXPECT_TRUE(k <= p.room && p.room <= n && p.expected <= p.room) << n << " " << k;
      EXPECT_TRUE(p.groups * p.each <= n) << n << " " << k;
    }
}

}  // namespace
