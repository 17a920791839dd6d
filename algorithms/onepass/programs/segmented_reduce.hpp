// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/engine/fold.hpp>
#include <onepass/engine/tiles.hpp>
#include <onepass/programs/head_stage.hpp>
#include <onepass/programs/scan.hpp>
#include <onepass/programs/search.hpp>
#include <onepass/programs/segmented.hpp>
#include <onepass/programs/segmented_scan.hpp>
#include <onepass/programs/stretch_sums.hpp>

#include <algorithm>

namespace onepass::ONEPASS_ABI {

/// What programs that make sums of segments have.
template <class In, class Offsets, class Out, class Op, class T>
struct sums_of_segments {
  using item    = typename In::value_type;
  using output  = typename Out::value_type;
  using algebra = monoid<Op, T>;
  using partial = typename algebra::type;

  In in;
  segments<Offsets> all;
  Out out;
  algebra sum;
  given<T> init;
  bool has_init;

  /// As many segments as there may be, one at least.
  extent most_segments() const { return all.count.limit > 1 ? all.count.limit - 1 : 1; }

protected:
  ONEPASS_FUNCTION static partial lifted(item const& x) { return algebra::lift(static_cast<T>(x)); }
  /// What precedes every segment.
  ONEPASS_FUNCTION partial beginning() const { return has_init ? algebra::lift(init()) : algebra::initial(); }
  ONEPASS_FUNCTION output finished(partial const& x, partial const& before) const
  {
    return static_cast<output>(algebra::value(sum.combine(before, x)));
  }
  ONEPASS_FUNCTION void write(extent s, output const& x) const
  {
    if (s < out.size) out(s) = x;
  }
  /// Bytes of a stage before what begins at a boundary of 16.
  ONEPASS_FUNCTION static constexpr std::size_t up(std::size_t bytes) { return (bytes + 15) / 16 * 16; }
};

/// segmented_reduce, a tile program. Items and ends of segments are merged into one path: a step takes the next item
/// or, where the items of a segment have all been taken, its end, which writes its sum. A tile is so many steps,
/// wherever the segments end: many that are empty cost no more than one that is long. End s is step offsets(s + 1) -
/// offsets(0) + s, so a tile finds where it begins by a search in the offsets. The offsets may be wrong: sums are then
/// meaningless, but nothing is accessed outside of items, offsets and sums.
///
/// The sum at the first end of a tile waits for what precedes the tile; the others are written at once.
///
/// `Tiles` is several_tiles or, for few steps, single_tile. The numbers of `Tuning` are no part of the program, which a
/// call writes to memory.
///
/// Source: merge path for sums of segments, Merrill & Garland 2016b; see docs/references.md.
template <class In, class Offsets, class Out, class Op, class T, class Tiles, class Tuning>
struct segment_sums_program : Tiles, sums_of_segments<In, Offsets, Out, Op, T> {
  using base           = sums_of_segments<In, Offsets, Out, Op, T>;
  using item           = typename base::item;
  using output         = typename base::output;
  using algebra        = typename base::algebra;
  using partial        = typename base::partial;
  using aggregate_type = since_restart<partial>;
  using base::in, base::all, base::out, base::sum;

  static constexpr bool commutes        = false;
  static constexpr bool adds_in_vectors = std::is_integral_v<T>;

  static constexpr segment_tuning numbers = segment_tuning_for<Tuning>();

  ONEPASS_FUNCTION static aggregate_type identity() { return {algebra::identity(), false}; }
  ONEPASS_FUNCTION static aggregate_type initial() { return identity(); }
  ONEPASS_FUNCTION aggregate_type combine(aggregate_type const& a, aggregate_type const& b) const
  {
    return {b.restarted ? b.value : sum.combine(a.value, b.value), a.restarted || b.restarted};
  }
  ONEPASS_FUNCTION static void finish(aggregate_type const&) {}

  using inside = sums_since_flag<algebra>;
  ONEPASS_FUNCTION algebra const& sum_algebra() const { return sum; }

  ONEPASS_FUNCTION extent tiles(int threads) const
  {
    return is_alone || most_steps() == 0 ? 1 : div_up(most_steps(), steps_of(threads));
  }
  /// Of the items of a tile that one thread takes, and of others that would take it as long as the ends in it.
  extent bytes_alone() const
  {
    constexpr extent bytes_of_end = 32;
    extent const steps = steps_of(1), ends = most_steps() - in.size;
    return steps * extent(sizeof(item)) + (ends > 0 ? steps * ends / most_steps() * bytes_of_end : 0);
  }
  ONEPASS_FUNCTION static std::size_t stage_bytes(int threads)
  {
    return sizeof(header) + (threads == 1 ? 0 : std::size_t(threads * steps_of_thread) * bytes_of_step + 64);
  }

