// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/engine/ranges.hpp>
#include <onepass/programs/head_stage.hpp>

#include <algorithm>
#include <limits>

namespace onepass::ONEPASS_ABI {

// Runs are expanded in three steps (docs/decisions/0010-expansion.md). First the lengths of every group of runs are
// summed. A scan of these sums gives the position in the output where every group begins. Then each tile of the output
// (all have one size, whatever the runs' lengths) scans the lengths from its first group on, and marks in shared memory
// where runs begin. Few runs need only the last step: every tile adds up all lengths before it. Some more need no scan:
// every tile adds up the sums of all groups before it.

/// The number of runs of a group.
inline constexpr int runs_of_group = 64;

inline constexpr extent longest_run = std::numeric_limits<extent>::max();

/// A length; negative lengths count as 0, and what no extent holds as the longest.
template <class Length>
ONEPASS_FUNCTION extent length_of(Length const& length)
{
  if constexpr (std::numeric_limits<Length>::max() > std::uint64_t(longest_run))
    if (length > Length(longest_run)) return longest_run;
  return length > Length(0) ? extent(length) : 0;
}

/// A position and the length of what begins there, or lengths, added up: no more than the longest.
struct bounded_sums : range_sums {
  ONEPASS_FUNCTION static extent combine(extent a, extent length)
  {
    return a > longest_run - length ? longest_run : a + length;
  }
};

/// How lengths are added up; of narrow ones too few at a time to get beyond an extent.
template <class Length>
using sums_of_lengths = std::conditional_t<(sizeof(Length) < sizeof(extent)), range_sums, bounded_sums>;

/// First step, a range program: the sum of the lengths of every group.
template <class Lengths>
struct group_sums {
  using length = typename Lengths::value_type;
  using adding = sums_of_lengths<length>;

  static constexpr extent alone_at_a_time = 1024;
  static constexpr int at_a_time          = 4;                          ///< neighbouring lengths that a thread reads
  static constexpr int parts              = runs_of_group / at_a_time;  ///< of a group

  Lengths lengths;
  item_count count;
  contiguous<extent> sums;

  ONEPASS_FUNCTION extent size() const { return sums.size; }

  static constexpr int positions(team_tuning const& numbers)
  {
    return numbers.threads == 1 ? 64 : numbers.threads;
  }  // multiples of the number of threads
  static constexpr int stage_words(int positions) { return 2 * positions * (parts + 1); }

  ONEPASS_FUNCTION void alone(extent first, extent last) const
  {
    extent const runs = count();
    for (extent group = first; group < last; ++group) {
      extent const after = (group + 1) * runs_of_group < runs ? (group + 1) * runs_of_group : runs;
      extent sum         = 0;
      for (extent run = group * runs_of_group; run < after; ++run) sum = adding::combine(sum, length_of(lengths(run)));
      sums(group) = sum;
    }
  }

  /// First each thread sums a part, so that loads are coalesced; then each thread sums the parts of a group.
  template <int Positions, class Team>
  ONEPASS_FUNCTION void together(Team const& team, extent, extent first, extent last) const
  {
    extent const runs = count();
    extent* const sum = reinterpret_cast<extent*>(team.stage());
    ONEPASS_UNROLL for (int j = 0; j < Positions / Team::threads * parts; ++j)
    {
      int const part   = j * Team::threads + team.rank();
      extent const run = first * runs_of_group + part * at_a_time;
      length l[at_a_time]{};
      extent own = 0;
      if (run < runs) take_neighbours(lengths, run, runs - run, l);
      ONEPASS_UNROLL for (int k = 0; k < at_a_time; ++k) own = adding::combine(own, length_of(l[k]));
      sum[part + part / parts]                               = own;
    }
    team.barrier();
    for (int g = team.rank(); g < last - first; g += Team::threads) {
      extent all                                         = 0;
      ONEPASS_UNROLL for (int j = 0; j < parts; ++j) all = adding::combine(all, sum[g * (parts + 1) + j]);
      sums(first + g)                                    = all;
    }
  }
};

/// Second step, a scan in place: the position where every group begins, and the sum of all lengths.
template <class Count>
struct group_begins {
  using item_type      = extent;
  using output_type    = extent;
  using memo_type      = bool;
  using aggregate_type = extent;

  static constexpr auto shape    = output_shape::mapped;
  static constexpr bool pure     = true;
  static constexpr bool commutes = true;

  contiguous<extent> sums;
  extent* sum;
  Count* total;

