// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/engine/range_program.hpp>
#include <onepass/engine/registers.hpp>

namespace onepass {

// Runs are expanded in two passes (docs/decisions/0010-expansion.md). The first adds the lengths up and notes where every
// group of runs begins in the output. The second takes tiles of the output, all of one size whatever the runs' lengths: a
// tile searches its first group, adds the lengths from there on up once more, and searches each output among their begins.

/// So many runs are one group.
inline constexpr int runs_of_group = 64;

/// A length; negative ones count as none.
template <class Length>
ONEPASS_FUNCTION extent length_of(Length const& length) { return length > Length(0) ? extent(length) : 0; }

/// First pass: where every group begins, and the sum of all lengths.
template <class Lengths, class Count>
struct group_begins_program {
  using item_type      = typename Lengths::value_type;
  using memo_type      = bool;
  using aggregate_type = extent;

  static constexpr auto shape    = output_shape::compacted;
  static constexpr int  columns  = 1;
  static constexpr bool pure     = true;
  static constexpr bool commutes = true;

  Lengths            lengths;
  contiguous<extent> begins;
  extent*            sum;
  Count*             total;

  ONEPASS_FUNCTION Lengths       input() const { return lengths; }
  ONEPASS_FUNCTION bool          evaluate(extent i, item_type const&) const { return i % runs_of_group == 0; }
  ONEPASS_FUNCTION extent        lift(extent, item_type const& length, bool) const { return length_of(length); }
  ONEPASS_FUNCTION extent        combine(extent a, extent b) const { return a + b; }
  ONEPASS_FUNCTION static extent identity() { return 0; }
  ONEPASS_FUNCTION extent        initial() const { return 0; }
  ONEPASS_FUNCTION void          finish(extent all, extent) const
  {
    *sum   = all;
    *total = Count(all);
  }

  template <int>
  ONEPASS_FUNCTION auto column() const { return begins; }
  template <int>
  ONEPASS_FUNCTION static constexpr bool keeps(bool first_of_group) { return first_of_group; }
  template <int>
  ONEPASS_FUNCTION extent place(extent i, extent) const { return div_up(i, runs_of_group); }
  template <int>
  ONEPASS_FUNCTION extent value(extent, item_type const&, bool, extent before) const { return before; }
};

/// Second pass, a range program: out(p) is the symbol of the run that p lies in.
template <class Symbols, class Lengths, class Out>
struct expansion {
  using length       = typename Lengths::value_type;
  using output       = typename Out::value_type;
  using slot         = std::conditional_t<(sizeof(length) > 4), std::uint64_t, std::uint32_t>;  ///< a length, later where its run begins in the tile
  using team_program = range_sums<slot>;

  Symbols       symbols;
  Lengths       lengths;
  item_count    count;
  extent const* begins;  ///< of the groups
  extent const* sum;
  Out           out;

  ONEPASS_FUNCTION extent size() const { return *sum < out.size ? *sum : out.size; }

  /// Two groups at least; odd for others, so that threads reading their own slots meet different banks.
  static constexpr int slots_per_thread(tuning const& numbers)
  {
    const int least = int(div_up(2 * runs_of_group, numbers.threads)), wished = 2 * numbers.packs - 1;
    return wished < least ? least : wished;
  }
  /// So many that their runs, if none is empty, fit the slots.
  static constexpr int positions(int slots) { return slots / runs_of_group * runs_of_group - runs_of_group; }

  /// One thread walks from run to run.
  ONEPASS_FUNCTION void alone(extent first, extent last) const
  {
    while (first < last) {
      extent     run   = group_at(first) * runs_of_group, begin = begins[run / runs_of_group];
      const auto after = run + runs_of_group < count() ? run + runs_of_group : count();
      for (; run < after && first < last; ++run) {
        const extent end = begin + length_of(lengths(run)), stop = end < last ? end : last;
        if (first < stop) {
          const auto x = static_cast<output>(symbols(run));
          for (; first < stop; ++first) out(first) = x;
        }
        begin = end;
      }
    }
  }