  template <class Team>
  ONEPASS_FUNCTION aggregate_type upsweep(Team const& team, extent tile) const
  {
    auto here = find(team, tile);
    if (team.rank() == 0) head(team).segment = here.ends > 0 ? here.segment : -1;
    if constexpr (Team::threads == 1) return walk(team, here);
    else {
      if constexpr (!is_alone && team_of_warps<Team>)
        if ((here.ends > 0 || !commuting<Op>)&&here.items >= numbers.mean_long * (here.ends + 1))
          return add_by_warps(team, here);
      auto made       = identity();
      int const steps = at_a_time(Team::threads);
      while (here.items + here.ends > 0) {
        auto next = next_steps(team, here, steps);
        if (commuting<Op> && next.ends == 0) {  // all items before the next end are added without being staged
          next.items = here.ends > 0 ? before_end(here, 0) : here.items;
          made       = combine(made, add_items(team, here.first, next.items));
        } else made = add_staged(team, next, made);
        here = {here.first + next.items, here.segment + next.ends, here.items - next.items, here.ends - next.ends};
      }
      return made;
    }
  }

  /// One thread takes all segments, and nothing of what tiles keep.
  void run_alone() const
  {
    extent const number = all.number(), stop = all.items(in.size);
    if (number > 0) write_sums(0, number, within(extent(all.offsets(0)), 0, stop), stop);
  }

  template <class Team>
  ONEPASS_FUNCTION void downsweep(Team const& team, extent, aggregate_type const& before) const
  {
    if (team.rank() != 0) return;
    auto const& first = head(team);
    if (first.segment >= 0) write(first.segment, finished(sum.combine(before.value, first.sum), beginning()));
  }

private:
  using base::beginning, base::finished, base::lifted, base::up, base::write;
  static constexpr bool is_alone = std::is_same_v<Tiles, single_tile>;

  static_assert(alignof(partial) <= 16, "onepass: accumulators of segments may be aligned to at most 16 bytes");

  /// What a team keeps before the steps of its tile.
  struct alignas(16) header {
    extent found[4];
    int ends[2];     ///< among the next steps, as far as they have been looked at
    int longest;     ///< segment that ends among the next steps
    extent segment;  ///< the first that ends in the tile; -1: none does
    partial sum;     ///< of that segment's items in the tile
    partial rest;    ///< the sum since the last end so far
  };

  /// Of the stage: an end takes a sum and its own step.
  static constexpr std::size_t bytes_of_step = std::max(sizeof(item), sizeof(output) + sizeof(std::uint16_t));
  /// Odd, since threads then read neighbouring items from different banks.
  static constexpr int steps_of_thread = (std::clamp(int(128 / bytes_of_step), 1, 32) - 1) | 1;

  ONEPASS_FUNCTION extent most_steps() const { return in.size + all.most(); }

  /// Steps that a team of several threads takes at a time: an odd number a thread.
  ONEPASS_FUNCTION int at_a_time(int threads) const
  {
    if constexpr (is_alone) return threads * steps_of_thread;
    else {
      extent const share = most_steps() / (threads * numbers.spread);
      return threads * int(within(share > numbers.fewest ? share : numbers.fewest, 1, steps_of_thread) | 1);
    }
  }
  /// Steps of a tile. Teams that are resident together get tiles of about as many rounds.
  ONEPASS_FUNCTION extent steps_of(int threads) const
  {
    if (threads == 1) {  // each tile begins with a search
      extent const most = numbers.most_alone / extent(sizeof(item));
      return within(most_steps() / numbers.many_alone, numbers.steps_alone,
                    most > numbers.steps_alone ? most : numbers.steps_alone);
    }
    extent const steps = at_a_time(threads), rounds = div_up(most_steps(), steps);
    return steps * div_up(rounds, numbers.teams * div_up(rounds, numbers.teams * numbers.most_rounds));
  }

  template <class Team>
  ONEPASS_FUNCTION static header& head(Team const& team)
  {
    return *reinterpret_cast<header*>(team.stage());
  }

  ONEPASS_FUNCTION static extent within(extent x, extent low, extent high)
  {
    return x < low ? low : x > high ? high : x;
  }

  /// A part of the path.
  struct part {
    extent first;    ///< item
    extent segment;  ///< the first that ends here
    extent items, ends;
  };

