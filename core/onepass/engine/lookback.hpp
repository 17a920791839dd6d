// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/engine/board.hpp>

namespace onepass::ONEPASS_ABI {

// How a tile learns what lies before it. The walks differ by who there is to ask and to combine:
//
//   form        who walks                     where                         why there
//   lane        one thread, tile by tile      look_back()                   a team of one: hosts
//   window      a team, a tile a thread       look_back_window()            there is nothing but memory and barriers:
//                                                                           Kokkos' teams, the user's own, classic/
//   warp        32 lanes, the others wait     cuda/team.hpp                 shuffles and ballots: no barrier a window
//   bins        a thread a bin, a few tiles   cuda/orders.hpp               256 walks side by side, of one word each
//   grids       one walk for some chains      engine/grids.hpp, cuda/grids  rows and columns are asked for together
//   look-ahead  a warp, or a team             cuda/look_ahead/prefix.hpp,   several tiles each: it adds up all between
//                                             classic/strategies/chain.hpp  two of its own, and needs no prefixes

/// Everything before the ticket's tile, combined in order, by one lane. Tile 0 always publishes an inclusive prefix
/// and ends the walk.
template <class Board, class Monoid>
ONEPASS_FUNCTION auto look_back(Board const& board, typename Board::ticket const& mine, Monoid const& monoid)
{
  using value = typename Monoid::aggregate_type;
  extent tile = mine.index - 1;
  auto all    = board.template sighted<value>(tile, mine.epoch);
  while (!all.whole) {
    auto const older = board.template sighted<value>(--tile, mine.epoch);
    all              = {monoid.combine(older.value, all.value), older.whole};  // the older operand stays on the left
  }
  return all.value;
}

/// Memory of a team that looks back, for windows of at most `Window` tiles.
template <class Value, int Window>
struct window_memory {
  static constexpr int together = 8;  ///< tiles that one thread folds

  sight<Value> seen[Window];
  sight<Value> folded[(Window + together - 1) / together];
};

namespace detail {
/// The first `count` of at most `Most` sights, the newest first, combined up to one that is whole.
template <int Most, class Value, class Monoid>
ONEPASS_FUNCTION sight<Value> folded(Monoid const& monoid, sight<Value> const* from, int count)
{
  auto all = from[0];
  ONEPASS_UNROLL for (int k = 1; k < Most; ++k)
  {
    if (k >= count) continue;
    auto const older = from[k];  // whether it is needed or not: so all loads leave before the first is waited for
    if (!all.whole) all = {monoid.combine(older.value, all.value), older.whole};
  }
  return all;
}
}  // namespace detail

/// The same for every thread of a team: windows of tiles, the nearest first, are asked for by a thread each; groups of
/// them are folded by one thread each, then every thread folds the groups. Only neighbours are combined, and no
/// identity is wanted. The team offers each(f), which calls f(rank) for every rank that the calling thread plays, and
/// barrier(); it has at least `window` ranks.
template <class Team, class Value, int Window, class Board, class Monoid>
ONEPASS_FUNCTION Value look_back_window(Team&& team, window_memory<Value, Window>& memory, int window,
                                        Board const& board, typename Board::ticket const& mine, Monoid const& monoid)
{
  constexpr int together = window_memory<Value, Window>::together, most = (Window + together - 1) / together;
  sight<Value> all{{}, false};
  for (extent last = mine.index - 1; !all.whole; last -= window) {
    team.each([&](int rank) {
      if (rank >= window) return;
      if (rank <= last) memory.seen[rank] = board.template sighted<Value>(last - rank, mine.epoch);
      else memory.seen[rank].whole = true;  // there is nothing before tile 0, which ends every walk
    });
    team.barrier();
    team.each([&](int rank) {
      int const first = rank * together;
      if (first < window) memory.folded[rank] = detail::folded<together>(monoid, memory.seen + first, window - first);
    });
    team.barrier();
    auto const older = detail::folded<most>(monoid, memory.folded, (window + together - 1) / together);
    all              = {last == mine.index - 1 ? older.value : monoid.combine(older.value, all.value), older.whole};
  }
  return all.value;
}

}  // namespace onepass::ONEPASS_ABI
