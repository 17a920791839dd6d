// SPDX-License-Identifier: Apache-2.0
// Sorts by merging, by teams of several threads, as a device runs them, against std::stable_sort of each segment.
#include "host_warps.hpp"
#include "inputs.hpp"

#include <onepass/programs/few_segments.hpp>
#include <onepass/programs/merge_sort.hpp>
#include <onepass/programs/segment_tiles.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <numeric>

using namespace test;
using onepass::extent;

namespace {

constexpr int threads = 8;

/// What is equal has an order of its own.
struct less_by_six_bits {
  bool operator()(std::uint32_t a, std::uint32_t b) const { return a % 64 < b % 64; }
};

/// Takes what is none of the keys for a crime: a user's order may read memory where an item says.
struct less_of_keys {
  static constexpr std::uint32_t mark = 0xa5u << 24;

  bool operator()(std::uint32_t a, std::uint32_t b) const
  {
    EXPECT_EQ(a & 0xffu << 24, mark);
    EXPECT_EQ(b & 0xffu << 24, mark);
    return a % 64 < b % 64;
  }
};

template <int Threads, class Program, class Work>
void on_tiles(Program const&, team_tuning const& tuning, extent tiles, Work const& work)
{
  on_teams_with<onepass::range_sums, Threads>(std::size_t(Program::stage_words(tuning)) * 4, int(tiles), work);
}

/// Sorts all keys, with the positions beside them. Teams of later rounds have half as many threads, and their splits
/// are found before each round, or by themselves.
void sort_by_teams(std::vector<std::uint32_t> const& in, std::vector<std::uint32_t>& out,
                   std::vector<std::uint16_t>& out_values, bool seeks)
{
  constexpr team_tuning first{.threads = 2 * threads, .packs = 1}, later{.threads = threads, .packs = 1};
  using from              = onepass::cargo<onepass::contiguous<std::uint32_t const>, onepass::counting<std::uint16_t>>;
  using to                = onepass::cargo<onepass::contiguous<std::uint32_t>, onepass::contiguous<std::uint16_t>>;
  using program           = onepass::merge_sort_program<from, to, to, less_by_six_bits>;
  constexpr int each      = program::each(first);
  constexpr int positions = onepass::positions_of_round<program>(first),
                halves    = onepass::positions_of_round<program>(later);
  extent const n = extent(in.size()), runs = onepass::div_up(n, positions), tiles = onepass::div_up(n, halves);
  std::vector<extent> splits(std::size_t(tiles), -1);
  std::vector<std::uint32_t> spare(in.size());
  std::vector<std::uint16_t> spare_values(in.size());
  program const p{{{{in.data(), n}, {0, n}},
                   {{out.data(), n}, {out_values.data(), n}},
                   {{spare.data(), n}, {spare_values.data(), n}},
                   {}},
                  n,
                  seeks ? splits.data() : nullptr};
  on_tiles<2 * threads>(p, first, runs, [&](auto const& team, int tile) {
    EXPECT_EQ((onepass::begin_rounds<program, each>(p, team, tile)), program::most_rounds(runs));
  });
  for (int round = 1; round <= program::most_rounds(runs); ++round) {
    if (seeks)
      on_teams_with<onepass::range_sums, 2 * program::seekers>(
          std::size_t(program::seek_words(2 * program::seekers)) * 4, int(onepass::div_up(tiles, 2)),
          [&](auto const& team, int group) { p.seek(team, halves, positions, round, group); });
    on_tiles<threads>(p, later, tiles, [&](auto const& team, int tile) {
      onepass::go_on_with_rounds<program, each>(p, team, positions, round, tile);
    });
  }
}

/// Sorts the segments of keys from `in` to `out`, which may be the same; by teams of two warps of so many lanes, or of
/// threads. Where offsets make no sense, several tiles tell of one place, and which is the last to do so is chance.
template <int Packs, class Less, int Lanes = 0, class Key, class Segments>
void sort_segments_by_teams(Segments const& segments, std::vector<Key> const& in, std::vector<Key>& out,
                            bool make_sense = true)
{
  extent const n = extent(in.size());
  std::vector<Key> spare(in.size());
  std::vector<onepass::shared_segment> crossings(in.size() + 1);
  using keys    = onepass::cargo<onepass::contiguous<Key>, onepass::nothing>;
  using program = onepass::segment_sort_program<onepass::cargo<onepass::contiguous<Key const>, onepass::nothing>, keys,
                                                keys, Segments, Less>;
  constexpr team_tuning tuning{.threads = Lanes > 0 ? 2 * Lanes : threads, .packs = Packs, .lanes = Lanes > 0};
  constexpr int each      = program::each(tuning);
  constexpr int positions = onepass::positions_of_round<program>(tuning);
  extent const tiles      = onepass::tiles_of_round<program>(tuning, n);
  program const p{{{{{in.data(), n}, {}}, {{out.data(), n}, {}}, {{spare.data(), n}, {}}, {}},
                   segments,
                   n,
                   nullptr,
                   crossings.data()}};
  constexpr int lanes = Lanes > 0 ? Lanes : 1;
  std::vector<threads_of_warp<lanes>> warps(std::size_t(2 * tiles));
  auto const by_teams = [&](auto const& work) {
    on_tiles<tuning.threads>(p, tuning, tiles, [&](auto const& plain, int tile) {
      if constexpr (Lanes > 0)
        work(with_warps_of<lanes, std::remove_cvref_t<decltype(plain)>>{plain, warps.data() + 2 * tile}, tile);
      else work(plain, tile);
    });
  };
  std::atomic<int> rounds{0};
  by_teams([&](auto const& team, int tile) {
    int const more = onepass::begin_rounds<program, each>(p, team, tile);
    for (int known = rounds; known < more && !rounds.compare_exchange_weak(known, more);) {}
  });
  EXPECT_LE(int(rounds), program::most_rounds(tiles));
  int told = 0;
  for (extent tile = 1; tile < tiles; ++tile) told = std::max(told, p.told_rounds(tile));
  EXPECT_LE(told, program::most_rounds(tiles));
  if (make_sense) EXPECT_EQ(told, int(rounds));
  for (int round = 1; round <= rounds; ++round)
    by_teams([&](auto const& team, int tile) {
      onepass::go_on_with_rounds<program, each>(p, team, positions, round, tile);
    });
}

/// All keys in order, and where each has come from.
void expect_sorted(std::vector<std::uint32_t> const& in, std::vector<std::uint32_t> const& keys,
                   std::vector<std::uint16_t> const& from)
{
  std::vector<std::uint16_t> order(in.size());
  std::iota(order.begin(), order.end(), std::uint16_t(0));
  std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return less_by_six_bits{}(in[a], in[b]); });
  EXPECT_EQ(from, order);
  for (std::size_t i = 0; i < in.size(); ++i) ASSERT_EQ(keys[i], in[order[i]]) << "at " << i;
}

