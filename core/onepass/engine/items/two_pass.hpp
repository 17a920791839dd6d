// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/engine/items/chained.hpp>

namespace onepass {

// The two-pass schedule, reduce then scan: no tile waits for another, so it is right wherever kernels run one after
// another. Reads the input twice and evaluates each item twice.

/// Pass 1, one team a tile: publishes the tile's aggregate.
template <int N, class Program, class Team, class Board>
ONEPASS_FUNCTION void reduce_tile(Program const& program, extent n, Team const& team, Board const& board, extent index)
{
  if (index >= tiles_of(n, N * Team::threads)) return;
  tile<N, Program, Team> t(program, team, index, n);
  auto const total = t.upsweep();
  if (team.rank() == 0) board.publish({index, board.current_epoch()}, tile_status::aggregate, total);
}

/// The scan between the passes (the spine), by one team: aggregates become exclusive prefixes; then the launch is
/// closed.
template <int N, class Program, class Team, class Board>
ONEPASS_FUNCTION void scan_spine(Program const& program, extent n, Team const& team, Board const& board)
{
  using aggregate    = typename Program::aggregate_type;
  extent const tiles = tiles_of(n, N * Team::threads);
  auto const now     = board.current_epoch();
  auto carry         = program.initial();
  for (extent first = 0; first < tiles; first += Team::threads) {
    extent const mine = first + team.rank();
    auto own          = Program::identity();
    if (mine < tiles) own = board.template read<aggregate>(mine).value();
    aggregate total;
    auto const before = team.exclusive_scan(program, own, total);
    if (mine < tiles) board.publish({mine, now}, tile_status::aggregate, program.combine(carry, before));
    carry = program.combine(carry, total);
    team.barrier();
  }
  if (team.rank() == 0) {
    program.finish(carry, n);
    board.close(now, tiles * descriptor<aggregate>::words);
  }
}

/// Pass 2, one team a tile: scans the tile from its exclusive prefix on, and writes.
template <int N, class Program, class Team, class Board>
ONEPASS_FUNCTION void scan_tile(Program const& program, extent n, Team const& team, Board const& board, extent index)
{
  if (index >= tiles_of(n, N * Team::threads)) return;
  tile<N, Program, Team> t(program, team, index, n);
  (void)t.upsweep();
  t.arrange();
  t.downsweep(board.template read<typename Program::aggregate_type>(index).value());
}

}  // namespace onepass
