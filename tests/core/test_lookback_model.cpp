// SPDX-License-Identifier: Apache-2.0
// Look-back against every state in which a reader can meet the board, on the host alone: tiles that have published
// nothing, an aggregate or an inclusive prefix, words of a descriptor that move one by one, rubbish of older launches.
#include "model_memory.hpp"

#include <onepass/engine/lookback.hpp>

#include <gtest/gtest.h>

#include <optional>

using namespace onepass;
using test::every_choice;
using test::model_memory;
using test::model_words;

namespace {

/// [first, last), which joins its true neighbour only. One word of a board, or two.
template <class Position>
struct stretch {
  Position first, last;
  friend bool operator==(stretch const&, stretch const&) = default;
};

template <class Position>
struct joining {
  using aggregate_type = stretch<Position>;
  aggregate_type combine(aggregate_type const& older, aggregate_type const& newer) const
  {
    return older.last == newer.first ? aggregate_type{older.first, newer.last} : aggregate_type{-1, -1};
  }
};

template <class Position>
struct joining_swapped : joining<Position> {
  using aggregate_type = stretch<Position>;
  aggregate_type combine(aggregate_type const& older, aggregate_type const& newer) const
  {
    return joining<Position>::combine(newer, older);
  }
};

struct paths {
  long all = 0, wrong = 0;
};

/// One thread that plays all ranks of a team.
struct ranks {
  int count;

  template <class F>
  void each(F const& f) const
  {
    for (int rank = 0; rank < count; ++rank) f(rank);
  }
  void barrier() const {}
};

/// Walks back from tile `mine` in every legal way, tile by tile or by windows of so many. Every `anchor`-th tile
/// publishes an inclusive prefix. What an older launch left bears the epoch `stale`.
template <class Position, class Monoid>
paths walk_every_way(int mine, int anchor, std::uint32_t stale, int window = 0)
{
  using value                 = stretch<Position>;
  using words_of              = descriptor<value>;
  constexpr std::uint32_t now = 7;

  paths counted;
  every_choice choices;
  do {
    std::uint64_t control = 0;
    std::vector<std::uint64_t> words(std::size_t(mine * words_of::words));
    model_memory memory(choices);
    for (int t = 0; t < mine; ++t) {
      auto const old = words_of::make(stale, tile_status::inclusive_prefix, value{Position(50 + t), Position(51 + t)});
      auto const own = words_of::make(now, tile_status::aggregate, value{Position(t), Position(t + 1)});
      auto const all = words_of::make(now, tile_status::inclusive_prefix, value{0, Position(t + 1)});
      for (int w = 0; w < words_of::words; ++w) {
        std::vector<std::uint64_t> values{old.word[w]};
        if (t > 0) values.push_back(own.word[w]);
        if (t % anchor == 0) values.push_back(all.word[w]);
        memory.expect(&words[std::size_t(t * words_of::words + w)], values);
      }
    }
    board<model_words> const seen{&control, words.data(), extent(words.size()), 1, {&memory}};
    window_memory<value, 12> noted{};
    auto const prefix = window > 0 ? look_back_window(ranks{window + 1}, noted, window, seen, {mine, now}, Monoid{})
                                   : look_back(seen, {mine, now}, Monoid{});
    ++counted.all;
    counted.wrong += prefix == value{0, Position(mine)} ? 0 : 1;
  } while (choices.next());
  return counted;
}

TEST(lookback_model, finds_everything_before_in_every_state_of_one_word)
{
  for (int mine = 1; mine <= 5; ++mine)
    for (int const anchor : {1, 2, 3, 5}) {
      auto const found = walk_every_way<std::int16_t, joining<std::int16_t>>(mine, anchor, 6);
      EXPECT_EQ(found.wrong, 0) << found.all << " paths from tile " << mine << ", anchor " << anchor;
      EXPECT_GT(found.all, mine);
    }
}

TEST(lookback_model, finds_everything_before_when_words_move_one_by_one)
{
  for (int mine = 1; mine <= 2; ++mine)
    for (int const anchor : {1, 2}) {
      auto const found = walk_every_way<std::int32_t, joining<std::int32_t>>(mine, anchor, 6);
      EXPECT_EQ(found.wrong, 0) << found.all << " paths from tile " << mine << ", anchor " << anchor;
    }
}

TEST(lookback_model, finds_everything_before_by_windows)
{
  for (int mine = 1; mine <= 4; ++mine)
    for (int const anchor : {1, 2, 3, 5})
      for (int window = 1; window <= mine + 1; ++window) {
        auto const found = walk_every_way<std::int16_t, joining<std::int16_t>>(mine, anchor, 6, window);
        EXPECT_EQ(found.wrong, 0) << found.all << " paths from tile " << mine << ", anchor " << anchor << ", window "
                                  << window;
        EXPECT_GT(found.all, mine);
      }
}

/// Counts what it is given that no tiles side by side have made.
struct joining_counted : joining<std::int16_t> {
  int* misjoined;
  aggregate_type combine(aggregate_type const& older, aggregate_type const& newer) const
  {
    *misjoined += older.last != newer.first;
    return joining<std::int16_t>::combine(older, newer);
  }
};

/// Windows that several ranks fold, over tiles that have all published; rubbish lies where a window has none.
TEST(lookback_model, finds_everything_before_by_windows_of_several_groups)
{
  using value           = stretch<std::int16_t>;
  std::uint64_t control = 0, words[40];
  int misjoined         = 0;
  every_choice choices;
  model_memory memory(choices);
  board<model_words> const seen{&control, words, 40, 1, {&memory}};
  for (int const anchor : {1, 5, 100})
    for (std::int16_t t = 0; t < 40; ++t) {
      bool const whole = t % anchor == 0;
      words[t]         = descriptor<value>::make(7, whole ? tile_status::inclusive_prefix : tile_status::aggregate,
                                                 {whole ? std::int16_t(0) : t, std::int16_t(t + 1)})
                     .word[0];
      for (int window = 1; window <= 20 && t > 0; ++window) {
        window_memory<value, 20> noted;
        for (auto& x : noted.seen) x = {{-7, -9}, false};
        for (auto& x : noted.folded) x = {{-7, -9}, false};
        joining_counted const join{{}, &misjoined};
        EXPECT_EQ(look_back_window(ranks{window}, noted, window, seen, {t, 7}, join), (value{0, t}))
            << "tile " << t << ", anchor " << anchor << ", window " << window;
      }
    }
  EXPECT_EQ(misjoined, 0);
}

// The model has to be able to fail: walks with a defect are caught.

TEST(lookback_model, catches_swapped_operands)
{
  EXPECT_EQ((walk_every_way<std::int16_t, joining_swapped<std::int16_t>>(1, 1, 6).wrong), 0);  // nothing is joined yet
  for (int const window : {0, 1, 2, 3})
    EXPECT_GT((walk_every_way<std::int16_t, joining_swapped<std::int16_t>>(3, 1, 6, window).wrong), 0);
}

TEST(lookback_model, catches_rubbish_that_bears_the_present_epoch)
{
  for (int const window : {0, 2})
    EXPECT_GT((walk_every_way<std::int16_t, joining<std::int16_t>>(2, 1, 7, window).wrong), 0);
}

}  // namespace
