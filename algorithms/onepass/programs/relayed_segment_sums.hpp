// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/engine/relays.hpp>
#include <onepass/programs/search_together.hpp>
#include <onepass/programs/sums_by_width.hpp>

namespace onepass::ONEPASS_ABI {

/// segmented_reduce, a relay program: no tile is searched for, and none waits for another. A turn takes neighbouring
/// segments, as wide as these are on average. Where these have far more items than others, it leaves all but the first
/// of them: the items are cut into chunks, and further turns, one a chunk, look whose segments are at the chunk's
/// beginning. If these are more than a turn takes alone, they take those that begin in their chunk; of a segment that
/// is longer than that they take their part each, and the last of these adds the parts up. So no turn has more than a
/// few chunks to read, wherever the items are.
///
/// Of offsets that make no sense parts may be missing, or be of another segment.
///
/// Threads: whether threads take segments, as width_tuning::width() says.
template <class In, class Offsets, class Out, class Op, class T, bool Threads>
struct relayed_segment_sums : sums_by_width<In, Offsets, Out, Op, T, Threads> {
  using base           = sums_by_width<In, Offsets, Out, Op, T, Threads>;
  using algebra        = typename base::algebra;
  using partial        = typename base::partial;
  using aggregate_type = partial;
  using base::in, base::all, base::sum, base::stages;

  extent each;    ///< segments of a turn
  extent owners;  ///< the number of turns
  extent alone;   ///< items of a turn that are not left to others, and of a segment
  extent chunk;   ///< items of a chunk
  extent staged;  ///< items that a turn takes from its stage, where threads take segments; 0: none

  static constexpr relay_weight weight = !Threads                  ? relay_weight::full
                                         : sizeof(T) > 4 || stages ? relay_weight::light
                                                                   : relay_weight::lightest;

  relayed_segment_sums(sums_of_segments<In, Offsets, Out, Op, T> const& of, width_tuning const& tuned)
      : base{{of}, tuned, tuned.width(of.in.size, of.most_segments())}
      , chunk(tuned.chunk_of(of.in.size, Threads))
  {
    extent const most = of.most_segments(), mean = div_up(of.in.size, most), at_once = tuned.at_once(this->width);
    bool const is_staged = stages && tuned.stages(of.in.size, mean);
    extent const fit     = (is_staged ? tuned.staged * 3 / 4 : tuned.region) / (at_once * (mean + 1));
    extent const rounds =
        std::min({most / (at_once * tuned.turns), fit, Threads && !is_staged ? tuned.few_rounds : tuned.most_rounds});
    each   = at_once * std::max<extent>(rounds, 1);
    owners = div_up(most, each);
    staged = is_staged ? std::min(tuned.staged, in.size) : 0;
    alone  = std::max({owners <= tuned.few_turns ? tuned.lonely[!algebra::commutes] : tuned.alone, 2 * chunk, staged});
    if (this->width == segment_width::team) return;
    // Twice what segments, or turns, have on average is not too much; it is a few hundred KiB at most.
    auto& longest = this->numbers.longest[int(this->width)];
    longest       = std::max(longest, 2 * mean);
    alone         = std::max(alone, 2 * each * mean);
  }

  ONEPASS_FUNCTION extent turns() const { return owners; }
  /// One a chunk.
  ONEPASS_FUNCTION extent sharers() const { return in.size > alone ? div_up(in.size, chunk) : 0; }
  ONEPASS_FUNCTION std::size_t stage_bytes(int) const
  {
    return bytes_before_items() + (staged > 0 ? 16 + std::size_t(staged) * sizeof(typename base::item) : 0);
  }

  template <class Team>
  ONEPASS_FUNCTION void take(Team const& team, extent turn) const
  {
    extent const number = all.number(), first = turn * each;
    if (first >= number) return;
    int const count    = int(first + each < number ? each : number - first);
    auto const stop_of = [&](turn_segments const& own) {
      return is_left(own) ? chunk_behind(own.begin) * chunk : in.size;
    };
    auto const mine = [&](stretch const& here, extent stop) { return here.begin < stop && !is_shared(here); };
    if constexpr (stages)
      if (staged > 0)
        if (auto const own = of_turn(turn, number); own.end - own.begin <= staged)
          return base::take_staged(team, own.first, own.count(), own.begin, own.end,
                                   team.stage() + bytes_before_items());
    if constexpr (Threads)  // where none is long nobody asks
      base::take(team, first, count, true,
                 [&](stretch const& here) { return mine(here, stop_of(of_turn(turn, number))); });
    else {
      extent const stop = stop_of(of_turn(turn, number));
      base::take(team, first, count, [&](stretch const& here) { return here.items() == 0 || mine(here, stop); });
    }
  }

