// SPDX-License-Identifier: Apache-2.0
// Tile programs of a user's own, on every schedule.
#include "guarded.hpp"
#include "kernel_log.hpp"
#include "refusal.hpp"

#include <onepass/backends/run_tiles.hpp>

#include <gtest/gtest.h>

#include <random>

using namespace test;

namespace {

/// What tiles [first, last) tell: that they are neighbours, and how long their strings are together.
struct told {
  std::int32_t first, last;
  std::int64_t letters;
};

/// Spells lengths: item i becomes so many letters i. So a tile does not know where its string begins until those before
/// it have told how long theirs are.
struct spell {
  using aggregate_type = told;

  static constexpr int items = 3;  ///< of a thread
  static constexpr int never = -1;

  unmanaged<std::uint8_t> lengths;
  unmanaged<std::uint32_t> letters;
  unmanaged<told> all;
  unmanaged<std::uint32_t> swept_up, swept_down, misjoined, finished;  ///< how often: of each tile, and in all

  ONEPASS_FUNCTION static constexpr told identity() { return {never, never, 0}; }
  ONEPASS_FUNCTION static constexpr told initial() { return {0, 0, 5}; }
  ONEPASS_FUNCTION told combine(told const& older, told const& newer) const
  {
    if (older.first == never) return newer;
    if (newer.first == never) return older;
    if (older.last != newer.first) Kokkos::atomic_inc(&misjoined(0));
    return {older.first, newer.last, older.letters + newer.letters};
  }
  ONEPASS_FUNCTION void finish(told const& told_by_all) const
  {
    all(0) = told_by_all;
    Kokkos::atomic_inc(&finished(0));
  }

  ONEPASS_FUNCTION extent n() const { return extent(lengths.size()); }
  ONEPASS_FUNCTION extent tiles(int threads) const
  {
    return n() > 0 ? onepass::div_up(n(), extent(threads) * items) : 1;
  }
  ONEPASS_FUNCTION std::size_t stage_bytes(int threads) const { return std::size_t(threads) * sizeof(std::int64_t); }

  template <class Team>
  ONEPASS_FUNCTION told upsweep(Team const& team, extent tile) const
  {
    auto* const own  = reinterpret_cast<std::int64_t*>(team.stage());
    own[team.rank()] = 0;
    each_item(team, tile, [&](extent i) { own[team.rank()] += lengths(i); });
    team.barrier();
    if (team.rank() == 0) Kokkos::atomic_inc(&swept_up(tile));
    return {std::int32_t(tile), std::int32_t(tile) + 1, before(own, Team::threads)};
  }
  template <class Team>
  ONEPASS_FUNCTION void downsweep(Team const& team, extent tile, told const& earlier) const
  {
    auto* const own = reinterpret_cast<std::int64_t*>(team.stage());
    auto at         = earlier.letters + before(own, team.rank());
    each_item(team, tile, [&](extent i) {
      for (int k = 0; k < lengths(i); ++k, ++at)
        if (at < extent(letters.size())) letters(at) = std::uint32_t(i);
    });
    if (team.rank() == 0) Kokkos::atomic_inc(&swept_down(tile));
  }

private:
  ONEPASS_FUNCTION static std::int64_t before(std::int64_t const* own, int rank)
  {
    std::int64_t sum = 0;
    for (int r = 0; r < rank; ++r) sum += own[r];
    return sum;
  }
  template <class Team, class F>
  ONEPASS_FUNCTION void each_item(Team const& team, extent tile, F const& f) const
  {
    extent const first = (tile * Team::threads + team.rank()) * items;
    for (extent i = first; i < first + items && i < n(); ++i) f(i);
  }
};

guarded<std::uint32_t> zeros(extent n) { return guarded(std::vector<std::uint32_t>(std::size_t(n), 0)); }

/// Spells once, and compares with a loop.
template <class Where>
void expect_spelt(Where const& where, extent n)
{
  SCOPED_TRACE("n = " + std::to_string(n));
  std::mt19937 engine(unsigned(n) + 1);
  std::vector<std::uint8_t> lengths;
  std::vector<std::uint32_t> expected(std::size_t(spell::initial().letters), 77);
  for (extent i = 0; i < n; ++i) {
    lengths.push_back(std::uint8_t(engine() % 4 == 0 ? engine() % 9 : 0));
    expected.insert(expected.end(), lengths.back(), std::uint32_t(i));
  }
  guarded<std::uint8_t> const in(lengths);
  guarded<std::uint32_t> const out(std::vector<std::uint32_t>(expected.size(), 77));
  guarded<told> const all(1);
  extent const most = n / spell::items + 1;  // tiles, of teams of one thread
  auto const up = zeros(most), down = zeros(most), misjoined = zeros(1), finished = zeros(1);

  onepass::run(where, spell{in, out, all, up, down, misjoined, finished}, "test::spell");
  EXPECT_TRUE(out.items() == expected);
  EXPECT_EQ(misjoined.items()[0], 0u) << "what tiles tell is combined in order, the older on the left";
  EXPECT_EQ(finished.items()[0], 1u);
  auto const result = all.items()[0];
  EXPECT_EQ(result.letters, std::int64_t(expected.size()));
  EXPECT_EQ(result.first, 0);
  auto const ups = up.items(), downs = down.items();
  bool const twice = this_row().order == onepass::schedule::two_pass;
  for (extent t = 0; t < most; ++t) {
    std::uint32_t const once = t < result.last;
    ASSERT_EQ(ups[std::size_t(t)], twice ? 2 * once : once) << "tile " << t;
    ASSERT_EQ(downs[std::size_t(t)], once) << "tile " << t;
  }
  EXPECT_TRUE(out.canaries_alive() && all.canaries_alive() && up.canaries_alive() && down.canaries_alive());
}

TEST(tiles, write_strings_of_any_length_one_behind_another)
{
  for (extent const n : {0, 1, 2, 3, 4, 95, 96, 97, 768, 769, 3000, 20000}) expect_spelt(row(), n);
}

TEST(tiles, use_a_workspace_again)
{
  onepass::workspace<exec_space> scratch(exec_space{});
  scratch.set_epoch(onepass::epoch::last - 2);
  for (int repetition = 0; repetition < 5; ++repetition) expect_spelt(row().with(scratch), 2000 - repetition);
}

/// Notes who made its only tile.
template <int Mark>
struct mark_tiles : spell {
  unmanaged<int> mark;