  template <class Team>
  ONEPASS_FUNCTION part find(Team const& team, extent tile) const
  {
    extent const number = all.number();
    if (number == 0) return {};
    extent const end = all.items(in.size), begin = within(extent(all.offsets(0)), 0, end), tall = end - begin + number;
    if (tiles(Team::threads) == 1) return {begin, 0, end - begin, number};
    extent const size = steps_of(Team::threads), first = tile * size, last = first + size < tall ? first + size : tall;
    if (first >= last) return {};
    extent at[2];
    partition_points(
        team, number, [&](extent s, int m) { return extent(all.offsets(s + 1)) - begin + s < (m == 0 ? first : last); },
        head(team).found, at);
    extent const from  = within(begin + first - at[0], begin, end);
    extent const items = within(begin + last - at[1] - from, 0, end - from < size ? end - from : size);
    return {from, at[0], items, within(at[1] - at[0], 0, size - items)};
  }

  /// The items of the part before its end number k.
  ONEPASS_FUNCTION extent before_end(part const& here, extent k) const
  {
    return within(extent(all.offsets(here.segment + k + 1)) - here.first, 0, here.items);
  }
  template <class Team>
  ONEPASS_FUNCTION static std::uint16_t* staged_ends(Team const& team)
  {
    return reinterpret_cast<std::uint16_t*>(team.stage() + sizeof(header));
  }

  /// The first steps of the part, `most` at most. Leaves the steps of their ends in the stage, and in the header how
  /// long their longest segment is. Ends are looked at in order, some of each thread at a time, until one is no more
  /// among them.
  template <class Team>
  ONEPASS_FUNCTION part next_steps(Team const& team, part const& here, int most) const
  {
    constexpr int each = 4;
    extent const left  = here.items + here.ends;
    int const steps = int(left < most ? left : most), ends = int(here.ends < steps ? here.ends : steps);
    auto* const step = staged_ends(team);
    auto& shared     = head(team);
    if (team.rank() == 0) shared.longest = 0;
    team.barrier();
    int found = 0;
    for (int low = 0, turn = 0; low < ends && found == low; low += Team::threads * each, turn = 1 - turn) {
      int const high = low + Team::threads * each < ends ? low + Team::threads * each : ends;
      int const mine = low + team.rank() * each;
      if (mine < high) {
        typename Offsets::value_type end[each] = {};
        take_neighbours(all.offsets, here.segment + mine + 1, high - mine, end);
        auto const items_before = [&](typename Offsets::value_type x) {
          return int(within(extent(x) - here.first, 0, here.items < steps ? here.items : steps));
        };
        int before = mine > 0 ? items_before(all.offsets(here.segment + mine)) : 0, taken = 0, longest = 0;
        bool const begins = mine == low || before + mine - 1 < steps;
        bool goes_on      = true;
        ONEPASS_UNROLL for (int j = 0; j < each; ++j) if (mine + j < high)
        {
          int const now  = items_before(end[j]);
          step[mine + j] = std::uint16_t(now + mine + j < steps ? now + mine + j : steps);
          goes_on        = now + mine + j < steps;
          if (goes_on && taken == j) {
            taken   = j + 1;
            longest = now - before > longest ? now - before : longest;
          }
          before = now;
        }
        // Of wrong offsets too there is a thread that begins and does not go on.
        if (begins && !(goes_on && mine + each < high)) shared.ends[turn] = mine + taken;
        if (longest > numbers.unmeasured) Kokkos::atomic_max(&shared.longest, longest);
      }
      team.barrier();
      found = shared.ends[turn];
    }
    return {here.first, here.segment, steps - found, found};
  }

