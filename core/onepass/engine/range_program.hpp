// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/engine/program.hpp>
#include <onepass/engine/tuning.hpp>

namespace onepass {

// A range program writes positions [0, size()), each from the input alone: its tiles have nothing to tell each other.
//
//   size()                   how many positions; read where it runs
//   alone(first, last)       some of them, by one thread
//   seek(tile, first)        notes what a team needs to know to begin a tile; by one thread each, before all teams
//   together<N>(team, tile, first, last)   a tile by a team (engine/tile.hpp) whose stage has room for N slots a thread
//   slots_per_thread(tuning)               how many slots it wants
//   positions(slots)         how many positions a tile has when the team has so many slots altogether
//   slot                     what a slot holds

/// What a team is told of a range program: what its stage holds, and that its scans add extents.
template <class Slot>
struct range_sums {
  using item_type      = Slot;
  using memo_type      = char;
  using aggregate_type = extent;

  static constexpr auto shape    = output_shape::none;
  static constexpr bool pure     = true;
  static constexpr bool commutes = true;

  contiguous<Slot const>         input() const;  // never called: says that slots lie side by side
  ONEPASS_FUNCTION static extent combine(extent a, extent b) { return a + b; }
  ONEPASS_FUNCTION static extent identity() { return 0; }
};

}  // namespace onepass
