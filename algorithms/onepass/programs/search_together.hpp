// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/engine/warps.hpp>
#include <onepass/extent.hpp>
#include <onepass/portability.hpp>

#include <cstddef>

namespace onepass::ONEPASS_ABI {

/// Memory in which the threads of a team search.
template <int Most>
struct search_memory {
  extent* found;  ///< of each search: the answer
  int* told;      ///< of each search, twice: how many of its threads have found true
  bool* tells;    ///< of each thread

  ONEPASS_FUNCTION explicit search_memory(char* memory)
      : found(reinterpret_cast<extent*>(memory))
      , told(reinterpret_cast<int*>(found + Most))
      , tells(reinterpret_cast<bool*>(told + 2 * Most))
  {}
  ONEPASS_FUNCTION static constexpr std::size_t bytes(int threads)
  {
    return Most * (sizeof(extent) + 2 * sizeof(int)) + std::size_t(threads) * sizeof(bool);
  }
};

/// Where the answer of a search may still be: one of low to low + left.
struct search_range {
  extent low, left;
};

/// How many of the first positions k below size have before(k), which is true up to some position and false from there
/// on: the lanes of a warp search until no more than `enough` are left. If it is not so, it is some of 0 to size.
template <class Warp, class Before>
ONEPASS_FUNCTION search_range search_by_warp(Warp const& warp, extent size, extent enough, Before const& before)
{
  extent low = 0, left = size;
  while (left > enough) {
    extent const share = left / warp.lanes + 1, asked = share * (warp.lane + 1) - 1;
    extent const below = share * warp.count(asked < left && before(low + asked));
    low += below;
    left = share - 1 < left - below ? share - 1 : left - below;
  }
  return {low, left};
}

/// Several searches at once, one by each share of a team's threads, which come one after another. `size` and `before`
/// are those of the thread's own search: found[s] = how many of the first positions k below size have before(k), which
/// is true up to some position and false from there on. If it is not, found[s] is one of 0 to size. `longest` is the
/// same for all threads, and at least every size. In every turn each thread asks one position; or, of several searches
/// by warps, each lane of one, which needs no barrier. Ends with a barrier.
template <int Searches, class Team, int Most, class Before>
ONEPASS_FUNCTION void search_together(Team const& team, search_memory<Most> const& memory, extent longest, extent size,
                                      Before const& before)
{
  static_assert(Searches <= Most);
  constexpr int threads = Team::threads / Searches;
  int const search = team.rank() / threads, lane = team.rank() % threads;
  if constexpr (Searches > 1 && team_of_warps<Team>) {
    auto const warp = team.warp();
    if constexpr (threads >= decltype(team.warp())::lanes) {
      if (lane < warp.lanes) {
        extent const answer = search_by_warp(warp, size, 0, before).low;
        if (lane == 0) memory.found[search] = answer;
      }
      return team.barrier();
    }
  }
  extent low = 0, left = size;  // the answer is one of low to low + left
  for (int turn = 0; longest > 0; longest /= threads, ++turn) {
    extent const share = left / threads + 1, asked = share * (lane + 1) - 1;  // the last thread's is beyond
    bool const tells = asked < left && before(low + asked);
    int& told        = memory.told[turn % 2 * Most + search];
    if (lane == 0) told = 0;
    memory.tells[team.rank()] = tells;
    team.barrier();
    if (tells && !memory.tells[team.rank() + 1]) told = lane + 1;
    team.barrier();
    extent const below = share * told;
    low += below;
    left = share - 1 < left - below ? share - 1 : left - below;
  }
  if (lane == 0) memory.found[search] = low;
  team.barrier();
}

}  // namespace onepass::ONEPASS_ABI
