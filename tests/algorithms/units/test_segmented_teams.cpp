// SPDX-License-Identifier: Apache-2.0
// Sums of segments by teams of several host threads, as a device's teams make them, and the search of a team.
#include "host_warps.hpp"
#include "inputs.hpp"

#include <onepass/segmented.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <numeric>
#include <random>

using namespace test;

namespace {

using onepass::extent;

constexpr int lanes = 2;
using warp_threads  = threads_of_warp<lanes>;
template <class Team>
using with_warps = with_warps_of<lanes, Team>;
template <class Team>
struct without_warps : Team {
  warp_threads* warps;
};

/// The program of segmented_reduce run by teams of `Threads` threads, one after another, or all at once.
template <int Threads, template <class> class As, class Program>
void run_on_teams(Program const& program)
{
  using value         = typename Program::aggregate_type;
  extent const tiles  = program.tiles(Threads);
  constexpr int words = onepass::descriptor<value>::words;
  std::uint64_t state = std::uint64_t(1) << 32;
  std::vector<std::uint64_t> memory(std::size_t(tiles * words), 0);
  onepass::backends::kokkos::shared_board const board{&state, memory.data(), tiles * words};
  std::vector<warp_threads> warps(std::size_t(tiles * Threads));
  on_teams_with<Program, Threads>(program.stage_bytes(Threads), int(tiles), [&](auto const& plain, int rank) {
    As<std::remove_cvref_t<decltype(plain)>> const team{plain, warps.data() + rank * Threads};
    auto const mine = team.draw(board, tiles, tiles * words);
    onepass::program_tile const t(program, team, mine.index);
    onepass::take_turn(program, t, team, board, mine, tiles, [&](auto const& all) { program.finish(all); });
  });
}

/// Notes of those who share, one after another.
template <class Sum>
struct kept_notes {
  std::vector<Sum>& sums_left;
  std::vector<extent>& arrived;