  template <class Team>
  ONEPASS_FUNCTION void downsweep(Team const& team, extent tile, told const& before) const
  {
    spell::downsweep(team, tile, before);
    if (team.rank() == 0) mark(0) = Mark;
  }
};
struct make_tiles_otherwise : mark_tiles<2> {
  mark_tiles<1> alone() const { return {*this, mark}; }
};

TEST(tiles, are_made_in_another_way_where_a_thread_works_alone)
{
  using backend    = ONEPASS_ROW_BACKEND;
  auto const alone = std::is_same_v<backend, onepass::serial_backend> || std::is_same_v<backend, onepass::host_backend>;
  guarded<std::uint8_t> const in(std::vector<std::uint8_t>(1000, 2));
  guarded<std::uint32_t> const out(2005), up(zeros(400)), down(zeros(400)), misjoined(zeros(1)), finished(zeros(1));
  guarded<told> const all(1);
  guarded<int> const mark(1);
  onepass::run(row(), make_tiles_otherwise{{{in, out, all, up, down, misjoined, finished}, mark}}, "test::otherwise");
  EXPECT_EQ(mark.items()[0], alone ? 1 : 2);
  EXPECT_EQ(all.items()[0].letters, 2005);
}

/// Adds up some numbers by one team.
struct add_up : onepass::single_tile {
  unmanaged<std::uint32_t> numbers;
  unmanaged<std::uint32_t> sum;

  ONEPASS_FUNCTION static constexpr std::size_t stage_bytes(int threads) { return std::size_t(threads) * 4; }
  template <class Team>
  ONEPASS_FUNCTION void downsweep(Team const& team, extent, char) const
  {
    auto* const own  = reinterpret_cast<std::uint32_t*>(team.stage());
    own[team.rank()] = 0;
    for (extent i = team.rank(); i < extent(numbers.size()); i += Team::threads) own[team.rank()] += numbers(i);
    team.barrier();
    if (team.rank() > 0) return;
    sum(0) = 0;
    for (int r = 0; r < Team::threads; ++r) sum(0) += own[r];
  }
};

TEST(single_tile, is_one_kernel_of_one_team_which_takes_no_workspace)
{
  exec_space const exec;
  std::vector<std::uint32_t> numbers(10000);
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = std::uint32_t(i);
  guarded<std::uint32_t> const in(numbers), sum(1);
  {
    kernel_log const log;
    onepass::run(row(exec), add_up{{}, in, sum}, "add_up");
    expect_discipline(log, exec);
    EXPECT_LE(log.kernels.size(), 1u);
    for (auto const& kernel : log.kernels) EXPECT_EQ(kernel.label, "onepass::add_up");
  }
  EXPECT_EQ(sum.items()[0], 10000u * 9999 / 2);
  EXPECT_TRUE(sum.canaries_alive());
}

#ifdef ONEPASS_HAS_CUDA
TEST(tiles, cuda_says_which_schedule_it_lacks)
{
  if constexpr (std::is_same_v<ONEPASS_ROW_BACKEND, onepass::cuda_backend>) {
    guarded<std::uint32_t> const none(1);
    guarded<std::uint8_t> const in(1);
    guarded<told> const all(1);
    spell const program{in, none, all, none, none, none, none};
    auto const said = refusal([&] { onepass::run(row().by(onepass::schedule::two_pass), program, "test::spell"); });
    EXPECT_NE(said.find("portably(exec) has two-pass"), std::string::npos) << said;
  }
}
#endif

}  // namespace
