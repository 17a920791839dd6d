// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/programs/sums_by_width.hpp>

namespace onepass::ONEPASS_ABI {

/// segmented_reduce of a small input, a range program over the segments: none waits for another. Where they are `Short`
/// on average, a thread takes one; those that are long all the same, and all where they are not, a team takes together.
template <class In, class Offsets, class Out, class Op, class T, bool Short>
struct small_segment_sums : sums_one_by_one<In, Offsets, Out, Op, T> {
  using base    = sums_one_by_one<In, Offsets, Out, Op, T>;
  using algebra = typename base::algebra;
  using partial = typename base::partial;
  using base::in, base::all, base::sum;

  static constexpr extent alone_at_a_time = 4096;

  int longest;  ///< that a thread takes

  ONEPASS_FUNCTION extent size() const { return all.number(); }

  static constexpr int positions(team_tuning const& numbers)
  {
    return !Short ? 1 : numbers.threads == 1 ? 128 : numbers.threads;
  }
  ONEPASS_FUNCTION static constexpr int stage_words(int positions)
  {
    return int(most_threads * sizeof(partial) / 4) + 1 + positions;
  }

  ONEPASS_FUNCTION void alone(extent first, extent last) const
  {
    for (extent s = first; s < last; ++s) take_alone(s, bounds(s));
  }

  template <int Positions, class Team>
  ONEPASS_FUNCTION void together(Team const& team, extent, extent first, extent last) const
  {
    if constexpr (!Short)
      for (extent s = first; s < last; ++s) take_together(team, s, bounds(s));
    else {
      int* const listed = reinterpret_cast<int*>(team.stage() + most_threads * sizeof(partial));
      if (team.rank() == 0) *listed = 0;
      team.barrier();
      for (extent s = first + team.rank(); s < last; s += Team::threads)
        if (auto const here = bounds(s); here.end - here.begin <= longest) take_alone(s, here);
        else listed[1 + Kokkos::atomic_fetch_add(listed, 1)] = int(s - first);
      team.barrier();
      for (int k = 0; k < *listed; ++k) take_together(team, first + listed[1 + k], bounds(first + listed[1 + k]));
    }
  }

private:
  using base::bounds, base::finish, base::lifted;
  using stretch                     = typename base::stretch;
  static constexpr int most_threads = 256;

  ONEPASS_FUNCTION partial folded(extent i, extent end) const
  {
    auto x = algebra::identity();
    for (; i < end; ++i) x = sum.combine(x, lifted(in(i)));
    return x;
  }
  ONEPASS_FUNCTION void take_alone(extent s, stretch const& here) const { finish(s, folded(here.begin, here.end)); }

  /// Threads combine what they take, and then pairs of them.
  template <class Team>
  ONEPASS_FUNCTION void take_together(Team const& team, extent s, stretch const& here) const
  {
    static_assert(Team::threads <= most_threads);
    auto* const sums    = reinterpret_cast<partial*>(team.stage());
    extent const number = here.end > here.begin ? here.end - here.begin : 0;
    if constexpr (commuting<Op>) sums[team.rank()] = sum_of_thread<2, T>(team, sum, in, here.begin, number);
    else {
      extent const each = div_up(number, Team::threads), first = here.begin + team.rank() * each;
      sums[team.rank()] = folded(first, first + each < here.end ? first + each : here.end);
    }
    for (int apart = 1; apart < Team::threads; apart *= 2) {
      team.barrier();
      if (int const r = team.rank(); r % (2 * apart) == 0 && r + apart < Team::threads)
        sums[r] = sum.combine(sums[r], sums[r + apart]);
    }
    if (team.rank() == 0) finish(s, sums[0]);
    team.barrier();
  }
};

}  // namespace onepass::ONEPASS_ABI
