// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/engine/items/chained.hpp>

namespace onepass::ONEPASS_ABI {

// The two-pass schedule, reduce then scan: no tile waits for another, so it is right wherever kernels run one after
// another. Reads the input twice and evaluates each item twice.

/// Pass 1, one team a tile: publishes the tile's aggregate.
template <class Tile, class Team, class Board>
ONEPASS_FUNCTION void reduce_tile(Tile&& t, Team const& team, Board const& board, extent index)
{
  auto const total = t.upsweep();
  if (team.rank() == 0) board.publish({index, board.current_epoch()}, tile_status::aggregate, total);
}

/// The scan between the passes (the spine), by one team: aggregates become exclusive prefixes; then finish(all) is
/// called and the launch is closed.
template <class Program, class Team, class Board, class Finish>
ONEPASS_FUNCTION void scan_spine(Program const& program, extent tiles, Team const& team, Board const& board,
                                 Finish const& finish)
{
  using aggregate = typename Program::aggregate_type;
  auto const now  = board.current_epoch();
  auto carry      = program.initial();
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
    finish(carry);
    board.close(now, tiles * descriptor<aggregate>::words);
  }
}

/// Pass 2, one team a tile: scans the tile from its exclusive prefix on, and writes.
template <class Tile, class Board>
ONEPASS_FUNCTION void scan_tile(Tile&& t, Board const& board, extent index)
{
  using aggregate = decltype(t.upsweep());
  (void)t.upsweep();
  t.arrange();
  t.downsweep(board.template read<aggregate>(index).value());
}

// The same for item programs.

template <int N, class Program, class Team, class Board>
ONEPASS_FUNCTION void reduce_tile(Program const& program, extent n, Team const& team, Board const& board, extent index)
{
  if (index >= tiles_of(n, N * Team::threads)) return;
  tile<N, Program, Team> t(program, team, index, n);
  reduce_tile(t, team, board, index);
}
template <int N, class Program, class Team, class Board>
ONEPASS_FUNCTION void scan_spine(Program const& program, extent n, Team const& team, Board const& board)
{
  scan_spine(program, tiles_of(n, N * Team::threads), team, board, [&](auto const& all) { program.finish(all, n); });
}
template <int N, class Program, class Team, class Board>
ONEPASS_FUNCTION void scan_tile(Program const& program, extent n, Team const& team, Board const& board, extent index)
{
  if (index >= tiles_of(n, N * Team::threads)) return;
  tile<N, Program, Team> t(program, team, index, n);
  scan_tile(t, board, index);
}

}  // namespace onepass::ONEPASS_ABI
