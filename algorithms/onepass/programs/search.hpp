// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/extent.hpp>
#include <onepass/portability.hpp>

namespace onepass {

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

/// The first of n indices for which before(i) is false; it is true for all below it and false for all above.
template <class Before>
ONEPASS_FUNCTION extent partition_point(extent n, Before const& before)
{
  extent low = 0;
  while (n > 0) {
    extent const half = n / 2;
    if (before(low + half)) {
      low += half + 1;
      n -= half + 1;
    } else n = half;
  }
  return low;
}

/// The same for M questions at once, by all threads of a team: before(i, m) is that of question m. In every round a
/// thread (of 64 at most, since all read different lines) looks at both ends of its share of what is left, and the
/// share in which the answer changes is what is left for the next. `found` is memory of the team for 2 M numbers, used
/// by nobody else meanwhile.
template <int M, class Team, class Before>
ONEPASS_FUNCTION void partition_points(Team const& team, extent n, Before const& before, extent* found, extent (&at)[M])
{
  ONEPASS_UNROLL for (int m = 0; m < M; ++m) at[m] = 0;
  if constexpr (Team::threads == 1)
    for (int m = 0; m < M; ++m) at[m] = partition_point(n, [&](extent i) { return before(i, m); });
  else {
    constexpr int askers = Team::threads < 64 ? Team::threads : 64;
    auto const asked     = [&, n](extent i, int m) { return i < n && before(i, m); };
    for (int round = 0; n > 0; ++round) {
      extent const share = div_up(n + 1, askers), first = team.rank() * share;
      auto* const here = found + round % 2 * M;  // who is late still reads those of the round before
      bool begins[M], ends[M];
      ONEPASS_UNROLL for (int m = 0; m < M; ++m)
      {
        begins[m] = first == 0 || (first <= n && asked(at[m] + first - 1, m));
        ends[m]   = first + share > n || !asked(at[m] + first + share - 1, m);
      }
      ONEPASS_UNROLL for (int m = 0; m < M; ++m) if (begins[m] && ends[m]) here[m] = at[m] + first;
      team.barrier();
      ONEPASS_UNROLL for (int m = 0; m < M; ++m) at[m] = here[m];
      n                                                = share - 1;
    }
  }
}

/// positions(i) = where needle i belongs among the sorted items.
template <class Sorted, class Needles, class Positions, class Before>
struct search_each {
  Sorted sorted;
  item_count items;
  Needles needles;
  item_count number;
  Positions positions;
  Before before;

  ONEPASS_FUNCTION void operator()(extent i) const
  {
    if (i >= number()) return;
    typename Needles::value_type const needle = needles(i);
    positions(i)                              = static_cast<typename Positions::value_type>(
        partition_point(items(), [&](extent k) { return before(sorted(k), needle); }));
  }
};

}  // namespace onepass
