// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/engine/ranges.hpp>
#include <onepass/programs/segmented.hpp>

namespace onepass::ONEPASS_ABI {

/// A scan of each of many segments, which have few items together: a range program over the segments, which marks no
/// heads, and in which none waits for another. A thread takes one; those that are longer a team takes together. `Base`
/// is a scan program (programs/scan.hpp).
template <class Base, class Offsets>
struct small_segment_scans {
  using aggregate = typename Base::aggregate_type;

  static constexpr extent alone_at_a_time = 4096;

  Base scan;
  segments<Offsets> all;
  extent longest;  ///< that a thread takes

  /// With the items before the first segment, if there is one: they are scanned as a segment too.
  ONEPASS_FUNCTION extent size() const { return all.number() > 0 ? all.number() + 1 : 0; }

  static constexpr int positions(team_tuning const& numbers) { return numbers.threads == 1 ? 128 : numbers.threads; }
  ONEPASS_FUNCTION static constexpr int stage_words(int positions)
  {
    return int(2 * most_threads * sizeof(aggregate) / 4) + 1 + positions;
  }

  ONEPASS_FUNCTION void alone(extent first, extent last) const
  {
    for (extent s = first; s < last; ++s) write(bounds(s), scan.initial());
  }

  template <int Positions, class Team>
  ONEPASS_FUNCTION void together(Team const& team, extent, extent first, extent last) const
  {
    int* const listed = reinterpret_cast<int*>(team.stage() + 2 * most_threads * sizeof(aggregate));
    if (team.rank() == 0) *listed = 0;
    team.barrier();
    for (extent s = first + team.rank(); s < last; s += Team::threads)
      if (auto const here = bounds(s); here.end - here.begin <= longest) write(here, scan.initial());
      else listed[1 + Kokkos::atomic_fetch_add(listed, 1)] = int(s - first);
    team.barrier();
    for (int k = 0; k < *listed; ++k) take_together(team, bounds(first + listed[1 + k]));
  }

private:
  static constexpr int most_threads = 256;
  static constexpr int ahead        = 4;

  using item = typename Base::item_type;

  struct stretch {
    extent begin, end;
  };
  ONEPASS_FUNCTION stretch bounds(extent s) const
  {
    extent const n    = scan.input().size;
    auto const within = [&](extent x) { return x < 0 ? 0 : x < n ? x : n; };
    return {s > 0 ? within(extent(all.offsets(s - 1))) : 0, within(extent(all.offsets(s)))};
  }
  ONEPASS_FUNCTION void write(stretch const& here, aggregate before) const
  {
    auto const out = scan.output();
    each(here, [&](extent i, item const& x) {
      auto const memo = scan.evaluate(i, x);
      auto const made = scan.lift(i, x, memo);  // before x is overwritten in place
      out(i)          = scan.result(x, memo, before);
      before          = scan.combine(before, made);
    });
  }

  /// Calls use(i, item i) one after the other. Some items are on their way together.
  template <class Use>
  ONEPASS_FUNCTION void each(stretch const& here, Use const& use) const
  {
    auto const in = scan.input();
    for (extent i = here.begin; i < here.end; i += ahead) {
      item x[ahead];
      ONEPASS_UNROLL for (int k = 0; k < ahead; ++k) if (i + k < here.end) x[k] = in(i + k);
      ONEPASS_UNROLL for (int k = 0; k < ahead; ++k) if (i + k < here.end) use(i + k, x[k]);
    }
  }

  /// Each thread combines neighbouring items, then the threads' sums are scanned, in two arrays by turns.
  template <class Team>
  ONEPASS_FUNCTION void take_together(Team const& team, stretch const& here) const
  {
    static_assert(Team::threads <= most_threads);
    auto* sums         = reinterpret_cast<aggregate*>(team.stage());
    auto* other        = sums + most_threads;
    extent const share = div_up(here.end - here.begin, Team::threads), first = here.begin + team.rank() * share;
    stretch const own{first < here.end ? first : here.end, first + share < here.end ? first + share : here.end};
    auto sum = Base::identity();
    each(own, [&](extent i, item const& x) { sum = scan.combine(sum, scan.lift(i, x, scan.evaluate(i, x))); });
    int const r = team.rank();
    sums[r]     = sum;
    for (int apart = 1; apart < Team::threads; apart *= 2) {
      team.barrier();
      other[r]         = r >= apart ? scan.combine(sums[r - apart], sums[r]) : sums[r];
      auto* const last = sums;
      sums             = other;
      other            = last;
    }
    team.barrier();
    write(own, r > 0 ? scan.combine(scan.initial(), sums[r - 1]) : scan.initial());
    team.barrier();
  }
};

}  // namespace onepass::ONEPASS_ABI
