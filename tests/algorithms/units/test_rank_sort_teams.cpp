// SPDX-License-Identifier: Apache-2.0
// Sorts by ranks, by teams of several threads, as a device runs them, against std::stable_sort of each segment.
#include "host_warps.hpp"
#include "inputs.hpp"

#include <onepass/programs/by_bits.hpp>
#include <onepass/programs/rank_sort.hpp>
#include <onepass/sequences.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

using namespace test;
using onepass::extent;

namespace {

constexpr int threads = 8, lanes = 4;

/// The positions of keys in the order of some bits, where each segment is sorted by itself.
template <class Key, class Codes>
std::vector<int> ranked(std::vector<Key> const& keys, Codes const& codes, std::vector<int> const& offsets)
{
  std::vector<int> order(keys.size());
  std::iota(order.begin(), order.end(), 0);
  for (std::size_t s = 1; s < offsets.size(); ++s)
    std::stable_sort(order.begin() + offsets[s - 1], order.begin() + offsets[s],
                     [&](int a, int b) { return codes(a) < codes(b); });
  return order;
}

template <class Key>
using order_of = onepass::by_some_bits<Key>;
template <class Key>
order_of<Key> some_bits()
{
  return {1, 7, true};
}

/// Keys sorted, a turn of `each` items after another, and their positions.
template <class Key, class Segments>
std::pair<std::vector<Key>, std::vector<int>> sorted_by_ranks(std::vector<Key> const& keys, Segments const& segments,
                                                              int each)
{
  extent const n = extent(keys.size());
  using from     = onepass::contiguous<Key const>;
  using codes    = onepass::codes_of<from, order_of<Key>>;
  using program =
      onepass::rank_sort_program<codes, onepass::cargo<from, onepass::counting<int>>,
                                 onepass::cargo<onepass::contiguous<Key>, onepass::contiguous<int>>, Segments>;
  from const in{keys.data(), n};
  std::vector<Key> out(keys.size());
  std::vector<int> places(keys.size(), -1);
  program const p{
      {in, some_bits<Key>(), n}, {in, {0, n}}, {{out.data(), n}, {places.data(), n}}, segments, int(n), each};
  std::vector<threads_of_warp<lanes>> warps(threads / lanes);
  on_teams_with<onepass::range_sums, threads>(p.stage_bytes(threads), 1, [&](auto const& plain, int) {
    with_warps_of<lanes, std::remove_cvref_t<decltype(plain)>> const team{plain, warps.data()};
    for (extent turn = p.turns(); turn-- > 0;) {
      p.take(team, turn);
      team.barrier();
    }
  });
  return {out, places};
}

template <class Key, class Segments>
void expect_ranked(std::vector<Key> const& keys, std::vector<int> const& offsets, Segments const& segments, int each)
{
  auto const [out, places] = sorted_by_ranks(keys, segments, each);
  auto const order         = some_bits<Key>();
  auto const expected      = ranked(
           keys, [&](int i) { return order(keys[std::size_t(i)]); }, offsets);
  EXPECT_EQ(places, expected);
  for (std::size_t i = 0; i < keys.size(); ++i) ASSERT_EQ(out[i], keys[std::size_t(expected[i])]) << i;
}

template <class Key>
std::vector<Key> some_keys(int n, random_words& engine)
{
  std::vector<Key> keys(static_cast<std::size_t>(n));
  for (auto& key : keys) key = Key(engine());
  return keys;
}

template <class Key>
void ranks_everything()
{
  random_words engine(seed());
  for (int const n : {1, 3, 4, 5, 33, 200})
    for (int const each : {4, 8, 12, 400}) {
      SCOPED_TRACE("n = " + std::to_string(n) + ", " + std::to_string(each) + " of a turn");
      expect_ranked(some_keys<Key>(n, engine), {0, n}, onepass::one_segment{n}, each);
    }
}

/// Segments of random lengths, some of them empty, and items in none at both ends.
std::vector<int> some_offsets(int n, int mean, random_words& engine)
{
  std::vector<int> offsets{int(engine() % 3)};
  while (offsets.back() < n - 3) offsets.push_back(std::min<int>(n, offsets.back() + int(engine() % (2 * mean + 1))));
  return offsets;
}

using offsets_program = onepass::ranked_segments<onepass::offset_segments<onepass::contiguous<int const>>>;

TEST(rank_sort_teams, rank_small_keys) { ranks_everything<std::uint8_t>(); }
TEST(rank_sort_teams, rank_large_keys) { ranks_everything<std::uint64_t>(); }

TEST(rank_sort_teams, rank_segments)
{
  random_words engine(seed());
  for (int const n : {4, 31, 300})
    for (int const mean : {1, 3, 20, 1000})
      for (int const each : {4, 20}) {
        SCOPED_TRACE("n = " + std::to_string(n) + ", segments of " + std::to_string(mean));
        auto const keys    = some_keys<std::uint32_t>(n, engine);
        auto const offsets = some_offsets(n, mean, engine);
        offsets_program const segments{{{offsets.data(), extent(offsets.size())}, n}};
        expect_ranked(keys, offsets, segments, each);
      }
}

TEST(rank_sort_teams, offsets_that_make_no_sense_do_no_harm)
{
  random_words engine(seed());
  int const n     = 300;
  auto const keys = some_keys<std::uint32_t>(n, engine);
  for (int round = 0; round < 20; ++round) {
    std::vector<int> offsets(20);
    for (auto& x : offsets) x = int(engine() % 500) - 100;
    offsets_program const segments{{{offsets.data(), extent(offsets.size())}, n}};
    for (int const place : sorted_by_ranks(keys, segments, 8).second) EXPECT_TRUE(-1 <= place && place < n);
  }
}

TEST(rank_sort_teams, rank_more_segments_than_a_stage_has_room_for)
{
  random_words engine(seed());
  int const n = 300;
  std::vector<int> offsets(std::size_t(offsets_program::most_staged) + 1);
  for (auto& x : offsets) x = int(engine() % 5 * 60 + engine() % 3);
  std::sort(offsets.begin(), offsets.end());
  offsets_program const segments{{{offsets.data(), extent(offsets.size())}, n}};
  EXPECT_EQ(segments.staged(), 0);
  expect_ranked(some_keys<std::uint32_t>(n, engine), offsets, segments, 8);
}

}  // namespace
