// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/engine/board.hpp>
#include <onepass/engine/items/tile.hpp>

namespace onepass::ONEPASS_ABI {

/// The number of tiles for n items: one at least, so that an empty input still finishes.
ONEPASS_FUNCTION constexpr extent tiles_of(extent n, int items) { return n > items ? div_up(n, items) : 1; }

/// The chained schedule for one ticket: read the tile, publish its aggregate, arrange what can be arranged, look back
/// for everything before it, publish the inclusive prefix, write. The last of `tiles` calls finish(all).
///
/// The team offers, besides what tile.hpp names:
///   look_back(program, board, ticket)   everything before the tile, for every thread of the team; implies a barrier
///
/// Source: decoupled look-back, Merrill & Garland 2016; see docs/references.md.
template <class Program, class Tile, class Team, class Board, class Finish>
ONEPASS_FUNCTION void take_turn(Program const& program, Tile& t, Team const& team, Board const& board,
                                typename Board::ticket const& mine, extent tiles, Finish const& finish)
{
  auto const total = t.upsweep();
  if (team.rank() == 0 && mine.index > 0) board.publish(mine, tile_status::aggregate, total);
  t.arrange();

  auto prefix = program.initial();
  if (mine.index > 0) prefix = team.look_back(program, board, mine);
  else team.barrier();  // all have read the init: the total may go where it is

  auto const inclusive = program.combine(prefix, total);
  if (team.rank() == 0) {
    board.publish(mine, tile_status::inclusive_prefix, inclusive);
    if (mine.index == tiles - 1) finish(inclusive);
  }
  t.downsweep(prefix);
}

/// The same of an item program. In place is allowed: the tile is in registers before its aggregate is published.
template <int N, class Program, class Team, class Board>
ONEPASS_FUNCTION void chained_tile(Program const& program, extent n, Team const& team, Board const& board,
                                   typename Board::ticket const& mine)
{
  tile<N, Program, Team> t(program, team, mine.index, n);
  take_turn(program, t, team, board, mine, tiles_of(n, t.items), [&](auto const& all) { program.finish(all, n); });
}

}  // namespace onepass::ONEPASS_ABI
