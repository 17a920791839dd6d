// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/engine/board.hpp>

namespace onepass {

/// Everything before the ticket's tile, combined in order, by one lane. Tile 0 always publishes an inclusive prefix
/// and ends the walk.
template <class Board, class Monoid>
ONEPASS_FUNCTION auto look_back(Board const& board, typename Board::ticket const& mine, Monoid const& monoid)
{
  using value  = typename Monoid::aggregate_type;
  extent tile  = mine.index - 1;
  auto seen    = board.template wait<value>(tile, mine.epoch);
  value prefix = seen.value();
  while (seen.status(mine.epoch) != tile_status::inclusive_prefix) {
    seen   = board.template wait<value>(--tile, mine.epoch);
    prefix = monoid.combine(seen.value(), prefix);  // the older operand stays on the left
  }
  return prefix;
}

}  // namespace onepass
