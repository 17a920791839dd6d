// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/engine/ranges.hpp>
#include <onepass/engine/splits.hpp>
#include <onepass/programs/search.hpp>

#include <cstdint>

namespace onepass::ONEPASS_ABI {

// Searches on devices, beside one a thread: a thread searches for several of many needles, and a team for one of a few
// (docs/decisions/0035-queries.md).

/// Whether a device searches for each needle by a team: for so few among so many that threads would wait longer.
template <class Tuning>
constexpr bool searches_by_teams(extent items, extent needles)
{
  return needles <= (is_tiny<Tuning> ? 20 : 1024) && items >= (is_tiny<Tuning> ? 100 : 1024);
}

/// Whether a device searches for several needles by a thread: not for so few that multiprocessors would be left idle.
template <class Tuning>
constexpr bool searches_side_by_side(extent items, extent needles)
{
  return needles >= (is_tiny<Tuning> ? 200 : extent(1) << 16) && items < extent(1) << 31;
}

/// Whether so many bytes of items are more than a device's second-level cache has, and needles so few that each has
/// lines of its own. Then a thread searches for one needle at a time: where too many are under way, what one step has
/// read is gone before the next.
template <class Tuning>
constexpr bool are_far(extent bytes, extent needles)
{
  return bytes > (is_tiny<Tuning> ? 24000 : extent(48) << 20) && bytes >= 96 * needles;
}

/// Whether teams begin in a tree: for many needles among items that are near, but too many for all that is asked of
/// them to be in each multiprocessor's cache. Of bytes there are no more that differ than the tree has nodes.
template <class Tuning>
constexpr bool begins_in_a_tree(extent items, int item_bytes, extent needles)
{
  extent const most = is_tiny<Tuning> ? 24000 : item_bytes == 1 ? extent(4) << 20 : extent(128) << 10;
  return items >= 1024 && items * item_bytes <= most && needles >= (is_tiny<Tuning> ? 200 : extent(1) << 17);
}

/// What both of them are, a range program over the needles.
template <class Each>
struct searched_needles {
  static constexpr extent alone_at_a_time = 1024;

  Each one;

  ONEPASS_FUNCTION extent size() const { return one.number(); }
  ONEPASS_FUNCTION void alone(extent first, extent last) const
  {
    for (extent i = first; i < last; ++i) one(i);
  }
};

/// The same for many needles among less than 2^31 items: a thread searches for several at a time, all
/// in as many steps, so that one waits for memory while others are asked. What is left in the end lies side by side and
/// is asked at once: the first-level cache does not hold what so many searches have read until their next step.
template <class Each, int SideBySide>
struct search_side_by_side : searched_needles<Each> {
  using searched_needles<Each>::one;
  using needle   = typename Each::needle_type;
  using position = typename Each::position_type;

  static constexpr int asked_at_once = SideBySide > 1 && sizeof(needle) <= 4 ? 4 : 2;  ///< a sector or two

  static constexpr int positions(team_tuning const& numbers) { return numbers.threads * SideBySide; }
  static constexpr int stage_words(int) { return 1; }