  template <int PerThread, class Team>
  ONEPASS_FUNCTION void together(Team const& team, extent first, extent last) const
  {
    constexpr int    per = PerThread, most = per * Team::threads / runs_of_group;
    slot* const at = reinterpret_cast<slot*>(team.stage());
    slot* const mine = at + team.rank() * per;
    const extent     groups = div_up(count(), runs_of_group);
    while (first < last) {
      // The runs from the first position's group on, up to the last position or as many as the stage holds.
      const extent group = group_at(team, first), run = group * runs_of_group, begin = begins[group];
      extent       ahead = 0;
      for (extent g = group + team.rank(); g < group + most && g < groups; g += Team::threads) ahead += begins[g] < last;
      ahead        = sum_of(team, ahead) * runs_of_group;
      const int runs = int(ahead < count() - run ? ahead : count() - run);
      for (int r = team.rank(); r < runs; r += Team::threads) at[r] = slot(length_of(lengths(run + r)));
      team.barrier();

      // Where they begin, counted from the first position.
      const int left = runs - team.rank() * per, own = left < 0 ? 0 : left < per ? left : per;
      extent    length_of_mine = 0, all;
      for (int j = 0; j < own; ++j) length_of_mine += extent(mine[j]);
      extent running = begin - first + team.exclusive_scan(team_program{}, length_of_mine, all);
      for (int j = 0; j < own; ++j) {
        const extent next = running + extent(mine[j]);
        mine[j]           = slot(running < 0 ? 0 : running < last - first ? running : last - first);
        running           = next;
      }
      team.barrier();
      const extent until = begin + all < last ? begin + all : last;
      write(team, at, runs, run, first, int(until - first));
      team.barrier();
      first = until;
    }
  }

private:
  template <class Team>
  ONEPASS_FUNCTION extent sum_of(Team const& team, extent x) const
  {
    extent all;
    (void)team.exclusive_scan(team_program{}, x, all);
    return all;
  }

  /// The last group that begins at p or before: the one that p lies in.
  ONEPASS_FUNCTION extent group_at(extent p) const
  {
    extent low = 0, high = div_up(count(), runs_of_group);
    while (high - low > 1) {
      const extent middle = low + (high - low) / 2;
      if (begins[middle] <= p) low = middle;
      else high = middle;
    }
    return low;
  }
  /// The same with as many questions at a time as the team has threads.
  template <class Team>
  ONEPASS_FUNCTION extent group_at(Team const& team, extent p) const
  {
    extent low = 0, high = div_up(count(), runs_of_group);
    while (high - low > 1) {
      const extent step = div_up(high - low, Team::threads + 1), probe = low + (team.rank() + 1) * step;
      low += step * sum_of(team, probe < high && begins[probe] <= p);
      high = low + step < high ? low + step : high;
    }
    return low;
  }

  /// out(first + p) for p below `positions`; run r of `runs` begins at[r] behind `first`. Sixteen bytes at a time, if they may.
  template <class Team>
  ONEPASS_FUNCTION void write(Team const& team, slot const* at, int runs, extent run, extent first, int positions) const
  {
    constexpr bool packed = is_contiguous<Out>::value && 16 % sizeof(output) == 0;
    constexpr int  width  = packed ? 16 / int(sizeof(output)) : 1;
    int            phase  = 0;
    if constexpr (packed) phase = int(reinterpret_cast<std::uintptr_t>(out.data + first) % 16 / sizeof(output));
    int widest = 1;
    while (2 * widest < runs) widest *= 2;

    for (int p = team.rank() * width - phase; p < positions; p += Team::threads * width) {
      const int from = p < 0 ? 0 : p, to = p + width < positions ? p + width : positions;
      int       r    = 0;  // the last run that begins at `from` or before
      for (int step = widest; step > 0; step /= 2)
        if (r + step < runs && int(at[r + step]) <= from) r += step;
      auto x = static_cast<output>(symbols(run + r));
      const auto next = [&](int q) {
        if (r + 1 < runs && int(at[r + 1]) <= q) {
          do ++r;
          while (r + 1 < runs && int(at[r + 1]) <= q);
          x = static_cast<output>(symbols(run + r));
        }
      };
      if constexpr (packed)
        if (from == p && to == p + width) {
          register_items<output, width> made;
          ONEPASS_UNROLL for (int j = 0; j < width; ++j)
          {
            next(p + j);
            made.set(j, x);
          }
          made.store(out.data + first + p);
          continue;
        }
      for (int q = from; q < to; ++q) {
        next(q);
        out(first + q) = x;
      }
    }
  }
};

}  // namespace onepass
