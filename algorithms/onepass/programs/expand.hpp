// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/engine/range_program.hpp>
#include <onepass/engine/stage.hpp>

namespace onepass {

// Runs are expanded in two passes (docs/decisions/0010-expansion.md). The first adds the lengths up and notes where every
// group of runs begins in the output. The second takes tiles of the output, all of one size whatever the runs' lengths: a
// tile adds the lengths from its first group on up once more, and looks its outputs up among their begins.

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
  using length = typename Lengths::value_type;
  using symbol = typename Symbols::value_type;
  using output = typename Out::value_type;

  /// What a run takes of a tile's stage: its length, later where it begins, and its symbol; and what an output takes.
  static constexpr std::size_t bytes_of_length = sizeof(length) > 4 ? sizeof(length) : 4;
  static constexpr std::size_t bytes_of_run    = bytes_of_length + (sizeof(symbol) + 3) / 4 * 4;
  static constexpr int         spare           = is_zipped<Symbols> ? runs_of_group : 0;  ///< slots that alignment takes
  struct slot {
    std::uint32_t word[(bytes_of_run > sizeof(output) ? bytes_of_run : sizeof(output)) / 4];
  };

  Symbols       symbols;
  Lengths       lengths;
  item_count    count;
  extent const* begins;  ///< of the groups
  extent const* sum;
  extent*       starts;  ///< of every tile: the group that its first position lies in
  Out           out;

  ONEPASS_FUNCTION extent size() const { return *sum < out.size ? *sum : out.size; }

  /// Two groups at least; odd for others, so that threads at their own slots meet different banks; all in 40 KiB, which leaves a team's memory room for its sums.
  static constexpr int slots_per_thread(tuning const& numbers)
  {
    const int least = int(div_up(2 * runs_of_group + spare, numbers.threads)), most = numbers.threads == 1 ? 1 << 20 : int(40 * 1024 / sizeof(slot)) / numbers.threads;
    const int wished = 2 * numbers.packs - 1 < most ? 2 * numbers.packs - 1 : (most - 1) / 2 * 2 + 1;
    return wished < least ? least : wished;
  }
  /// So many that their runs, if none is empty, fit the slots.
  static constexpr int positions(int slots) { return (slots - spare) / runs_of_group * runs_of_group - runs_of_group; }

  ONEPASS_FUNCTION void seek(extent tile, extent first) const { starts[tile] = group_at(first); }

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

  template <int N, class Team>
  ONEPASS_FUNCTION void together(Team const& team, extent tile, extent first, extent last) const
  {
    constexpr int most = (N * Team::threads - spare) / runs_of_group * runs_of_group;
    const staged<Lengths, most> own_lengths{team.stage()};
    const staged<Symbols, most> own_symbols{team.stage() + bytes_of_length * most};
    int* const   at  = reinterpret_cast<int*>(team.stage());  // where the runs begin, counted from `first`
    const extent all = count();
    for (extent group = starts[tile];; group = group_at(first)) {
      const extent run = group * runs_of_group, begin = begins[group];
      const int    runs = int(runs_from(group, tile, last, most) < all - run ? runs_from(group, tile, last, most) : all - run);
      own_lengths.take(team, lengths, run, runs);
      own_symbols.take(team, symbols, run, runs);
      team.barrier();

      extent mine = 0, total;
      length lengths_of_mine[N];
      ONEPASS_UNROLL for (int j = 0; j < N; ++j)
      {
        const int r        = team.rank() * N + j;
        lengths_of_mine[j] = r < runs ? own_lengths(r) : length(0);
        mine += length_of(lengths_of_mine[j]);
      }
      extent running = begin - first + team.exclusive_scan(range_sums<slot>{}, mine, total);  // a barrier: all have read
      const int  end = int(last - first < begin - first + total ? last - first : begin - first + total);
      if constexpr (Team::threads == 1) team.barrier();
      ONEPASS_UNROLL for (int j = 0; j < N; ++j)
      {
        const int r = team.rank() * N + j;
        if (r < runs) at[r] = running < 0 ? 0 : running < end ? int(running) : end;
        running += length_of(lengths_of_mine[j]);
      }
      team.barrier();
      write<N>(team, at, own_symbols, runs, first, end);
      first += end;
      if (first >= last) return;
    }
  }

private:
  /// Runs from a group on, up to the group in which the tile ends, but no more than fit.
  ONEPASS_FUNCTION extent runs_from(extent group, extent tile, extent last, int most) const
  {
    extent end = last < size() ? starts[tile + 1] + 1 : div_up(count(), runs_of_group);
    end        = (end - group) * runs_of_group;
    return end < most ? end : most;
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

  /// out(first + p) for p below `positions`, from `runs` runs in the stage. A thread makes neighbouring outputs: it searches
  /// the run of the first and walks on. They leave through the stage.
  template <int N, class Team, class Own>
  ONEPASS_FUNCTION void write(Team const& team, int const* at, Own const& own_symbols, int runs, extent first, int positions) const
  {
    const int from = team.rank() * N;
    output    made[N];
    if (from < positions) {
      int r = 0, step = 1;  // the last run that begins at `from` or before
      while (2 * step < runs) step *= 2;
      for (; step > 0; step /= 2)
        if (r + step < runs && at[r + step] <= from) r += step;
      int    next = r + 1 < runs ? at[r + 1] : positions;
      output x    = static_cast<output>(own_symbols(r));
      ONEPASS_UNROLL for (int j = 0; j < N; ++j)
      {
        if (next <= from + j && from + j < positions) {
          do {
            ++r;
            next = r + 1 < runs ? at[r + 1] : positions;
          } while (next <= from + j);
          x = static_cast<output>(own_symbols(r));
        }
        made[j] = x;
      }
    }
    team.barrier();  // nobody reads runs any more
    const int     phase  = detail::phase_of(out, first);
    output* const staged = reinterpret_cast<output*>(team.stage()) + phase;
    ONEPASS_UNROLL for (int j = 0; j < N; ++j)
      if (from + j < positions) staged[from + j] = made[j];
    team.barrier();
    detail::stage_out<N * Team::threads>(team, out, first, positions, phase);
    team.barrier();
  }
};

}  // namespace onepass
