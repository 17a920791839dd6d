// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/engine/items/program.hpp>
#include <onepass/execution/tuning.hpp>

namespace onepass {

// A range program writes positions [0, size()), each from the input alone: its tiles have nothing to tell each other.
//
//   size()                   how many positions; read where it runs
//   alone(first, last)       some of them, by one thread
//   alone_at_a_time          how many are worth a thread's while
//   positions(tuning)        how many a team takes at a time, its tile
//   stage_words(positions)   32-bit words that the team's stage then has
//   seek(tile, first)        optional: notes what a team needs to know to begin a tile; by one thread each, before all
//                            teams
//   together<positions>(team, tile, first, last)   a tile, by a team (engine/items/tile.hpp)

template <class P>
concept range_program = requires(P const p, extent i)
{
  p.size();
  p.alone(i, i);
  P::alone_at_a_time;
};

template <class P>
concept seeks_tiles = requires(P const p, extent i)
{
  p.seek(i, i);
};

/// What a team is told of a range program: its stage is of words, and its scans add extents.
struct range_sums {
  using item_type      = std::uint32_t;
  using memo_type      = char;
  using aggregate_type = extent;

  static constexpr auto shape    = output_shape::none;
  static constexpr bool pure     = true;
  static constexpr bool commutes = true;

  contiguous<std::uint32_t const> input() const;  // never called: says that words lie side by side
  ONEPASS_FUNCTION static extent combine(extent a, extent b) { return a + b; }
  ONEPASS_FUNCTION static extent identity() { return 0; }
};

}  // namespace onepass
