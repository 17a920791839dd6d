// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/engine/ranges.hpp>

#include <concepts>

namespace onepass::ONEPASS_ABI {

/// What the teams of a round program tell each other; in memory of the program.
struct round_progress {
  std::uint64_t drawn;   ///< tickets
  std::uint64_t done;    ///< tiles, of all rounds after the first
  std::uint32_t rounds;  ///< that have to follow the first
};

// clang-format off
/// Positions [0, size()) that are written in several rounds. The tiles of a round are independent of each other; a
/// round begins when the one before is complete. How many there are is known from the number of tiles, or else only the
/// first round knows how many have to follow: nobody asks the device.
///
///   size()                    the number of positions
///   each(tuning)              how many of them a thread of a team takes at a time
///   stage_words(tuning)       32-bit words of the team's stage
///   alone_at_a_time           how many positions are worth starting a thread
///   most_rounds(tiles)        how many rounds can follow the first
///   begin<each>(team, tile)         the first round of a tile, by a team; every thread returns how many rounds have to
///                                   follow for this tile
///   go_on<each>(team, first, round, tile)  rounds 1, 2, ... of a tile, where those of the first had so many positions
///   begin_alone(positions, tile), go_on_alone(positions, round, tile)   the same by one thread
///   knows_rounds              whether most_rounds(tiles) do follow
///
/// If it does not know them:
///
///   progress                  a round_progress of the program's memory with any content; none is needed for one tile
///   told_rounds(tile)         once the first round is done: how many have to follow for what a tile but the first
///                             shares with the one before it. The most of all tiles do follow
///   mean()                    the length of a segment, on average
///   sorts_by_lanes            whether teams of warps sort segments in registers, for which tiles may be larger
///
/// If it does, tiles of later rounds may be smaller, so that the first ones are several of them long, and what they
/// want to know may be found for all of them before each round:
///
///   splits                    memory of an extent for each of these tiles; none if seek() is not to be called
///   seek(team, positions, first, round, group)   before a round whose tiles have so many positions, for as many as a
///                             team has groups of `seekers` threads
///   seek_words(threads)       32-bit words of such a team's stage
template <class P>
concept round_program = requires(P const p, team_tuning const& numbers, extent tile, int round) {
  { p.size() } -> std::same_as<extent>;
  { P::each(numbers) } -> std::same_as<int>;
  { P::stage_words(numbers) } -> std::same_as<int>;
  { P::alone_at_a_time } -> std::convertible_to<extent>;
  { P::most_rounds(tile) } -> std::same_as<int>;
  { P::knows_rounds } -> std::convertible_to<bool>;
  { p.begin_alone(tile, tile) } -> std::same_as<int>;
  p.go_on_alone(tile, round, tile);
};
// clang-format on

/// How many tiles a round program has.
struct round_tiles {
  extent first;   ///< in the first round
  extent sought;  ///< in later rounds, if a program that knows them may seek; else 0
};

/// The positions of a tile of a team.
template <class Program>
ONEPASS_FUNCTION constexpr int positions_of_round(team_tuning const& numbers)
{
  return numbers.threads * Program::each(numbers);
}

/// Optional: most_alone(tuning) positions are one tile, more than where there are several.
template <class Program>
concept takes_more_alone = requires(team_tuning const& numbers)
{
  {
    Program::most_alone(numbers)
    } -> std::same_as<int>;
};

/// Optional: a program that can tell whether all items are in order before the first round, and then only moves them:
///
///   runs_on(first, last, down)  whether each of the items (first, last] belongs before the one before it, or none does
///   copy(first, last)           items to the same positions of the output
///   mirror(first, last)         pairs of an item and the one as far from the end, each to the position of the other
template <class Program>
concept sees_order = requires(Program const& p, extent i)
{
  {
    p.runs_on(i, i, true)
    } -> std::same_as<bool>;
  p.copy(i, i);
  p.mirror(i, i);
};

/// Optional: with few_tiles, a program that knows its rounds is used where a device has about a tile for each of its
/// multiprocessors, or less.
template <class Program>
concept has_few_tiles = Program::knows_rounds && requires
{
  Program::few_tiles;
};

/// The number of tiles of n positions.
template <class Program>
constexpr extent tiles_of_round(team_tuning const& numbers, extent n)
{
  if constexpr (takes_more_alone<Program>)
    if (n <= Program::most_alone(numbers)) return n > 0;
  return div_up(n, positions_of_round<Program>(numbers));
}

/// The first round of a tile, by a team; a team of one thread works alone.
template <class Program, int Each, class Team>
ONEPASS_FUNCTION int begin_rounds(Program const& program, Team const& team, extent tile)
{
  if constexpr (Team::threads == 1) return program.begin_alone(Each, tile);
  else return program.template begin<Each>(team, tile);
}

/// A round after the first, where those of the first had `first` positions.
template <class Program, int Each, class Team>
ONEPASS_FUNCTION void go_on_with_rounds(Program const& program, Team const& team, extent first, int round, extent tile)
{
  if constexpr (Team::threads == 1) program.go_on_alone(Each, round, tile);
  else program.template go_on<Each>(team, first, round, tile);
}

}  // namespace onepass::ONEPASS_ABI
