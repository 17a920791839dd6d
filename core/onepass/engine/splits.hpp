// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/extent.hpp>
#include <onepass/portability.hpp>

namespace onepass::ONEPASS_ABI {

// Where sorted items part: for searches, merges and sorts by merging.

/// The first of n indices for which before(i) is false; it is true for all below it and false for all above.
template <class Index, class Before>
ONEPASS_FUNCTION Index partition_point(Index n, Before const& before)
{
  Index low = 0;
  while (n > 0) {
    Index const half = n / 2;
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

/// How many of the first d merged items are of `a`, where a(k) and b(k) are the items and equal ones of `a` come first.
template <class Index, class Less, class A, class B>
ONEPASS_FUNCTION Index split_of_merge(Index d, Index as, Index bs, Less const& less, A const& a, B const& b)
{
  Index const fewest = d > bs ? d - bs : 0, most = d < as ? d : as;
  return fewest + partition_point(most - fewest, [&](Index k) {
           Index const i = fewest + k;
           return !less(b(d - 1 - i), a(i));
         });
}

/// The same for items that are far away: three pairs of them are on their way together, so that it waits half as often,
/// for one and a half times as many.
template <class Index, class Less, class A, class B>
ONEPASS_FUNCTION Index split_of_merge_by_quarters(Index d, Index as, Index bs, Less const& less, A const& a, B const& b)
{
  Index low = d > bs ? d - bs : 0, n = (d < as ? d : as) - low;
  while (n > 0) {
    Index const at[] = {low + n / 4, low + n / 2, low + n - 1 - n / 4};
    decltype(a(low)) of_a[3], of_b[3];
    ONEPASS_UNROLL for (int k = 0; k < 3; ++k) of_a[k] = a(at[k]), of_b[k] = b(d - 1 - at[k]);
    Index end = low + n;
    ONEPASS_UNROLL for (int k = 0; k < 3; ++k) if (at[k] >= low && at[k] < end)
    {
      if (less(of_b[k], of_a[k])) end = at[k];
      else low = at[k] + 1;
    }
    n = end - low;
  }
  return low;
}

}  // namespace onepass::ONEPASS_ABI
