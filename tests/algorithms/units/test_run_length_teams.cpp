// SPDX-License-Identifier: Apache-2.0
// Run-length decoding by teams of several threads.
#include "host_teams.hpp"

#include <onepass/programs/run_length_decode.hpp>
#include <onepass/sequences.hpp>

#include <gtest/gtest.h>

#include <random>

using namespace onepass;

namespace {

/// Expands runs of these lengths by teams of Threads threads, `room` positions of them.
template <int Threads>
void expect_expanded(std::vector<int> const& lengths, extent room)
{
  std::vector<std::uint32_t> symbols, expected, out;
  std::vector<extent> begins, starts(std::size_t(room) + 1);
  for (std::size_t r = 0; r < lengths.size(); ++r) {
    if (r % runs_of_group == 0) begins.push_back(extent(expected.size()));
    symbols.push_back(std::uint32_t(r) * 2654435761u);
    expected.insert(expected.end(), std::size_t(lengths[r]), symbols.back());
  }
  extent const sum = extent(expected.size());
  expected.resize(std::size_t(room), 77);
  out.assign(std::size_t(room), 77);

  using program = expansion<contiguous<std::uint32_t const>, contiguous<int const>, contiguous<std::uint32_t>>;
  program const expand{{{symbols.data(), extent(symbols.size())},
                        {lengths.data(), extent(lengths.size())},
                        {extent(lengths.size())},
                        {out.data(), room}},
                       begins.data(),
                       &sum,
                       starts.data()};
  constexpr int tile  = program::positions(test::numbers<Threads>);
  constexpr int words = int(div_up(program::stage_words(tile), Threads));  // of a thread
  int const tiles     = int(div_up(expand.size(), tile));
  for (int t = 0; t < tiles; ++t) expand.seek(t, t * tile);
  test::on_teams<range_sums, words, Threads>(tiles, [&](auto const& team, int t) {
    expand.template together<tile>(team, t, t * tile, std::min<extent>(t * tile + tile, expand.size()));
  });
  EXPECT_EQ(out, expected) << lengths.size() << " runs, room for " << room;

  auto const expect_at_once = [&](auto const& at_once, int const& total, char const* how) {
    out.assign(std::size_t(room), 77);
    test::on_teams<range_sums, words, Threads>(int(div_up(room, tile)), [&](auto const& team, int t) {
      at_once.template together<tile>(team, t, t * tile, std::min<extent>(t * tile + tile, room));
    });
    EXPECT_EQ(out, expected) << lengths.size() << " runs by " << how << ", room for " << room;
    EXPECT_EQ(total, sum);
    std::fill(out.begin(), out.end(), 77);
    for (extent first = 0; first < room; first += 100) at_once.alone(first, std::min<extent>(first + 100, room));
    EXPECT_EQ(out, expected) << lengths.size() << " runs by " << how << ", alone, room for " << room;
    EXPECT_EQ(total, sum);
  };
  int total = -1;
  expect_at_once(
      expansion_of_few<contiguous<std::uint32_t const>, contiguous<int const>, contiguous<std::uint32_t>, int>{
          expand, {lengths.data(), extent(lengths.size())}, &total},
      total, "lengths");
  total = -1;
  std::vector<extent> sums(std::size_t(div_up(extent(lengths.size()), runs_of_group)), 0);
  for (std::size_t r = 0; r < lengths.size(); ++r) sums[r / runs_of_group] += lengths[r];
  expect_at_once(
      expansion_of_few<contiguous<std::uint32_t const>, contiguous<int const>, contiguous<std::uint32_t>, int,
                       runs_of_group, contiguous<extent const>>{expand, {sums.data(), extent(sums.size())}, &total},
      total, "sums of groups");
}

/// The sums of groups of runs of these lengths, of which the last `beyond` are no runs, by teams of Threads threads.
template <int Threads>
void expect_sums(std::vector<int> const& lengths, extent beyond)
{
  extent const runs = extent(lengths.size()) - beyond, groups = div_up(extent(lengths.size()), runs_of_group);
  std::vector<extent> expected(std::size_t(groups), 0), sums(std::size_t(groups), 77);
  for (extent r = 0; r < runs; ++r) expected[std::size_t(r / runs_of_group)] += std::max(0, lengths[std::size_t(r)]);

  using program = group_sums<contiguous<int const>>;
  program const add{{lengths.data(), extent(lengths.size())}, {runs}, {sums.data(), groups}};
  constexpr int tile  = program::positions(test::numbers<Threads>);
  constexpr int words = int(div_up(program::stage_words(tile), Threads));
  test::on_teams<range_sums, words, Threads>(int(div_up(groups, tile)), [&](auto const& team, int t) {
    add.template together<tile>(team, t, t * tile, std::min<extent>(t * tile + tile, groups));
  });
  EXPECT_EQ(sums, expected) << runs << " runs";
  std::fill(sums.begin(), sums.end(), 77);
  add.alone(0, groups);
  EXPECT_EQ(sums, expected) << runs << " runs, alone";
}

TEST(expand_teams, add_the_lengths_of_every_group)
{
  std::mt19937 engine(8);
  for (int const number : {1, 63, 64, 65, 1000, 3000}) {
    std::vector<int> lengths;
    for (int r = 0; r < number; ++r) lengths.push_back(int(engine() % 1000) - 100);  // negative ones count as none
    for (extent const beyond : {0, 1, 50}) {
      if (beyond > number) continue;
      expect_sums<4>(lengths, beyond);
      expect_sums<7>(lengths, beyond);
    }
  }
}

TEST(expand_teams, write_every_position_once_whatever_the_lengths)
{
  std::mt19937 engine(7);
  for (int const longest : {1, 2, 9, 1000, 20000}) {
    std::vector<int> lengths;
    for (extent sum = 0; sum < 1500; sum += lengths.back()) lengths.push_back(int(engine() % unsigned(longest + 1)));
    for (extent const room : {1, 63, 1000, 1600}) {
      expect_expanded<4>(lengths, room);
      expect_expanded<7>(lengths, room);
    }
  }
  std::vector<int> empty(3000, 0);  // more empty runs than a stage holds
  empty[10] = 3, empty[2990] = 100;
  expect_expanded<4>(empty, 103);
  expect_expanded<7>(empty, 50);
}

}  // namespace