  /// One thread goes from end to end.
  template <class Team>
  ONEPASS_FUNCTION aggregate_type walk(Team const& team, part const& here) const
  {
    extent i          = here.first;
    extent const stop = here.first + here.items;
    if (here.ends > 0) {
      extent const end = i + before_end(here, 0);
      head(team).sum   = folded(i, end);
      i                = write_sums(here.segment + 1, here.segment + here.ends, end, stop);
    }
    return {folded(i, stop), here.ends > 0};
  }
  /// Writes the sums of segments [s, ended), which have items [i, stop) at most. Returns where the next one begins.
  ONEPASS_FUNCTION extent write_sums(extent s, extent ended, extent i, extent stop) const
  {
    auto sums       = *this;  // copies, which no store to the output can change
    auto offsets    = all.offsets;
    auto to         = out;
    T const first   = algebra::value(beginning());  // is there: an operator without identity has an init
    auto const none = static_cast<output>(first);
    for (; s < ended; ++s) {
      extent end = extent(offsets(s + 1));
      if (end < i || end > stop) [[unlikely]]
        end = within(end, i, stop);
      auto made = none;  // of what is empty, which a loop would find out last
      if (i < end) [[likely]]
        made = static_cast<output>(sums.with_items(first, i, end));
      if (s < to.size) to(s) = made;
      i = end;
    }
    return i;
  }
  /// The sum of items [i, end).
  ONEPASS_FUNCTION partial folded(extent i, extent end) const
  {
    return i < end ? algebra::lift(with_items(static_cast<T>(in(i)), i + 1, end)) : algebra::identity();
  }
  /// `x`, then items [i, end), of which nobody need ask whether there was one. Where the order does not matter, each of
  /// several sums takes every so many items.
  ONEPASS_FUNCTION T with_items(T x, extent i, extent end) const
  {
    if constexpr (has_stretches<In>) {
      KOKKOS_IF_ON_HOST(
          (each_stretch(in, i, end, [&](auto const& row, extent from, extent to) { x = with_items(x, row, from, to); });
           return x;))
    }
    return with_items(x, in, i, end);
  }
  template <class Items>
  ONEPASS_FUNCTION T with_items(T x, Items const& items, extent i, extent end) const
  {
    auto const at = [&](extent k) -> decltype(auto) {
      if constexpr (std::is_class_v<T> && std::is_same_v<item, T>) return items(k);  // no copy of a struct
      else return static_cast<T>(items(k));
    };
    auto const combine = [&](T const& a, T const& b) { return sum.combine_values(a, b); };
    if constexpr (std::is_integral_v<T>)  // of which compilers make vectors
      if (end - i < 512 / extent(sizeof(T))) [[likely]] {
        for (; i < end; ++i) x = combine(x, at(i));
        return x;
      }
    if constexpr (commuting<Op>) {
      constexpr int lanes = sizeof(T) < 4 ? 64 / int(sizeof(T)) : 16;
      if (end - i >= lanes * 4) {
        extent const each = (end - i) / lanes;
        T lane[lanes];
        for (int k = 0; k < lanes; ++k) lane[k] = at(i + k);
        for (extent j = 1; j < each; ++j)
          for (int k = 0; k < lanes; ++k) lane[k] = combine(lane[k], at(i + j * lanes + k));
        for (int k = 0; k < lanes; ++k) x = combine(x, lane[k]);
        i += each * lanes;
      }
      for (; i < end; ++i) x = combine(x, at(i));
      return x;
    } else return onepass::folded(x, i, end, at, combine);
  }

  /// Each warp takes neighbouring steps of the tile, and adds the items of each segment as they lie in memory.
  template <class Team>
  ONEPASS_FUNCTION aggregate_type add_by_warps(Team const& team, part const& tile) const
  {
    auto const warp     = team.warp();
    constexpr int lanes = decltype(team.warp())::lanes;
    int const items = int(tile.items), ends = int(tile.ends), steps = items + ends;
    int const share = int(div_up(steps, Team::threads / lanes)), wished = team.rank() / lanes * share;
    int const from = wished < steps ? wished : steps, to = from + share < steps ? from + share : steps;
    int next = 0, last = 0;  // ends of the tile before the warp's steps, and before the next warp's
    for (int low = 0; low < ends && last == low; low += lanes) {
      int const k = low + warp.lane, step = k < ends ? int(before_end(tile, k)) + k : steps;
      next += warp.count(step < from);
      last += warp.count(step < to);
    }
    bool const ended = next < last;
    int i = from - next, end = 0;
    auto x = algebra::identity(), until_first = x;
    for (int k = next, lane = 0; k <= last; ++k, lane = (lane + 1) % lanes) {
      if (lane == 0) end = k + warp.lane < last ? int(before_end(tile, k + warp.lane)) : to - last;
      int const stop = int(within(warp.broadcast(end, lane), i, items));
      x              = sum_of_warp<T>(warp, sum, in, tile.first + i, stop - i);
      i              = stop;
      if (warp.lane > 0 || k == last) continue;
      if (k == next) until_first = x;
      else write(tile.segment + k, finished(x, beginning()));
    }
    inside_of<segment_sums_program> const own{ended, x}, none{0, algebra::identity()};
    inside_of<segment_sums_program> total;
    auto const older = team.exclusive_scan(algebra_of(*this), warp.lane == 0 ? own : none, total);
    if (warp.lane == 0 && ended) {
      auto const whole = sum.combine(older.sum, until_first);
      if (older.flags == 0) head(team).sum = whole;
      else write(tile.segment + next, finished(whole, beginning()));
    }
    team.barrier();
    return {total.sum, total.flags > 0};
  }

