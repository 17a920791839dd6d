// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/engine/ranges.hpp>
#include <onepass/engine/splits.hpp>

#include <cstdint>
#include <limits>

namespace onepass::ONEPASS_ABI {

// Where needles belong among sorted items: one search each, or, of many on devices, several by a thread side by side.

/// Does an item come before the place of a needle? The first that does not is where the needle belongs.
template <class Less>
struct before_lower_bound {
  Less less;
  template <class Item, class Needle>
  ONEPASS_FUNCTION bool operator()(Item const& item, Needle const& needle) const
  {
    return less(item, needle);
  }
};
template <class Less>
struct before_upper_bound {
  Less less;
  template <class Item, class Needle>
  ONEPASS_FUNCTION bool operator()(Item const& item, Needle const& needle) const
  {
    return !less(needle, item);
  }
};

/// positions(i) = where needle i belongs among the sorted items.
template <class Sorted, class Needles, class Positions, class Before>
struct search_each {
  using needle_type   = typename Needles::value_type;
  using position_type = typename Positions::value_type;

  Sorted sorted;
  item_count items;
  Needles needles;
  item_count number;
  Positions positions;
  Before before;

  ONEPASS_FUNCTION void operator()(extent i) const
  {
    if (i >= number()) return;
    needle_type const needle = needles(i);
    positions(i) =
        static_cast<position_type>(partition_point(items(), [&](extent k) { return before(sorted(k), needle); }));
  }
};

/// Whether a device searches for several needles by a thread: not for so few that multiprocessors would be left idle.
template <class Tuning>
constexpr bool searches_side_by_side(extent items, extent needles)
{
  return needles >= (is_tiny<Tuning> ? 200 : extent(1) << 16) && items < extent(1) << 31;
}

/// The same for many needles among less than 2^31 items, a range program: a thread searches for several at a time, all
/// in as many steps, so that one waits for memory while others are asked.
template <class Each>
struct search_side_by_side {
  using needle   = typename Each::needle_type;
  using position = typename Each::position_type;

  static constexpr extent alone_at_a_time = 1024;
  static constexpr int side_by_side       = sizeof(needle) <= 8 ? 4 : sizeof(needle) <= 16 ? 2 : 1;

  Each one;

  ONEPASS_FUNCTION extent size() const { return one.number(); }
  static constexpr int positions(team_tuning const& numbers) { return numbers.threads * side_by_side; }
  static constexpr int stage_words(int) { return 1; }

  ONEPASS_FUNCTION void alone(extent first, extent last) const
  {
    for (extent i = first; i < last; ++i) one(i);
  }

  /// Each step takes the half of what is left in which a needle's place is; all have as much left.
  template <int Positions, class Team>
  ONEPASS_FUNCTION void together(Team const& team, extent, extent first, extent last) const
  {
    constexpr int each = Positions / Team::threads;
    needle sought[each];
    std::int32_t at[each];
    ONEPASS_UNROLL for (int k = 0; k < each; ++k)
    {
      extent const i = first + k * Team::threads + team.rank();
      sought[k]      = one.needles(i < last ? i : last - 1);
      at[k]          = 0;
    }
    for (auto left = static_cast<std::int32_t>(one.items()); left > 0; left -= (left + 1) / 2) {
      std::int32_t const half = (left + 1) / 2;
      bool before[each];
      ONEPASS_UNROLL for (int k = 0; k < each; ++k) before[k] = one.before(one.sorted(at[k] + half - 1), sought[k]);
      ONEPASS_UNROLL for (int k = 0; k < each; ++k) if (before[k]) at[k] += half;
    }
    ONEPASS_UNROLL for (int k = 0; k < each; ++k)
    {
      extent const i = first + k * Team::threads + team.rank();
      if (i < last) one.positions(i) = static_cast<position>(at[k]);
    }
  }
};

}  // namespace onepass::ONEPASS_ABI