  void leave_sum(extent k, Sum const& x) const { sums_left[std::size_t(k)] = x; }
  bool last_of(extent k, extent all) const { return ++arrived[std::size_t(k)] == all; }
  template <int N>
  void sums(extent k, extent end, Sum (&x)[N]) const
  {
    for (int j = 0; j < N && k + j < end; ++j) x[j] = sums_left[std::size_t(k + j)];
  }
};

/// segmented_reduce by turns, in an order that is drawn. Tells how many chunks were shared.
template <int Threads, class Program>
int run_relay_on_teams(Program const& p)
{
  using note         = typename Program::aggregate_type;
  extent const turns = p.turns();
  std::vector<note> sums_left(std::size_t(p.sharers()), Program::algebra::identity());
  std::vector<extent> arrived(sums_left.size()), order(std::size_t(turns + p.sharers()));
  kept_notes<note> const notes{sums_left, arrived};
  std::iota(order.begin(), order.end(), 0);
  std::shuffle(order.begin(), order.end(), random_words(seed()));
  std::vector<warp_threads> warps(Threads);
  std::atomic<int> shared = 0;
  on_teams_with<onepass::range_sums, Threads>(p.stage_bytes(Threads), 1, [&](auto const& plain, int) {
    with_warps<std::remove_cvref_t<decltype(plain)>> const team{plain, warps.data()};
    for (extent const turn : order) {
      if (turn < turns) p.take(team, turn);
      else {
        auto const found = p.look(team, turn - turns);
        if (team.rank() == 0 && found >= 0) ++shared;
        team.barrier();  // which drawing a ticket has
        p.share(team, turn - turns, found, notes);
      }
      team.barrier();
    }
  });
  return shared;
}
template <int Threads, class Op, class In, class Offsets, class Out, class Sum>
int run_relay_on_teams(In const& in, onepass::segments<Offsets> const& all, Out const& out,
                       onepass::given<Sum> const& init, bool has_init)
{
  int shared = 0;
  onepass::relayed_by_width(onepass::sums_of_segments<In, Offsets, Out, Op, Sum>{in, all, out, {}, init, has_init},
                            onepass::width_tuning_for<onepass::tiny_tuning>(1),
                            [&](auto const& program) { shared = run_relay_on_teams<Threads>(program); });
  return shared;
}

/// The same of a small input, where a thread takes a segment, or a team.
template <int Threads, bool Short, class Op, class In, class Offsets, class Out, class Sum>
void run_small_on_teams(In const& in, onepass::segments<Offsets> const& all, Out const& out,
                        onepass::given<Sum> const& init, bool has_init)
{
  using program           = onepass::small_segment_sums<In, Offsets, Out, Op, Sum, Short>;
  constexpr int positions = program::positions({.threads = Threads});
  program const p{{{in, all, out, {}, init, has_init}}, 8};
  on_teams_with<onepass::range_sums, Threads>(
      std::size_t(program::stage_words(positions)) * 4, 1, [&](auto const& team, int) {
        for (extent first = 0; first < p.size(); first += positions) {
          p.template together<positions>(team, first / positions, first, std::min(p.size(), first + positions));
          team.barrier();
        }
      });
}

/// Of items that begin `skip` after the beginning of their memory.
template <class Sum, class Op, class T>
auto program_of(std::vector<T> const& items, int skip, std::vector<int> const& offsets, onepass::contiguous<Sum> sums,
                onepass::given<Sum> init, bool has_init)
{
  using in     = onepass::contiguous<T const>;
  using bounds = onepass::contiguous<int const>;
  bounds const cuts{offsets.data(), extent(offsets.size())};
  return onepass::segment_sums_program<in, bounds, onepass::contiguous<Sum>, Op, Sum, onepass::several_tiles,
                                       onepass::tiny_tuning>{
      {}, {{items.data() + skip, extent(items.size()) - skip}, {cuts, {cuts.size}}, sums, {}, init, has_init}};
}
template <class T>
onepass::contiguous<T> all_of(std::vector<T>& items)
{
  return {items.data(), extent(items.size())};
}

/// Offsets of random segments of these mean lengths, which begin after 0 and end before the items do.
std::vector<int> offsets_of(extent mean, extent n)
{
  random_words engine(seed() + std::uint64_t(mean));
  std::vector<int> offsets{int(engine() % 20)};
  while (offsets.back() < n - 50) {
    offsets.push_back(std::min(int(n) - 3, offsets.back() + int(engine() % std::uint64_t(2 * mean + 1))));
    if (engine() % 5 == 0) offsets.insert(offsets.end(), engine() % 30, offsets.back());
  }
  return offsets;
}

template <int Threads, class Op>
void expect_composed(std::vector<int> const& offsets, extent n, int skip)
{
  auto const items = random_items<affine>(n + skip);
  affine const init{3, 4};
  std::vector<affine> sums(offsets.size() - 1), expected;
  for (std::size_t s = 0; s + 1 < offsets.size(); ++s)
    expected.push_back(
        std::accumulate(items.begin() + skip + offsets[s], items.begin() + skip + offsets[s + 1], init, compose{}));
  auto const program = program_of<affine, Op>(items, skip, offsets, all_of(sums), {init}, true);
  run_on_teams<Threads, without_warps>(program);
  EXPECT_TRUE(sums == expected);
  if constexpr (Threads % 2 == 0) {
    std::fill(sums.begin(), sums.end(), affine{});
    run_on_teams<Threads, with_warps>(program);
    EXPECT_TRUE(sums == expected) << "by warps";
  }
  auto const expect_by = [&](char const* what, auto const& run) {
    std::fill(sums.begin(), sums.end(), affine{});
    run(program.in, program.all, program.out, program.init, true);
    EXPECT_TRUE(sums == expected) << what;
  };
  expect_by("a thread", [](auto const&... x) { run_small_on_teams<Threads, true, Op>(x...); });
  expect_by("a team", [](auto const&... x) { run_small_on_teams<Threads, false, Op>(x...); });
  if constexpr (Threads % 2 == 0) {
    expect_by("by turns", [](auto const&... x) { (void)run_relay_on_teams<Threads, Op>(x...); });
  }
}

TEST(segmented_teams, compose_every_segment_in_order)
{
  for (extent const mean : {1, 2, 10, 100, 5000})
    for (int const skip : {0, 1}) {
      SCOPED_TRACE("mean length " + std::to_string(mean) + ", seed " + std::to_string(seed()));
      auto const offsets = offsets_of(mean, 700);
      expect_composed<4, compose>(offsets, 700, skip);
      expect_composed<4, compose_from_identity>(offsets, 700, skip);
    }
  expect_composed<4, compose>(std::vector<int>(900, 5), 5, 0);  // all are empty
  expect_composed<4, compose>({0, 1}, 1, 0);
  expect_composed<4, compose>({0, 0}, 0, 0);
  expect_composed<4, compose>({0, 700}, 700, 1);
  expect_composed<3, compose>(offsets_of(30, 500), 500, 1);
}

/// Numbers: operators that commute take tiles without an end another way. Of the alignments of bytes every fourth, from
/// `first` on, 0 to 3; of longer items all.
template <class T, class Sum>
void expect_added(extent n, std::vector<int> const& offsets, int first = 0)
{
  auto const items = random_items<T>(n + 16);
  for (int skip = sizeof(T) == 1 ? first : 0; skip < 16 / int(sizeof(T)); skip += sizeof(T) == 1 ? 4 : 1) {
    std::vector<Sum> sums(offsets.size() - 1, Sum(77)), expected;
    for (std::size_t s = 0; s + 1 < offsets.size(); ++s)
      expected.push_back(std::accumulate(items.begin() + skip + offsets[s], items.begin() + skip + offsets[s + 1],
                                         Sum(0), [](Sum a, T b) { return Sum(a + Sum(b)); }));
    auto const program = program_of<Sum, onepass::plus>(items, skip, offsets, all_of(sums), {}, false);
    run_on_teams<4, without_warps>(program);
    EXPECT_EQ(sums, expected) << "skipped " << skip << ", seed " << seed();
    std::fill(sums.begin(), sums.end(), Sum(77));
    run_on_teams<4, with_warps>(program);
    EXPECT_EQ(sums, expected) << "by warps, skipped " << skip << ", seed " << seed();
    auto const expect_by = [&](char const* what, auto const& run) {
      std::fill(sums.begin(), sums.end(), Sum(77));
      run(program.in, program.all, program.out, program.init, false);
      EXPECT_EQ(sums, expected) << what << ", skipped " << skip << ", seed " << seed();
    };
    using onepass::plus;
    expect_by("a thread", [](auto const&... x) { run_small_on_teams<4, true, plus>(x...); });
    expect_by("a team", [](auto const&... x) { run_small_on_teams<4, false, plus>(x...); });
    expect_by("by turns", [](auto const&... x) { (void)run_relay_on_teams<4, plus>(x...); });
  }
}

TEST(segmented_teams, add_long_and_short_segments_at_every_alignment)
{
  int first = 0;
  for (extent const mean : {3, 60, 900, 100000}) {
    expect_added<std::uint8_t, std::uint8_t>(2000, offsets_of(mean, 2000), first);
    expect_added<std::uint8_t, std::uint64_t>(1000, offsets_of(mean, 1000), first++);
    expect_added<std::uint32_t, std::uint32_t>(1500, offsets_of(mean, 1500));
    expect_added<std::uint64_t, std::uint64_t>(700, offsets_of(mean, 700));
  }
}

/// Segments that threads take one each, beside one that is too long for that, in every place of a team's steps.
TEST(segmented_teams, add_one_longer_segment_among_short_ones)
{
  for (int const longer : {1, 2, 3, 4, 7, 12, 50, 130})
    for (int at = 0; at < 40; at += 7) {
      std::vector<int> offsets{0};
      for (int s = 0; s < 40; ++s) offsets.push_back(offsets.back() + (s == at ? longer : s % 3));
      expect_added<std::uint32_t, std::uint64_t>(offsets.back(), offsets);
    }
}

/// Many items in few of many segments: a turn leaves its segments to those of chunks, whole ones and parts.
TEST(segmented_teams, share_what_one_turn_should_not_take_alone)
{
  random_words engine(seed());
  for (int const crowded : {1, 2, 40, 200})
    for (int const length : {1, 30, 90, 250, 1000}) {
      SCOPED_TRACE(std::to_string(crowded) + " of about " + std::to_string(length) + ", seed "
                   + std::to_string(seed()));
      std::vector<int> offsets{int(engine() % 70)};
      for (int s = 0; s < 400; ++s)
        offsets.push_back(
            offsets.back()
            + (s >= 150 && s < 150 + crowded ? length - int(engine() % 5) * (length / 8) : int(engine() % 3)));
      extent const n                         = offsets.back() + extent(engine() % 60);
      std::vector<std::uint32_t> const items = random_items<std::uint32_t>(n);
      auto const composed                    = random_items<affine>(n);
      affine const init{3, 4};
      std::vector<std::uint32_t> sums(400), expected;
      std::vector<affine> in_order(400), expected_in_order;
      for (std::size_t s = 0; s < 400; ++s) {
        expected.push_back(std::accumulate(items.begin() + offsets[s], items.begin() + offsets[s + 1], 0u));
        expected_in_order.push_back(
            std::accumulate(composed.begin() + offsets[s], composed.begin() + offsets[s + 1], init, compose{}));
      }
      auto const added = program_of<std::uint32_t, onepass::plus>(items, 0, offsets, all_of(sums), {}, false);
      int const shared =
          run_relay_on_teams<4, onepass::plus>(added.in, added.all, added.out, added.init, added.has_init);
      EXPECT_EQ(sums, expected);
      auto const ordered = program_of<affine, compose>(composed, 0, offsets, all_of(in_order), {init}, true);
      int const also     = run_relay_on_teams<4, compose>(ordered.in, ordered.all, ordered.out, ordered.init, true);
      EXPECT_EQ(also, shared);
      EXPECT_TRUE(in_order == expected_in_order);
      if (length >= 250 && crowded * length >= 1000) { EXPECT_GT(shared, crowded * length / 128); }
    }
}

/// Whatever the lengths are on average: half a MiB, or two of the 792 chunks of all.
TEST(segmented_teams, leave_no_turn_much_to_take_alone)
{
  using items  = onepass::contiguous<std::uint32_t const>;
  using bounds = onepass::contiguous<int const>;
  for (extent number = 1; number <= 1 << 24; number *= 4)
    for (extent n = number; n <= extent(1) << 30; n *= 3) {
      SCOPED_TRACE(std::to_string(n) + " items in " + std::to_string(number) + " segments");
      using sums =
          onepass::sums_of_segments<items, bounds, onepass::contiguous<std::uint32_t>, onepass::plus, std::uint32_t>;
      onepass::relayed_by_width(sums{{nullptr, n}, {{nullptr, number + 1}, {number + 1}}, {}, {}, {}, {}},
                                onepass::width_tuning_for<onepass::measured_tuning>(4), [&](auto const& p) {
                                  EXPECT_LE(p.alone, std::max<extent>(1 << 17, 2 * (n / 792 + 1)));
                                  EXPECT_EQ(p.sharers() > 0, n > p.alone);
                                  EXPECT_LE(p.stage_bytes(256), 64u << 10);
                                });
    }
}

/// By a single team: sums, and scans in place.
TEST(segmented_teams, compose_few_segments_at_once)
{
  for (extent const mean : {1, 3, 40, 400})
    for (extent const n : {60, 61, 130, 500}) {
      SCOPED_TRACE("mean length " + std::to_string(mean) + ", seed " + std::to_string(seed()));
      auto const offsets = offsets_of(mean, n);
      auto const items   = random_items<affine>(n);
      affine const init{3, 4};
      onepass::contiguous<affine const> const in{items.data(), n};
      onepass::contiguous<int const> const cuts{offsets.data(), extent(offsets.size())};
      onepass::segments<onepass::contiguous<int const>> const all{cuts, {cuts.size}};
      std::vector<affine> sums(offsets.size() - 1), expected_sums, scanned(items), expected(items);
      auto const scan_of = [&](int begin, int end) {
        auto made = init;
        for (int i = begin; i < end; ++i) expected[std::size_t(i)] = made = compose{}(made, items[std::size_t(i)]);
        return made;
      };
      if (all.number() > 0) scan_of(0, offsets.front());
      for (std::size_t s = 0; s + 1 < offsets.size(); ++s) expected_sums.push_back(scan_of(offsets[s], offsets[s + 1]));
      using sums_type = onepass::segment_sums_program<onepass::contiguous<affine const>, onepass::contiguous<int const>,
                                                      onepass::contiguous<affine>, compose, affine,
                                                      onepass::single_tile, onepass::tiny_tuning>;
      using base_type = onepass::scan_program<onepass::scan_kind::inclusive, onepass::contiguous<affine const>,
                                              onepass::contiguous<affine>, affine, compose, onepass::unchanged>;
      using scan_type = onepass::segmented_scan_program<base_type, onepass::is_head, true>;
      auto const at_once = [](auto const& program) {
        using type = std::decay_t<decltype(program)>;
        on_teams_with<type, 4>(program.stage_bytes(4), 1,
                               [&](auto const& team, int) { onepass::take_single_tile(program, team); });
      };
      at_once(sums_type{{}, {in, all, all_of(sums), {}, {init}, true}});
      EXPECT_TRUE(sums == expected_sums);
      scan_type const scan{{{scanned.data(), n}, all_of(scanned), {}, {}, {init}, true, nullptr}, {}};
      at_once(onepass::scan_few<scan_type, onepass::contiguous<int const>>{{}, scan, all, n});
      EXPECT_TRUE(scanned == expected) << "one tile";

      scanned         = items;
      using each_type = onepass::small_segment_scans<base_type, onepass::contiguous<int const>>;
      each_type const each{scan.base, all, 8};
      constexpr int positions = each_type::positions({.threads = 4});
      on_teams_with<onepass::range_sums, 4>(
          std::size_t(each_type::stage_words(positions)) * 4, 1, [&](auto const& team, int) {
            for (extent first = 0; first < each.size(); first += positions) {
              each.together<positions>(team, first / positions, first, std::min(each.size(), first + positions));
              team.barrier();
            }
          });
      EXPECT_TRUE(scanned == expected) << "each by a thread, or a team";
    }
}

TEST(segmented_teams, write_nothing_outside_for_offsets_that_make_no_sense)
{
  random_words engine(seed());
  std::vector<std::uint32_t> const items(500, 1);
  for (int round = 0; round < 60; ++round) {
    std::vector<int> wild(150);
    for (int k = 0; k < 150; ++k) {
      bool const senseless = int(engine() % 8) < round % 9;
      wild[std::size_t(k)] = senseless ? int(engine() % 1000) - 250 : 3 * k;
    }
    std::vector<std::uint32_t> sums(149 + 64, 77);
    onepass::contiguous<std::uint32_t> const inner{sums.data() + 32, 149};
    auto const program = program_of<std::uint32_t, onepass::plus>(items, 0, wild, inner, {}, false);
    run_on_teams<4, without_warps>(program);
    run_on_teams<4, with_warps>(program);
    (void)run_relay_on_teams<4, onepass::plus>(program.in, program.all, program.out, program.init, false);
    for (int k = 0; k < 32; ++k) ASSERT_TRUE(sums[std::size_t(k)] == 77 && sums[std::size_t(32 + 149 + k)] == 77);
  }
}

/// Each of the team's threads gets the answer of std::partition_point, for all numbers of questions' answers.
TEST(segmented_teams, search_for_two_points_at_once)
{
  for (extent const n : {0, 1, 2, 3, 4, 5, 15, 16, 17, 63, 64, 65, 300})
    for (extent first = 0; first <= n; first += n > 20 ? 7 : 1) {
      extent const second = n - first / 2;
      on_teams_with<onepass::range_sums, 4>(64, 1, [&](auto const& team, int) {
        extent at[2];
        onepass::partition_points(
            team, n,
            [&](extent i, int m) {
              EXPECT_TRUE(i >= 0 && i < n);
              return i < (m == 0 ? first : second);
            },
            reinterpret_cast<extent*>(team.stage()), at);
        EXPECT_EQ(at[0], first);
        EXPECT_EQ(at[1], second);
      });
    }
}

}  // namespace