  ONEPASS_FUNCTION contiguous<extent const> input() const { return {sums.data, sums.size}; }
  ONEPASS_FUNCTION contiguous<extent> output() const { return sums; }
  ONEPASS_FUNCTION bool evaluate(extent, extent) const { return false; }
  ONEPASS_FUNCTION extent lift(extent, extent x, bool) const { return x; }
  ONEPASS_FUNCTION extent combine(extent a, extent b) const { return bounded_sums::combine(a, b); }
  ONEPASS_FUNCTION static extent identity() { return 0; }
  ONEPASS_FUNCTION extent initial() const { return 0; }
  ONEPASS_FUNCTION extent result(extent, bool, extent before) const { return before; }
  ONEPASS_FUNCTION void finish(extent all, extent) const
  {
    *sum   = all;
    *total = Count(all);
  }
};

/// What all expansions do with runs.
template <class Symbols, class Lengths, class Out>
struct expansion_of_runs {
  using length = typename Lengths::value_type;
  using adding = sums_of_lengths<length>;
  using symbol = typename Symbols::value_type;
  using output = typename Out::value_type;

  static constexpr extent alone_at_a_time = extent(1) << 16;
  static constexpr int most_each          = 32;  ///< positions of a thread: each may be a run
  /// Positions that one thread writes before it asks for a run's length.
  static constexpr int written_at_once = int(sizeof(output) < 8     ? 16 / sizeof(output)
                                             : sizeof(output) <= 32 ? 32 / sizeof(output)
                                                                    : 1);

  Symbols symbols;
  Lengths lengths;
  item_count count;
  Out out;

  static constexpr int positions(team_tuning const& numbers)
  {
    int const each = numbers.items_per_thread(sizeof(output));
    return head_positions<output>((each < most_each ? each : most_each) * numbers.threads);
  }
  static constexpr int stage_words(int positions) { return int(head_stage_bytes<output>(positions) / 4); }

protected:
  /// One thread writes positions [first, last) of the runs [run, runs), which begin at position `begin`. Behind a run
  /// before `followed` it may write too much, since others follow. Returns where the run behind the last one that it
  /// needed begins, and makes that one `run`.
  ONEPASS_FUNCTION extent expand_alone(extent& run, extent runs, extent followed, extent begin, extent& first,
                                       extent last) const
  {
    auto const from     = symbols;  // copies, which no store to the output can change
    auto const how_long = lengths;
    auto const to       = out;
    extent at = first, k = run;
    auto const expand = [&](extent end) {  // the next runs, as long as they begin before `end`
      for (; k < runs && begin < end; ++k) {
        extent const next = adding::combine(begin, length_of(how_long(k))), stop = next < last ? next : last;
        if (at < stop) {
          fill(to, at, stop, static_cast<output>(from(k)));
          at = stop;
        }
        begin = next;
      }
    };
    expand(at);
    if (begin == at) {
      for (; k < followed && begin <= last - written_at_once; ++k) {  // no branch asks how long a short run is
        auto const x      = static_cast<output>(from(k));
        extent const next = adding::combine(begin, length_of(how_long(k)));
        ONEPASS_UNROLL for (int j = 0; j < written_at_once; ++j) { to(begin + j) = x; }
        if (next > begin + written_at_once) fill(to, begin + written_at_once, next < last ? next : last, x);
        begin = next;
      }
      at = begin < last ? begin : last;
    }
    expand(last);
    first = at;
    run   = k;
    return begin;
  }

  /// Marks the runs [run, runs) of a tile of `end` positions, one to four per thread at a time; `begin` is where they
  /// begin in the tile. If the runs are few, and so long, each thread takes one; otherwise several neighbours, which it
  /// reads in packs. Returns where they end, or some position behind the tile; `to_the_end`: where they end.
  template <class Team, class Stage>
  ONEPASS_FUNCTION extent mark_all(Team const& team, Stage const& here, extent run, extent runs, extent begin, int end,
                                   int phase, bool to_the_end = false) const
  {
    while (run < runs && (begin < end || to_the_end)) {
      int const each = runs - run > 2 * Team::threads ? 4 : runs - run > Team::threads ? 2 : 1;
      begin          = adding::combine(begin, each == 4   ? mark<4>(team, here, run, runs, begin, end, phase)
                                              : each == 2 ? mark<2>(team, here, run, runs, begin, end, phase)
                                                          : mark<1>(team, here, run, runs, begin, end, phase));
      run += each * Team::threads;
      team.barrier();
    }
    return begin;
  }

private:
  /// One thread writes x to positions [at, stop): items of several bytes 64 bytes at a time, since one store a round
  /// takes as long as two where the loop's code does not lie well; of bytes compilers make memset.
  ONEPASS_FUNCTION static void fill(Out const& to, extent at, extent stop, output const& x)
  {
    if constexpr (sizeof(output) > 1 && sizeof(output) <= 16) {
      constexpr int together = int(64 / sizeof(output));
      for (; at + together <= stop; at += together) ONEPASS_UNROLL for (int j = 0; j < together; ++j) to(at + j) = x;
    }
    for (; at < stop; ++at) to(at) = x;
  }