std::vector<std::uint32_t> some_keys(extent n, random_words& engine)
{
  std::vector<std::uint32_t> keys;
  for (extent i = 0; i < n; ++i) keys.push_back(std::uint32_t(engine()));
  return keys;
}

/// Zeros of either sign differ.
template <class Key>
auto bits_of(std::vector<Key> const& keys)
{
  std::vector<onepass::unsigned_of<sizeof(Key)>> bits(keys.size());
  if (!keys.empty()) std::memcpy(bits.data(), keys.data(), keys.size() * sizeof(Key));
  return bits;
}

/// Keys of which many are equal: of floats half are zeros of either sign.
template <class Key>
std::vector<Key> keys_of_a_segment_sort(extent n, random_words& engine)
{
  std::vector<Key> keys;
  for (auto const key : some_keys(n, engine))
    if constexpr (std::is_integral_v<Key>) keys.push_back(Key(key));
    else keys.push_back(key % 2 == 0 ? (key % 4 == 0 ? Key(0) : -Key(0)) : Key(key % 100) - Key(50));
  return keys;
}

/// Offsets of segments of so many keys on average, up to `most`: of all n keys, or of some in the middle.
std::vector<int> some_offsets(extent n, extent mean, bool everywhere, std::size_t most, random_words& engine)
{
  std::vector<int> offsets{everywhere ? 0 : int(engine() % std::uint64_t(n))};
  while (offsets.size() < most && offsets.back() < n)
    offsets.push_back(int(std::min<extent>(n, offsets.back() + extent(engine() % std::uint64_t(2 * mean + 1)))));
  if (!everywhere && offsets.size() > 3) offsets.pop_back();
  return offsets;
}

