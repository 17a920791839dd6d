// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/columns.hpp>
#include <onepass/engine/ranges.hpp>
#include <onepass/engine/registers.hpp>
#include <onepass/engine/relays.hpp>
#include <onepass/programs/apply_permutation.hpp>

namespace onepass::ONEPASS_ABI {

// At random, a row of each View is read from another sector of memory, of which little is used. Rows side by side in
// records are read whole; but then all is written and read once more, which is slower where neighbours come from near
// each other. Which of both a permutation is, is found out on the device. These are relay programs whose turns are
// independent: records are made and taken apart in the stages of teams, so that memory is read and written in order.

/// Whether a permutation is at random: whether, of some pairs of neighbours, most come from far apart. One team looks.
template <class Permutation>
struct judge_permutation {
  Permutation permutation;
  extent pairs, near;
  std::uint32_t* at_random;

  ONEPASS_FUNCTION static extent turns() { return 1; }
  static std::size_t stage_bytes(int) { return 0; }

  template <class Team>
  ONEPASS_FUNCTION void take(Team const& team, extent) const
  {
    extent far = 0, all = 0;
    ONEPASS_UNROLL for (extent p = team.rank(); p < pairs; p += Team::threads)
    {
      extent const i = (permutation.size - 1) * p / pairs;
      auto const a = extent(permutation(i)), b = extent(permutation(i + 1));
      far += (a < b ? b - a : a - b) > near;
    }
    (void)team.exclusive_scan(range_sums{}, far, all);
    if (team.rank() == 0) *at_random = 2 * all > pairs;
  }
};

/// How n records lie in memory and, with room behind each so that they begin in different banks, in the stages of
/// teams, so many at a time.
struct record_shape {
  static constexpr int word = 16, room = 16;

  extent n;
  int bytes, together;
  extent teams;

  ONEPASS_FUNCTION int words() const { return bytes / word; }
  ONEPASS_FUNCTION int step() const { return bytes + room; }
  std::size_t stage_bytes() const { return std::size_t(together) * std::size_t(step()); }

  /// Calls f(first row, rows) for each tile of a turn.
  template <class F>
  ONEPASS_FUNCTION void each_tile(extent turn, F const& f) const
  {
    for (extent first = turn * together; first < n; first += teams * together)
      f(first, int(n - first < together ? n - first : together));
  }
};

/// Base of both steps. `records` are the columns of the records in memory, from `memory` on.
template <class Records>
struct step_of_records {
  record_shape shape;
  std::byte* memory;
  Records records;
  std::uint32_t const* at_random;

  ONEPASS_FUNCTION extent turns() const { return shape.teams; }
  std::size_t stage_bytes(int) const { return shape.stage_bytes(); }

protected:
  using words = raw<pack>;
  static_assert(sizeof(words) == record_shape::word);

  /// A column of the records that are in the stage.
  template <int C, class Team>
  ONEPASS_FUNCTION auto in_stage(Team const& team) const
  {
    auto column = records.template get<C>();
    column.data = reinterpret_cast<std::byte*>(team.stage()) + (column.data - memory);
    column.step = shape.step();
    return column;
  }

  /// Moves row source(r) of some columns to row target(r) of others, for every r of a thread; single items are all read
  /// before one is written.
  template <int C, int... Later, class From, class To>
  ONEPASS_FUNCTION static void move_rows(From const& from, extent source, To const& to, extent target)
  {
    auto const a     = from(std::integral_constant<int, C>{});
    auto const b     = to(std::integral_constant<int, C>{});
    auto const later = [&] {
      if constexpr (sizeof...(Later) > 0) move_rows<Later...>(from, source, to, target);
    };
    if constexpr (has_wide_rows<decltype(b)>) {
      move_row(a, source, b, target, 0, 1);
      later();
    } else {
      auto const x = static_cast<typename decltype(b)::value_type>(a(source));
      later();
      b(target) = x;
    }
  }

  /// Moves the words of `rows` records: to(row, word) = from(row, word), several of a thread on their way.
  template <class Team, class From, class To>
  ONEPASS_FUNCTION void move_words(Team const& team, int rows, From const& from, To const& to) const
  {
    constexpr int several = 4;
    int const each = shape.words(), all = rows * each;
    for (int begin = team.rank(); begin < all; begin += several * Team::threads) {
      words held[several];
      ONEPASS_UNROLL for (int k = 0; k < several; ++k) if (int const j = begin + k * Team::threads; j < all) held[k] =
          *from(j / each, j % each);
      ONEPASS_UNROLL for (int k = 0; k < several; ++k) if (int const j = begin + k * Team::threads; j < all)
          * to(j / each, j % each) = held[k];
    }
  }
  template <class Team>
  ONEPASS_FUNCTION words* staged_word(Team const& team, int row, int word) const
  {
    return reinterpret_cast<words*>(team.stage() + row * shape.step()) + word;
  }
  ONEPASS_FUNCTION words* word_of(extent row, int word) const
  {
    return reinterpret_cast<words*>(memory + row * shape.bytes) + word;
  }
};

/// First step: the rows of all Views become records.
template <class Records, class From, int... C>
struct make_records : step_of_records<Records> {
  using base = step_of_records<Records>;

  From from;

  template <class Team>
  ONEPASS_FUNCTION void take(Team const& team, extent turn) const
  {
    if (!*this->at_random) return;
    this->shape.each_tile(turn, [&](extent first, int rows) {
      for (int r = team.rank(); r < rows; r += Team::threads)
        base::template move_rows<C...>([&](auto c) { return from.template get<c.value>(); }, first + r,
                                       [&](auto c) { return this->template in_stage<c.value>(team); }, r);
      team.barrier();
      this->move_words(
          team, rows, [&](int row, int word) { return this->staged_word(team, row, word); },
          [&](int row, int word) { return this->word_of(first + row, word); });
      team.barrier();
    });
  }
};

/// Second step: records in the order of the permutation are taken apart.
template <class Records, class Permutation, class To, int... C>
struct take_records : step_of_records<Records> {
  using base = step_of_records<Records>;

  Permutation permutation;
  To to;

  template <class Team>
  ONEPASS_FUNCTION void take(Team const& team, extent turn) const
  {
    if (!*this->at_random) return;
    this->shape.each_tile(turn, [&](extent first, int rows) {
      this->move_words(
          team, rows, [&](int row, int word) { return this->word_of(extent(permutation(first + row)), word); },
          [&](int row, int word) { return this->staged_word(team, row, word); });
      team.barrier();
      for (int r = team.rank(); r < rows; r += Team::threads)
        base::template move_rows<C...>([&](auto c) { return this->template in_stage<c.value>(team); }, r,
                                       [&](auto c) { return to.template get<c.value>(); }, first + r);
      team.barrier();
    });
  }
};

/// A call that does nothing where a permutation is at random.
template <class Body>
struct unless_at_random {
  Body body;
  std::uint32_t const* at_random;
  ONEPASS_FUNCTION void operator()(extent i) const
  {
    if (!*at_random) body(i);
  }
};

}  // namespace onepass::ONEPASS_ABI