  /// Marks N runs per thread from run `run` on, which begin at position `begin` of a tile of `end` positions. Returns
  /// the sum of their lengths.
  template <int N, class Team, class Stage>
  ONEPASS_FUNCTION extent mark(Team const& team, Stage const& here, extent run, extent runs, extent begin, int end,
                               int phase) const
  {
    extent const r = run + team.rank() * N;
    length l[N]{};
    symbol s[N]{};
    extent mine = 0, total;
    if (r < runs) {
      take_neighbours(lengths, r, runs - r, l);
      take_neighbours(symbols, r, runs - r, s);
      ONEPASS_UNROLL for (int k = 0; k < N; ++k) mine = adding::combine(mine, length_of(l[k]));
    }
    begin = adding::combine(begin, team.exclusive_scan(adding{}, mine, total));
    if (mine > 0) {
      typename Stage::unsent heads;
      int lower = begin > 0 ? int(begin < end ? begin : end) : 0;
      ONEPASS_UNROLL for (int k = 0; k < N; ++k)
      {
        begin           = adding::combine(begin, length_of(l[k]));
        int const upper = begin > 0 ? int(begin < end ? begin : end) : 0;
        if (lower < upper)
          here.mark(unsigned(phase + lower), unsigned(phase + upper), static_cast<output>(s[k]), heads);
        lower = upper;
      }
      here.send(heads);
    }
    return total;
  }
};

/// Third step, a range program: out(p) = the symbol of the run that contains p.
template <class Symbols, class Lengths, class Out>
struct expansion : expansion_of_runs<Symbols, Lengths, Out> {
  using base = expansion_of_runs<Symbols, Lengths, Out>;
  using base::count;
  using base::out;

  extent const* begins;  ///< where the groups begin
  extent const* sum;
  extent* starts;  ///< for every tile, the group that contains its first position

  ONEPASS_FUNCTION extent size() const { return *sum < out.size ? *sum : out.size; }

  ONEPASS_FUNCTION void seek(extent tile, extent first) const { starts[tile] = group_at(first); }

  /// One thread goes from run to run.
  ONEPASS_FUNCTION void alone(extent first, extent last) const
  {
    while (first < last) {
      extent run         = group_at(first) * runs_of_group;
      auto const after   = run + runs_of_group < count() ? run + runs_of_group : count();
      extent const begin = begins[run / runs_of_group];
      this->expand_alone(run, after, after, begin, first, last);
    }
  }

  /// Marks all runs of a tile, then writes its positions.
  template <int Positions, class Team>
  ONEPASS_FUNCTION void together(Team const& team, extent tile, extent first, extent last) const
  {
    head_stage<typename base::output, Positions> const here(team.stage());
    int const end = int(last - first), phase = phase_of(out, first) / int(sizeof(typename base::output));
    extent const group = starts[tile], all = count();
    extent const after = last < size() ? (starts[tile + 1] + 1) * runs_of_group : all, runs = after < all ? after : all;
    here.clear(team);
    this->mark_all(team, here, group * runs_of_group, runs, begins[group] - first, end, phase);
    here.write(team, out, first, end, phase);
  }

private:
  /// The last group that begins at p or before: the one that contains p.
  ONEPASS_FUNCTION extent group_at(extent p) const
  {
    extent low = 0, high = div_up(count(), runs_of_group);
    while (high - low > 1) {
      extent const middle = low + (high - low) / 2;
      if (begins[middle] <= p) low = middle;
      else high = middle;
    }
    return low;
  }
};

/// The last two steps in one, where Unit is runs_of_group, for some groups of runs; all steps, where it is 1, for few
/// runs: a range program over the whole output, each tile of which adds up all sums before it.
template <class Symbols, class Lengths, class Out, class Count, int Unit = 1, class Sums = Lengths>
struct expansion_of_few : expansion_of_runs<Symbols, Lengths, Out> {
  using base = expansion_of_runs<Symbols, Lengths, Out>;
  using base::count;
  using base::out;

