// SPDX-License-Identifier: Apache-2.0
// Run-length decoding by teams of several threads.
#include "host_teams.hpp"

#include <onepass/programs/expand.hpp>
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
  program const expand{{symbols.data(), extent(symbols.size())}, {lengths.data(), extent(lengths.size())},
      {extent(lengths.size())}, begins.data(), &sum, starts.data(), {out.data(), room}};
  constexpr int per = program::slots_per_thread(test::numbers<Threads>);
  constexpr int tile = program::positions(per * Threads);
  int const tiles = int(div_up(expand.size(), tile));
  for (int t = 0; t < tiles; ++t) expand.seek(t, t * tile);
  test::on_teams<range_sums<program::slot>, per, Threads>(tiles, [&](auto const& team, int t) {
    expand.template together<per>(team, t, t * tile, std::min<extent>(t * tile + tile, expand.size()));
  });
  EXPECT_EQ(out, expected) << lengths.size() << " runs, room for " << room;
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
  std::vector<int> empty(3000, 0); // more empty runs than a stage holds
  empty[10] = 3, empty[2990] = 100;
  expect_expanded<4>(empty, 103);
  expect_expanded<7>(empty, 50);
}

} // namespace
