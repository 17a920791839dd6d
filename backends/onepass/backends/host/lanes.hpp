// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/backends/host/threads.hpp>
#include <onepass/engine/lanes.hpp>
#include <onepass/execution/place.hpp>

namespace onepass::ONEPASS_ABI::backends::host {

/// Few tiles are the calling thread's.
template <place_like Where, lane_program Program>
bool finished_at_once(backend, Where const&, Program const& program)
{
  extent const tiles = program.tiles();
  if (tiles >= alone_below_tiles<tuning_of<Where>>()) return false;
  program.run_tiles(0, tiles);
  return true;
}

/// Each thread of a host space takes an equal number of neighbouring tiles.
template <class Exec, lane_program Program, class Tuning>
void queue_program(place<Exec, backend, Tuning> const& where, Program const& program)
{
  extent const tiles = program.tiles(), threads = threads_for_tiles<Tuning>(where.space, tiles);
  on_threads(where.label, where.space, threads,
             [&](extent t) { program.run_tiles(tiles * t / threads, tiles * (t + 1) / threads); });
}

}  // namespace onepass::ONEPASS_ABI::backends::host