template <class Less, class Key>
std::vector<Key> sorted_in_segments(std::vector<Key> keys, std::vector<int> const& offsets)
{
  for (std::size_t s = 0; s + 1 < offsets.size(); ++s)
    std::stable_sort(keys.begin() + offsets[s], keys.begin() + offsets[s + 1], Less{});
  return keys;
}

template <int Packs, class Less, class Key>
void sorts_segments()
{
  random_words engine(seed() + Packs);
  for (extent const n : {1, 24, 25, 119, 121, 100 * threads * Packs})
    for (extent const mean : {1, 5, 40, 300, 5000})
      for (bool const everywhere : {false, true}) {
        SCOPED_TRACE("n = " + std::to_string(n) + ", segments of " + std::to_string(mean));
        auto const offsets = some_offsets(n, mean, everywhere, 2000, engine);
        auto in            = keys_of_a_segment_sort<Key>(n, engine);
        if constexpr (std::is_same_v<Less, less_of_keys>)
          for (auto& key : in) key = key >> 8 | Less::mark;
        onepass::offset_segments<onepass::contiguous<int const>> const segments{
            {offsets.data(), extent(offsets.size())}, n};
        auto const expected = sorted_in_segments<Less>(in, offsets);
        std::vector<Key> out(in.size());
        sort_segments_by_teams<Packs, Less>(segments, in, out);
        ASSERT_EQ(bits_of(out), bits_of(expected));
        out = in;
        sort_segments_by_teams<Packs, Less>(segments, out, out);
        ASSERT_EQ(bits_of(out), bits_of(expected)) << "in place";
      }
}
TEST(merge_sort_teams, sort_segments_in_tiles_of_few_items) { sorts_segments<1, less_by_six_bits, std::uint32_t>(); }
TEST(merge_sort_teams, sort_segments_in_tiles_of_many_items) { sorts_segments<4, less_by_six_bits, std::uint32_t>(); }
TEST(merge_sort_teams, ask_an_order_of_the_keys_alone)
{
  sorts_segments<1, less_of_keys, std::uint32_t>();
  sorts_segments<4, less_of_keys, std::uint32_t>();
}
TEST(merge_sort_teams, sort_segments_of_integers_by_their_codes)
{
  sorts_segments<2, onepass::by_codes, std::int32_t>();
}
TEST(merge_sort_teams, sort_segments_of_floats_by_their_codes) { sorts_segments<4, onepass::by_codes, double>(); }
/// Keys that are sorted in registers: pieces of all classes, beside tiles that have zeros of both signs.
template <class Key>
void sorts_segments_by_lanes()
{
  random_words engine(seed());
  for (extent const n : {40, 1100})
    for (extent const mean : {3, 130, 900}) {
      SCOPED_TRACE("n = " + std::to_string(n) + ", segments of " + std::to_string(mean));
      auto const offsets = some_offsets(n, mean, mean != 130, 2000, engine);
      auto in            = keys_of_a_segment_sort<Key>(n, engine);
      for (std::size_t i = in.size() / 2; i < in.size(); ++i)
        if (in[i] == Key(0)) in[i] = Key(i % 50);
      onepass::offset_segments<onepass::contiguous<int const>> const segments{{offsets.data(), extent(offsets.size())},
                                                                              n};
      std::vector<Key> out(in.size());
      sort_segments_by_teams<2, onepass::by_codes, 32>(segments, in, out);
      ASSERT_EQ(bits_of(out), bits_of(sorted_in_segments<onepass::by_codes>(in, offsets)));
    }
}
TEST(merge_sort_teams, sort_segments_of_integers_by_lanes) { sorts_segments_by_lanes<std::int32_t>(); }
TEST(merge_sort_teams, sort_segments_of_bytes_by_lanes) { sorts_segments_by_lanes<std::uint8_t>(); }
TEST(merge_sort_teams, sort_segments_of_floats_by_lanes) { sorts_segments_by_lanes<double>(); }

TEST(merge_sort_teams, sort_segments_of_small_keys)
{
  sorts_segments<1, onepass::by_codes, std::int16_t>();
  sorts_segments<1, onepass::by_codes, std::uint8_t>();
}