  /// Items of one segment, combined by an operator that commutes: threads add packs as they lie in memory.
  template <class Team>
  ONEPASS_FUNCTION aggregate_type add_items(Team const& team, extent first, extent number) const
  {
    auto const own = sum_of_thread<6, T>(team, sum, in, first, number);
    inside_of<segment_sums_program> total;
    (void)team.exclusive_scan(algebra_of(*this), {0, own}, total);
    return {total.sum, false};
  }

  /// `made`, then steps, whose ends are in the stage. Their items are staged as well.
  template <class Team>
  ONEPASS_FUNCTION aggregate_type add_staged(Team const& team, part const& here, aggregate_type const& made) const
  {
    int const items = int(here.items), ends = int(here.ends), phase = phase_of(in, here.first);
    auto* const step  = staged_ends(team);
    auto* const stage = reinterpret_cast<char*>(step) + up(std::size_t(ends) * sizeof *step);
    auto* const own   = reinterpret_cast<item*>(stage + phase);
    auto* const sums  = reinterpret_cast<output*>(stage + up(std::size_t(phase) + std::size_t(items) * sizeof(item)));
    stage_alike<int(div_up(extent(steps_of_thread) * extent(sizeof(item)), 16))>(team, in, here.first, items, own);
    int const last = items - (ends > 0 ? step[ends - 1] - (ends - 1) : 0), known = head(team).longest;
    int const each = int(div_up(items + ends, Team::threads)) | 1;  // odd: threads then read from different banks
    team.barrier();
    bool const are_short =
        (last > known ? last : known) * int(div_up(ends + 1, Team::threads)) <= numbers.most_uneven * each;
    return are_short ? add_each(team, here, made, step, own) : merge(team, here, made, step, own, sums, each);
  }

  /// Each thread takes whole segments.
  template <class Team>
  ONEPASS_FUNCTION aggregate_type add_each(Team const& team, part const& here, aggregate_type const& made,
                                           std::uint16_t const* step, item const* own) const
  {
    int const items = int(here.items), ends = int(here.ends);
    auto const start = beginning();
    for (int k = team.rank(); k <= ends; k += Team::threads) {
      int i          = k > 0 ? step[k - 1] - (k - 1) : 0;
      int const upto = k < ends ? step[k] - k : items, stop = upto < items ? upto : items;
      auto x = algebra::identity();
      for (; i < stop; ++i) x = sum.combine(x, lifted(own[i]));
      if (k == 0) x = sum.combine(made.value, x);
      if (k == ends) head(team).rest = x;
      else if (k == 0 && !made.restarted) head(team).sum = x;
      else write(here.segment + k, finished(x, start));
    }
    team.barrier();
    return {head(team).rest, made.restarted || ends > 0};
  }

  /// Each thread takes neighbouring steps.
  template <class Team>
  ONEPASS_FUNCTION aggregate_type merge(Team const& team, part const& here, aggregate_type const& made,
                                        std::uint16_t const* step, item const* own, output* sums, int each) const
  {
    int const items = int(here.items), ends = int(here.ends), steps = items + ends;
    auto const start = beginning();
    int const from   = team.rank() * each < steps ? team.rank() * each : steps;
    int const to     = from + each < steps ? from + each : steps;
    int const first  = int(partition_point(ends < from ? ends : from, [&](extent k) { return step[k] < from; }));
    int next         = first < ends ? step[first] : steps;
    auto x = algebra::identity(), until_first = x;
    bool const ended = next < to;
    if (!ended) {
      for (int q = from; q < to; ++q) x = sum.combine(x, lifted(own[q - first]));
    } else {
      int k = first;
      ONEPASS_NO_UNROLL for (int q = from; q < to; ++q)
      {
        if (q < next) x = sum.combine(x, lifted(own[q - k]));
        else {
          if (k == first) until_first = x;
          else sums[k] = finished(x, start);
          x    = algebra::identity();
          next = ++k < ends ? step[k] : steps;
        }
      }
    }
    inside_of<segment_sums_program> total;
    auto const before = team.exclusive_scan(algebra_of(*this), {ended, x}, total);
    if (ended) {
      auto whole = sum.combine(before.sum, until_first);
      if (first == 0) whole = sum.combine(made.value, whole);
      if (first == 0 && !made.restarted) head(team).sum = whole;
      else sums[first] = finished(whole, start);
    }
    team.barrier();
    for (int k = team.rank() + !made.restarted; k < ends; k += Team::threads) write(here.segment + k, sums[k]);
    team.barrier();
    return combine(made, {total.sum, total.flags > 0});
  }
};

}  // namespace onepass::ONEPASS_ABI