  /// Few runs of narrow items are long ones.
  static constexpr extent alone_at_a_time =
      base::alone_at_a_time * 4 / std::min(extent(sizeof(typename base::output)), extent(4));

  Sums sums;  ///< of Unit neighbouring lengths each
  Count* total;

  ONEPASS_FUNCTION extent size() const { return out.size; }

  ONEPASS_FUNCTION void alone(extent first, extent last) const
  {
    bool const tells  = first == 0;
    extent const runs = count();
    extent followed = runs, behind = 0;
    while (followed > 0 && behind < base::written_at_once)
      behind = base::adding::combine(behind, length_of(this->lengths(--followed)));
    extent run = 0, begin = 0;
    if constexpr (Unit > 1)
      for (; run < runs && length_of(sums(run / Unit)) <= first - begin; run += Unit)
        begin += length_of(sums(run / Unit));
    extent sum = this->expand_alone(run, runs, followed, begin, first, last);
    if (!tells) return;
    for (; run < runs; ++run) sum = base::adding::combine(sum, length_of(this->lengths(run)));
    *total = Count(sum);
  }

  template <int Positions, class Team>
  ONEPASS_FUNCTION void together(Team const& team, extent, extent first, extent last) const
  {
    head_stage<typename base::output, Positions> const here(team.stage());
    int const end = int(last - first), phase = phase_of(out, first) / int(sizeof(typename base::output));
    auto const from = place_of(team, first);
    here.clear(team);
    extent const after = this->mark_all(team, here, from.sum * Unit, count(), from.begin - first, end, phase,
                                        first == 0 && from.total < 0);
    if (first == 0 && team.rank() == 0) *total = Count(from.total < 0 ? after : from.total);
    if (after > 0) here.write(team, out, first, int(after < end ? after : end), phase);
  }

private:
  static constexpr int at_a_time = 4;  ///< neighbouring sums that a thread reads,
  /// and how often before it adds them up: as often as registers hold them.
  static constexpr int under_way = sizeof(typename Sums::value_type) <= 4 ? 4 : 2;

  struct place {
    extent sum, begin;  ///< a sum, and where its first run begins
    extent total;       ///< of all sums, if that was found, too
  };
  /// Where to begin for position p: at the first run, if a team soon is through with all of them. Else each thread adds
  /// up a share of neighbouring sums, and the one that has p knows. Of several runs each, a share is divided once more.
  template <class Team>
  ONEPASS_FUNCTION place place_of(Team const& team, extent p) const
  {
    using summing    = sums_of_lengths<typename Sums::value_type>;
    extent const all = div_up(count(), Unit);
    if (all * Unit <= at_a_time * Team::threads) return {0, 0, -1};
    extent const each = div_up(all, Team::threads * at_a_time) * at_a_time, low = team.rank() * each;
    extent const high = low + each < all ? low + each : all;
    extent mine = 0, of_all = 0;
    for (extent k = low; k < high; k += at_a_time * under_way) {
      typename Sums::value_type x[under_way][at_a_time]{};
      ONEPASS_UNROLL for (int u = 0; u < under_way; ++u) if (k + u * at_a_time < high)
          take_neighbours(sums, k + u * at_a_time, high - k - u * at_a_time, x[u]);
      ONEPASS_UNROLL for (int u = 0; u < under_way; ++u)
      {
        ONEPASS_UNROLL for (int j = 0; j < at_a_time; ++j) mine = summing::combine(mine, length_of(x[u][j]));
      }
    }
    extent const before = team.exclusive_scan(summing{}, mine, of_all);
    auto* const found   = reinterpret_cast<extent*>(team.stage());
    if (p >= of_all) return {all, of_all, of_all};
    if (before <= p && p - before < mine) found[0] = low, found[1] = before;
    team.barrier();
    place there{found[0], found[1], of_all};
    team.barrier();
    if constexpr (Unit > 1) {
      extent const stop = there.sum + each < all ? there.sum + each : all;
      for (extent k = there.sum;; k += Team::threads) {
        extent const at = k + team.rank(), own = at < stop ? length_of(sums(at)) : 0;
        extent const ahead = p - there.begin;
        extent of_these;
        extent const skipped = team.exclusive_scan(summing{}, own, of_these);
        if (skipped <= ahead && ahead - skipped < own) found[0] = at, found[1] = there.begin + skipped;
        team.barrier();
        if (ahead < of_these) break;
        there.begin += of_these;
      }
      there = {found[0], found[1], of_all};
      team.barrier();
    }
    return there;
  }
};

}  // namespace onepass::ONEPASS_ABI
