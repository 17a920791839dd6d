// SPDX-License-Identifier: Apache-2.0
// The literature's snapshot of tile descriptors, met by walks of one lane and of a window, packed and fenced.
#include "traced_block.hpp"

#include <onepass/classic/strategies/chain.hpp>

#include <gtest/gtest.h>

using namespace test;
using onepass::tile_status;
using value  = std::uint32_t;
using sum    = onepass::monoid<onepass::plus, value>;
using board  = classic::chain_board<value>;
using sights = classic::sightings<value>;

namespace {

/// Eight tiles of sum 2: X has published nothing, A its aggregate, P its inclusive prefix.
class snapshot : public testing::TestWithParam<bool> {
protected:
  static constexpr std::uint32_t epoch = 7;

  std::uint64_t control = 0, words[8] = {};
  value payload[16] = {};
  board tiles{{&control, words, 8}, GetParam() ? payload : nullptr};

  void SetUp() override
  {
    for (int t = 0; auto const c : std::string("PAAPAPXA")) {
      if (c != 'X') publish(t, tile_status::aggregate, 2);
      if (c == 'P') publish(t, tile_status::inclusive_prefix, value(2 * t + 2));
      ++t;
    }
    if (GetParam()) payload[3] = 4;  // tile 1 has written its inclusive prefix, and not said so
  }

  void publish(int tile, tile_status status, value x) { tiles.publish({tile, epoch}, status, x); }

  /// {everything before the tile, how many tiles that took}
  std::pair<value, int> before(int tile, int window) const
  {
    notes<value> noted;
    no_team const nobody;
    classic::width const wide{4, 4};
    std::vector<value> memory(64, 0xdeadbeef), seen(sights::bytes_of(4) / sizeof(value));
    traced<sum> b(nobody, sum{}, wide, memory.data(), {&noted});
    auto const found = classic::look_back(b, tiles, {tile, epoch}, window, sights(seen.data(), 4));
    return {found.value, found.tiles};
  }
};

using seen = std::pair<value, int>;

TEST_P(snapshot, is_read_as_the_report_says)
{
  for (int const window : {1, 4}) {
    EXPECT_EQ(before(1, window), seen(2, 1));
    EXPECT_EQ(before(2, window), seen(4, 2));
    EXPECT_EQ(before(3, window), seen(6, 3)) << "over 2, 1 and 0";
    EXPECT_EQ(before(4, window), seen(8, 1));
    EXPECT_EQ(before(5, window), seen(10, 2)) << "over 4 and 3; what lies before them does not matter";
    EXPECT_EQ(before(6, window), seen(12, 1));
  }
  EXPECT_EQ(tiles.look(6, epoch).status, tile_status::invalid)
      << "tile 7 waits for it, although 5 knows everything before it";
  EXPECT_EQ(tiles.look(5, epoch).status, tile_status::inclusive_prefix);
  EXPECT_EQ(tiles.look(5, epoch + 1).status, tile_status::invalid) << "another launch";

  publish(6, tile_status::aggregate, 2);
  for (int const window : {1, 4}) EXPECT_EQ(before(7, window), seen(14, 2));
  for (int const t : {1, 2, 4, 6, 7}) publish(t, tile_status::inclusive_prefix, before(t, 4).first + 2);
  for (int t = 0; t < 8; ++t) EXPECT_EQ(tiles.look(t, epoch).value, value(2 * t + 2));
}

TEST_P(snapshot, is_added_up_by_who_looks_ahead)
{
  publish(6, tile_status::aggregate, 2);
  for (int t = 0; t < 8; ++t) publish(t, tile_status::aggregate, value(t + 1));  // aggregates alone
  notes<value> noted;
  no_team const nobody;
  std::vector<value> memory(64, 0xdeadbeef), space(sights::bytes_of(4) / sizeof(value));
  traced<sum> b(nobody, sum{}, {4, 4}, memory.data(), {&noted});
  sights const sighted(space.data(), 4);
  EXPECT_EQ(classic::look_ahead(b, tiles, 0, 7, epoch, sighted, value(100)), 128u);
  EXPECT_EQ(classic::look_ahead(b, tiles, 5, 5, epoch, sighted, value(100)), 100u);
  EXPECT_EQ(classic::look_ahead(b, tiles, 3, 8, epoch, sighted, value(0)), 30u);
}

INSTANTIATE_TEST_SUITE_P(descriptors, snapshot, testing::Bool(),
                         [](auto const& fenced) { return fenced.param ? "fenced" : "packed"; });

}  // namespace