  template <int Positions, class Team>
  ONEPASS_FUNCTION void together(Team const& team, extent, extent first, extent last) const
  {
    search<Positions>(team, first, last, [&](auto const&, auto const&) { return std::uint32_t(one.items()); });
  }

protected:
  /// Needles [first, last). begin(needles, places), where places are 0, says how much is left of each place on. Each
  /// step takes the half of that in which a needle's place is; all have as much left.
  template <int Positions, class Team, class Begin>
  ONEPASS_FUNCTION void search(Team const& team, extent first, extent last, Begin const& begin) const
  {
    constexpr int each = Positions / Team::threads;
    needle sought[each];
    std::uint32_t at[each];
    ONEPASS_UNROLL for (int k = 0; k < each; ++k)
    {
      extent const i = first + k * Team::threads + team.rank();
      sought[k]      = one.needles(i < last ? i : last - 1);
      at[k]          = 0;
    }
    std::uint32_t left = begin(sought, at);
    for (; left > asked_at_once; left -= (left + 1) / 2) {
      std::uint32_t const half = (left + 1) / 2;
      bool before[each];
      ONEPASS_UNROLL for (int k = 0; k < each; ++k) before[k] = one.before(one.sorted(at[k] + half - 1), sought[k]);
      ONEPASS_UNROLL for (int k = 0; k < each; ++k) if (before[k]) at[k] += half;
    }
    ONEPASS_UNROLL for (int k = 0; k < each; ++k)
    {
      auto const from = at[k];
      ONEPASS_UNROLL for (unsigned j = 0; j < asked_at_once;
                          ++j) if (j < left && one.before(one.sorted(from + j), sought[k]))++ at[k];
    }
    team.barrier();  // nobody looks at a needle any more: positions may be in their place
    ONEPASS_UNROLL for (int k = 0; k < each; ++k)
    {
      extent const i = first + k * Team::threads + team.rank();
      if (i < last) one.positions(i) = static_cast<position>(at[k]);
    }
  }
};

/// The same where all first steps ask a team's stage: some hundred of the items, as many apart from each other, as a
/// tree of which each level lies together, so that lanes meet in few banks. Nodes 2 k and 2 k + 1 are below node k.
///
/// Source: a layout by levels, Khuong & Morin 2017; see docs/references.md.
template <class Each, int SideBySide>
struct search_from_tree : search_side_by_side<Each, SideBySide> {
  using base = search_side_by_side<Each, SideBySide>;
  using base::one;
  using item = typename Each::item_type;

  static constexpr bool in_turns = true;
  static constexpr int levels = 9, nodes = 1 << levels;

  static constexpr int stage_words(int) { return nodes * int(sizeof(item)) / 4; }

  template <class Team>
  ONEPASS_FUNCTION void prepare(Team const& team) const
  {
    auto const n = std::uint32_t(one.items());  // 2^22 at most
    if (n < nodes) return;
    for (unsigned k = 1 + unsigned(team.rank()); k < nodes; k += Team::threads) {
      int const level  = 31 - Kokkos::Experimental::countl_zero_builtin(k);
      auto const part  = (2 * k + 1 - (2u << level)) << (levels - 1 - level);
      tree_of(team)[k] = one.sorted(extent(part * n >> levels) - 1);
    }
    team.barrier();
  }
  template <int Positions, class Team>
  ONEPASS_FUNCTION bool together(Team const& team, extent, extent first, extent last) const
  {
    auto const n = std::uint32_t(one.items());  // 2^22 at most
    base::template search<Positions>(
        team, first, last, [&]<int N>(typename base::needle const(&needles)[N], std::uint32_t(&at)[N]) {
          if (n < nodes) return n;
          ONEPASS_UNROLL for (int k = 0; k < N; ++k) at[k] = 1;
          ONEPASS_NO_UNROLL for (int level = 0; level < levels; ++level) ONEPASS_UNROLL for (int k = 0; k < N; ++k)
              at[k]                                        = 2 * at[k] + one.before(tree_of(team)[at[k]], needles[k]);
          ONEPASS_UNROLL for (int k = 0; k < N; ++k) at[k] = (at[k] - nodes) * n >> levels;
          return (n + nodes - 1) >> levels;
        });
    return true;
  }

private:
  template <class Team>
  ONEPASS_FUNCTION static item* tree_of(Team const& team)
  {
    return reinterpret_cast<item*>(team.stage());
  }
};

/// The same for few needles: a team looks for one at many places at once.
template <class Each>
struct search_by_teams : searched_needles<Each> {
  using searched_needles<Each>::one;

  static constexpr int positions(team_tuning const&) { return 1; }
  static constexpr int stage_words(int) { return 2 * int(sizeof(extent)) / 4; }

  template <int Positions, class Team>
  ONEPASS_FUNCTION void together(Team const& team, extent, extent i, extent) const
  {
    typename Each::needle_type const needle = one.needles(i);
    extent at[1];
    partition_points(
        team, one.items(), [&](extent k, int) { return one.before(one.sorted(k), needle); },
        reinterpret_cast<extent*>(team.stage()), at);
    if (team.rank() == 0) one.positions(i) = static_cast<typename Each::position_type>(at[0]);
  }
};

}  // namespace onepass::ONEPASS_ABI