template <class Less, class Key>
void sorts_few_segments()
{
  random_words engine(seed());
  for (extent const n : {1, 7, 40, 128})
    for (extent const mean : {1, 5, 300})
      for (bool const everywhere : {false, true}) {
        SCOPED_TRACE("n = " + std::to_string(n) + ", segments of " + std::to_string(mean));
        auto const offsets  = some_offsets(n, mean, everywhere, 128, engine);
        auto out            = keys_of_a_segment_sort<Key>(n, engine);
        auto const expected = sorted_in_segments<Less>(out, offsets);
        using segments      = onepass::offset_segments<onepass::contiguous<int const>>;
        onepass::sort_few_segments<onepass::contiguous<Key>, onepass::contiguous<Key>, segments, Less> const p{
            {}, {out.data(), n}, {out.data(), n}, {{offsets.data(), extent(offsets.size())}, n}, n, {}};
        on_teams_with<onepass::range_sums, threads>(p.stage_bytes(threads), 1,
                                                    [&](auto const& team, int) { p.downsweep(team, 0, 0); });
        ASSERT_EQ(bits_of(out), bits_of(expected));
      }
}
TEST(merge_sort_teams, sort_few_segments_of_integers) { sorts_few_segments<less_by_six_bits, std::uint32_t>(); }
TEST(merge_sort_teams, sort_few_segments_of_floats) { sorts_few_segments<onepass::by_codes, double>(); }

TEST(merge_sort_teams, sort_everything)
{
  random_words engine(seed());
  for (extent const n : {1, 3, 47, 48, 49, 97, 500})
    for (bool const seeks : {false, true}) {
      SCOPED_TRACE("n = " + std::to_string(n) + (seeks ? ", splits sought before" : ""));
      auto const in = some_keys(n, engine);
      std::vector<std::uint32_t> out(in.size());
      std::vector<std::uint16_t> from(in.size());
      sort_by_teams(in, out, from, seeks);
      expect_sorted(in, out, from);
    }
}

TEST(merge_sort_teams, find_the_heads_around_any_position_of_a_large_tile)
{
  random_words engine(seed());
  constexpr int positions = 5000;
  for (int const every : {1, 3, 40, 700, 3000}) {
    SCOPED_TRACE("a head for every " + std::to_string(every));
    std::vector<std::uint32_t> words(onepass::head_bits::words_for(positions)),
        summary(onepass::head_bits::summary_for(positions));
    onepass::head_bits const heads{words.data(), summary.data()};
    std::vector<bool> expected(positions);
    for (int k = 0; k < positions; ++k)
      if (engine() % std::uint64_t(every) == 0) {
        heads.set(k);
        summary[std::size_t(k / 1024)] |= 1u << k / 32 % 32;
        expected[std::size_t(k)] = true;
      }
    int last = -1;
    for (int k = 0; k < positions; ++k) {
      if (int const before = last; expected[std::size_t(k)]) {
        last = k;
        for (int j = before < 0 ? 0 : before; j < k; j += 1 + (k - j) / 40)
          ASSERT_EQ(heads.first_behind(j, positions), j < before ? before : k) << "behind " << j;
      }
      ASSERT_EQ(heads.last_to(k), last) << "to " << k;
    }
    ASSERT_EQ(heads.first_behind(last < 0 ? 0 : last, positions), positions);
  }
}

TEST(merge_sort_teams, take_no_harm_from_offsets_that_make_no_sense)
{
  random_words engine(seed());
  extent const n = 700;
  for (int round = 0; round < 10; ++round) {
    std::vector<int> wild(300);
    for (auto& w : wild) w = int(engine() % 1400) - 400;
    auto const in = some_keys(n, engine);
    std::vector<std::uint32_t> out(in.size());
    onepass::offset_segments<onepass::contiguous<int const>> const segments{{wild.data(), extent(wild.size())}, n};
    sort_segments_by_teams<1, less_by_six_bits>(segments, in, out, false);
    std::vector<std::uint8_t> const bytes(in.begin(), in.end());
    std::vector<std::uint8_t> sorted(in.size());
    if (round == 0) sort_segments_by_teams<1, onepass::by_codes, 32>(segments, bytes, sorted, false);

    extent const few = 100;
    onepass::sort_few_segments<onepass::contiguous<std::uint32_t const>, onepass::contiguous<std::uint32_t>,
                               onepass::offset_segments<onepass::contiguous<int const>>, less_by_six_bits> const p{
        {}, {in.data(), few}, {out.data(), few}, {{wild.data(), few}, few}, few, {}};
    on_teams_with<onepass::range_sums, threads>(p.stage_bytes(threads), 1,
                                                [&](auto const& team, int) { p.downsweep(team, 0, 0); });
  }
}

}  // namespace