  /// The segment at the chunk's beginning, or -1 if its turn leaves nothing. Every warp searches for itself: no barrier
  /// is needed, and a cache has what the others ask for. Of the last few turns all are asked at once.
  template <class Team>
  ONEPASS_FUNCTION extent look(Team const& team, extent c) const
  {
    auto const warp    = team.warp();
    extent const begin = c * chunk, number = all.number(), most = div_up(number, each);
    auto const begun   = [&](extent s) { return extent(all.offsets(s)) <= begin; };
    auto const found   = search_by_warp(warp, most, warp.lanes - 1, [&](extent turn) { return begun(turn * each); });
    auto const at      = [&](int k) { return of_turn(found.low - 1 + k, number); };
    auto const own     = at(warp.lane);
    bool const is_it   = warp.lane <= found.left && own.begin <= begin && begin < own.end && is_left(own);
    unsigned const who = warp.max(is_it ? unsigned(warp.lane) + 1 : 0);
    if (who == 0) return -1;
    auto const theirs = at(int(who) - 1);
    return theirs.first - 1
           + search_by_warp(warp, theirs.count(), 0, [&](extent s) { return begun(theirs.first + s); }).low;
  }

  template <class Team, class Notes>
  ONEPASS_FUNCTION void share(Team const& team, extent c, extent segment, Notes const& notes) const
  {
    if (segment < 0) return;
    auto const theirs  = of_turn(segment / each, all.number());
    extent const begin = c * chunk, end = begin + chunk;
    auto const mine = [&](stretch const& here) {
      return here.items() > 0 && here.begin >= begin && here.begin < end && !is_shared(here);
    };
    if constexpr (Threads) base::take(team, theirs.first, theirs.count(), false, mine);
    else base::take(team, theirs.first, theirs.count(), mine);
    if (auto const here = bounds(segment); is_shared(here) && here.begin <= begin && begin < here.end)
      take_part(team, segment, c, notes);
  }

private:
  using base::bounds, base::finish, base::of_team, base::of_warps, base::up, base::within;
  using stretch = typename base::stretch;

  /// What a thread tells its team: behind the team's memory for segments.
  template <class Team>
  ONEPASS_FUNCTION bool& told(Team const& team) const
  {
    return *reinterpret_cast<bool*>(team.stage() + base::memory::bytes(each));
  }
  ONEPASS_FUNCTION std::size_t bytes_before_items() const { return up(base::memory::bytes(each) + sizeof(bool)); }

  /// A turn's segments, and where their items are.
  struct turn_segments {
    extent first, last, begin, end;
    ONEPASS_FUNCTION int count() const { return int(last - first); }
  };
  ONEPASS_FUNCTION turn_segments of_turn(extent turn, extent number) const
  {
    extent const first = turn * each, last = first + each < number ? first + each : number;
    if (turn < 0 || first >= last) return {};
    if (sharers() == 0 && staged == 0) return {first, last, 0, 1};
    extent const begin = within(extent(all.offsets(first))), end = within(extent(all.offsets(last)));
    return {first, last, begin, begin < end ? end : begin};
  }
  ONEPASS_FUNCTION bool is_left(turn_segments const& x) const { return x.end - x.begin > alone; }

  /// A chunk's part of a segment that begins in front of it, and by the last who leaves one all of them combined. The
  /// first has what is in front of its chunk, too.
  template <class Team, class Notes>
  ONEPASS_FUNCTION void take_part(Team const& team, extent segment, extent c, Notes const& notes) const
  {
    auto const here    = bounds(segment);
    extent const begin = c * chunk, end = begin + chunk;
    extent const first = chunk_behind(here.begin), behind = chunk_behind(here.end),
                 from = c == first ? here.begin : begin;
    extent const to   = here.end < end ? here.end : end;
    auto const own    = of_team(team, from, to - from);
    bool& is_last     = told(team);
    if (team.rank() == 0) {
      notes.leave_sum(c, own);
      is_last = notes.last_of(first, behind - first);
    }
    team.barrier();
    if (!is_last) return;
    constexpr int together = 4;
    extent const share     = div_up(div_up(behind - first, Team::threads), together) * together;
    extent const low = first + team.rank() * share, high = low + share < behind ? low + share : behind;
    auto x = algebra::identity();
    for (extent k = low; k < high; k += together) {
      partial some[together];
      notes.sums(k, high, some);
      for (int j = 0; j < together; ++j)
        if (k + j < high) x = sum.combine(x, some[j]);
    }
    auto const combined = of_warps(team, team.warp().reduce(sum, x));
    if (team.rank() == 0) finish(segment, combined);
  }

  ONEPASS_FUNCTION bool is_shared(stretch const& here) const { return here.items() > alone; }
  /// The first chunk that begins at an item or behind.
  ONEPASS_FUNCTION extent chunk_behind(extent i) const { return div_up(i, chunk); }
};

/// Calls f(program) with the program for these sums, whose kernel is another where threads take segments.
template <class In, class Offsets, class Out, class Op, class T, class F>
void relayed_by_width(sums_of_segments<In, Offsets, Out, Op, T> const& made, width_tuning const& tuned, F const& f)
{
  bool const threads = tuned.width(made.in.size, made.most_segments()) == segment_width::thread;
  if (threads) f(relayed_segment_sums<In, Offsets, Out, Op, T, true>(made, tuned));
  else f(relayed_segment_sums<In, Offsets, Out, Op, T, false>(made, tuned));
}

}  // namespace onepass::ONEPASS_ABI
