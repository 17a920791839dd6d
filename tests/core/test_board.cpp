// SPDX-License-Identifier: Apache-2.0
#include <onepass/engine/board.hpp>

#include <gtest/gtest.h>

#include <vector>

using namespace onepass;

namespace {

/// Words of one thread.
struct plain_words {
  static std::uint64_t load(std::uint64_t const* p) { return *p; }
  static void store(std::uint64_t* p, std::uint64_t w) { *p = w; }
  static std::uint64_t fetch_add(std::uint64_t* p, std::uint64_t by)
  {
    auto const before = *p;
    *p += by;
    return before;
  }
  static void pause(int) {}
};

class board_of : public testing::Test {
protected:
  static std::uint64_t opening(std::uint32_t epoch) { return std::uint64_t(epoch) << 32; }

  /// A launch of `tiles` tiles of one word, each of which publishes `value`.
  void launch(extent tiles, std::uint32_t value)
  {
    for (extent t = 0; t < tiles; ++t) board_.publish(board_.draw(tiles, tiles), tile_status::inclusive_prefix, value);
  }

  std::uint64_t control_            = opening(1);
  std::vector<std::uint64_t> words_ = std::vector<std::uint64_t>(16);
  board<plain_words> board_{&control_, words_.data(), 16};
};

TEST_F(board_of, numbers_tiles_in_the_order_of_arrival)
{
  for (extent t = 0; t < 3; ++t) {
    auto const mine = board_.draw(5, 5);
    EXPECT_EQ(mine.index, t);
    EXPECT_EQ(mine.epoch, 1u);
  }
}

TEST_F(board_of, opens_the_next_launch_with_the_last_ticket)
{
  launch(5, 1);
  EXPECT_EQ(control_, opening(2));
  launch(1, 1);
  EXPECT_EQ(control_, opening(3));
  control_ = opening(epoch::last);
  launch(3, 1);
  EXPECT_EQ(control_, opening(1));
}

TEST_F(board_of, shows_a_new_launch_nothing_of_the_older_ones)
{
  launch(16, 1);
  for (extent t = 0; t < 16; ++t)
    EXPECT_EQ(board_.read<std::uint32_t>(t).status(board_.current_epoch()), tile_status::invalid);
}

TEST_F(board_of, withholds_inclusive_prefixes_when_it_is_reluctant)
{
  board_.anchor = 4;
  for (extent t = 0; t < 9; ++t) {
    auto const mine = board_.draw(9, 9);
    board_.publish(mine, tile_status::aggregate, 5u);
    board_.publish(mine, tile_status::inclusive_prefix, 6u);
  }
  for (extent t = 0; t < 9; ++t)
    EXPECT_EQ(board_.read<std::uint32_t>(t).status(1),
              t % 4 == 0 ? tile_status::inclusive_prefix : tile_status::aggregate);
}

TEST_F(board_of, leaves_no_word_that_outlives_the_wrap_around)
{
  launch(16, 1);  // every word bears epoch 1
  control_ = opening(epoch::last - 16);
  for (int small = 0; small < 17; ++small) launch(1, 2);
  ASSERT_EQ(board_.current_epoch(), 1u);
  for (extent t = 1; t < 16; ++t)
    EXPECT_EQ(board_.read<std::uint32_t>(t).status(1), tile_status::invalid) << "word " << t;
}

TEST_F(board_of, clears_no_word_that_is_in_use)
{
  for (std::uint32_t e = 1; e < 40; ++e) {
    board<plain_words>::ticket mine{};
    for (extent t = 0; t < 15; ++t) {
      mine = board_.draw(16, 15);
      board_.publish(mine, tile_status::inclusive_prefix, e);
    }
    board_.draw(16, 15);
    for (extent t = 0; t < 15; ++t) EXPECT_EQ(board_.read<std::uint32_t>(t).status(e), tile_status::inclusive_prefix);
  }
}

}  // namespace
