// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/engine/items/program.hpp>
#include <onepass/execution/tuning.hpp>

#include <algorithm>

namespace onepass::ONEPASS_ABI {

// A range program writes positions [0, size()), each computed from the input alone: its tiles are independent.
//
//   size()                   the number of positions; read where the program runs
//   alone(first, last)       writes positions [first, last), by one thread
//   alone_at_a_time          how many positions are worth starting a thread
//   positions(tuning)        how many positions a team takes at a time: its tile
//   stage_words(positions)   32-bit words that the team's stage then has
//   seek(tile, first)        optional: finds out and notes where a tile's input begins; by one thread per tile, before
//                            all teams
//   together<positions>(team, tile, first, last)   writes a tile, by a team (engine/items/tile.hpp)
//   holds_positions          optional: true if threads hold many positions in registers, and gain by more
//   holds_items              optional: true if threads hold many items of a position in registers
//   prepare(team)            optional: by a team before its first tile
//   bytes()                  optional: what all positions read; 8 bytes each, if it does not say so
//   in_turns                 optional: as many teams as are resident take tiles in turn, as long as together() returns
//                            true. So the first tiles are the first to be taken, and a program may be done early

template <class P>
concept range_program = requires(P const p, extent i)
{
  p.size();
  p.alone(i, i);
  P::alone_at_a_time;
};

template <class P>
concept holds_positions = range_program<P> && requires
{
  requires P::holds_positions;
};

template <class P>
concept holds_items = range_program<P> && requires
{
  requires P::holds_items;
};

/// A program of which hosts take the first few positions where the call is:
///   few                 so many
///   take_few(last)      positions [0, last), no more than these
template <class P>
concept takes_few = range_program<P> && requires(P const p, extent i)
{
  p.take_few(i);
  P::few;
};

/// One that may have its answer before it has been at all positions. On hosts the calling thread goes ahead, and then
/// threads take what is left in turn, so that all are near the front:
///   some                positions that the calling thread takes before it asks others
///   ended(last)         whether the answer is known when [0, last) are done
template <class P>
concept ends_early = takes_few<P> && requires(P const p, extent i)
{
  p.ended(i);
  P::some;
};

/// One that may merge numbers in memory, for which hosts may have a faster way:
///   of_numbers                    whether it does
///   item                          their type
///   alone_by(merge, first, last)  alone(), by merge(a, a_end, b, b_end, out), which knows no NaNs, and of zeros with
///                                 signs gives as many as there are, with any
template <class P>
concept merges_numbers = range_program<P> && requires
{
  requires P::of_numbers;
  typename P::item;
};

template <class P>
concept seeks_tiles = requires(P const p, extent i)
{
  p.seek(i, i);
};

template <class P, class Team>
concept prepares_teams = requires(P const p, Team const& team)
{
  p.prepare(team);
};

template <class P>
concept takes_turns = requires
{
  requires P::in_turns;
};

/// How many teams are launched for so many tiles, where resident() are at a time.
template <range_program Program, class Resident>
int teams_for_tiles(extent tiles, Resident const& resident)
{
  if constexpr (takes_turns<Program>) return int(std::min<extent>(tiles, resident()));
  else return int(tiles);
}

/// A team's tiles of n positions: its own, or every `teams`-th from its own on.
template <int Items, range_program Program, class Team>
ONEPASS_FUNCTION void take_tiles(Program const& program, Team const& team, extent tile, extent teams)
{
  extent const n = program.size();
  if constexpr (prepares_teams<Program, Team>) program.prepare(team);
  for (extent first = tile * Items; first < n; tile += teams, first = tile * Items) {
    extent const last = first + Items < n ? first + Items : n;
    if constexpr (!takes_turns<Program>) return program.template together<Items>(team, tile, first, last);
    else if (!program.template together<Items>(team, tile, first, last)) return;
  }
}

/// What a team needs of a range program in place of an item program: its stage holds words, and its scans add extents.
struct range_sums {
  using item_type      = std::uint32_t;
  using memo_type      = char;
  using aggregate_type = extent;

  static constexpr auto shape    = output_shape::none;
  static constexpr bool pure     = true;
  static constexpr bool commutes = true;

  contiguous<std::uint32_t const> input() const;  // never called: its type tells that words are contiguous
  ONEPASS_FUNCTION static extent combine(extent a, extent b) { return a + b; }
  ONEPASS_FUNCTION static extent identity() { return 0; }
};

}  // namespace onepass::ONEPASS_ABI
