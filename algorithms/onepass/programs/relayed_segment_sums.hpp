// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/engine/relays.hpp>
#include <onepass/programs/sums_by_width.hpp>

namespace onepass::ONEPASS_ABI {

/// segmented_reduce, a relay program: no tile is searched for, and none waits for its predecessor. The first turns take
/// neighbouring segments, as wide as these are on average. Where these have far more items than others, a turn leaves
/// all but the first of them: the items are cut into chunks, and the turn that has the segment at the beginning of a
/// chunk marks the chunk with its own number, or with none. The later turns, one a chunk, take the segments of a marked
/// turn that begin in their chunk; of a segment that is longer than a turn takes alone they take their part each, and
/// the last of these adds the parts up. So no turn has more than a few chunks to read, wherever the items are.
///
/// Offsets that make no sense: every chunk's beginning still lies between the first and the last offset of some turn's
/// segments, so each is marked, and every later turn leaves a sum, so that nothing waits for ever.
template <class In, class Offsets, class Out, class Op, class T>
struct relayed_segment_sums : sums_by_width<In, Offsets, Out, Op, T, segment_width, 4> {
  using base           = sums_by_width<In, Offsets, Out, Op, T, segment_width, 4>;
  using algebra        = typename base::algebra;
  using partial        = typename base::partial;
  using aggregate_type = partial;
  using base::in, base::all, base::sum;

  extent each;     ///< segments of a turn
  extent owners;   ///< turns that take segments
  extent alone;    ///< items of a turn that are not left to others, and of a segment
  int chunk_bits;  ///< of the number of a chunk's items

  relayed_segment_sums(sums_of_segments<In, Offsets, Out, Op, T> const& of, width_tuning const& tuned)
      : base{of, tuned, tuned.width(of.in.size, most_segments(of))}
      , alone(tuned.alone)
      , chunk_bits(tuned.chunk_bits)
  {
    extent const most = most_segments(of), mean = div_up(of.in.size, most), at_once = tuned.at_once(this->width());
    extent const rounds =
        std::min({most / (at_once * tuned.turns), tuned.region / (at_once * (mean + 1)), tuned.most_rounds});
    each   = at_once * std::max<extent>(rounds, 1);
    owners = div_up(most, each);
    while (div_up(in.size, extent(1) << chunk_bits) > tuned.most_chunks) ++chunk_bits;
    alone = std::max(alone, extent(2) << chunk_bits);
  }

  ONEPASS_FUNCTION extent chunks() const { return in.size > alone ? div_up(in.size, extent(1) << chunk_bits) : 0; }
  ONEPASS_FUNCTION extent turns() const { return owners + chunks(); }
  ONEPASS_FUNCTION extent notes() const { return chunks() > 0 ? chunks() : 1; }
  ONEPASS_FUNCTION std::size_t stage_bytes(int) const { return bytes_before_header() + sizeof(header); }

  template <class Team, class Notes>
  ONEPASS_FUNCTION void take(Team const& team, extent turn, Notes const& notes) const
  {
    if (turn < owners) take_own(team, turn, notes);
    else take_chunk(team, turn - owners, notes);
  }

private:
  /// As many segments as there may be, one at least.
  static extent most_segments(sums_of_segments<In, Offsets, Out, Op, T> const& x)
  {
    return x.all.count.limit > 1 ? x.all.count.limit - 1 : 1;
  }

  using base::bounds, base::finish, base::of_team, base::of_warps, base::within;
  using stretch = typename base::stretch;

  /// Behind a team's memory for segments.
  struct alignas(16) header {
    std::uint32_t mark;
    int longer;  ///< the segment at the chunk's beginning, if it is too long for a turn
  };
  ONEPASS_FUNCTION std::size_t bytes_before_header() const { return (base::memory::bytes(each) + 15) / 16 * 16; }
  template <class Team>
  ONEPASS_FUNCTION header& head(Team const& team) const
  {
    return *reinterpret_cast<header*>(team.stage() + bytes_before_header());
  }

  /// A turn's segments, and where their items are.
  struct turn_segments {
    extent first, last, begin, end;
    ONEPASS_FUNCTION int count() const { return int(last - first); }
  };
  ONEPASS_FUNCTION turn_segments of_turn(extent turn, extent number) const
  {
    extent const first = turn * each, last = first + each < number ? first + each : number;
    if (first >= last) return {};
    return {first, last, within(extent(all.offsets(first))), within(extent(all.offsets(last)))};
  }

  template <class Team, class Notes>
  ONEPASS_FUNCTION void take_own(Team const& team, extent turn, Notes const& notes) const
  {
    extent const number = all.number();
    auto const own      = of_turn(turn, number);
    if (own.count() == 0 && turn > 0) return;
    bool const is_left = own.end - own.begin > alone;
    extent const size = extent(1) << chunk_bits, from = turn == 0 ? 0 : own.begin,
                 to = own.last == number ? in.size : own.end;
    if (chunks() > 0)
      for (extent c = chunk_behind(from) + team.rank(); c * size < to; c += Team::threads)
        notes.leave_mark(c, is_left && c * size >= own.begin && c * size < own.end ? std::uint32_t(turn + 1) : 0);
    extent const stop = is_left ? chunk_behind(own.begin) * size : in.size;
    base::take(team, own.first, own.count(),
               [&](stretch const& here) { return here.items() == 0 || (here.begin < stop && !is_shared(here)); });
  }

  template <class Team, class Notes>
  ONEPASS_FUNCTION void take_chunk(Team const& team, extent chunk, Notes const& notes) const
  {
    auto& shared = head(team);
    if (team.rank() == 0) {
      shared.mark   = notes.mark(chunk);
      shared.longer = -1;
    }
    team.barrier();
    if (shared.mark == 0) {
      if (team.rank() == 0) notes.leave_sum(chunk, algebra::identity());
      return;
    }
    auto const theirs  = of_turn(extent(shared.mark) - 1, all.number());
    extent const begin = chunk << chunk_bits, end = begin + (extent(1) << chunk_bits);
    base::take(team, theirs.first, theirs.count(), [&](stretch const& here) {
      return here.items() > 0 && here.begin >= begin && here.begin < end && !is_shared(here);
    });
    for (int k = team.rank(); k < theirs.count(); k += Team::threads) {
      auto const here = bounds(theirs.first + k);
      if (here.begin <= begin && here.end > begin && is_shared(here)) shared.longer = k;
    }
    team.barrier();
    if (shared.longer >= 0) take_part(team, theirs.first + shared.longer, chunk, notes);
    else if (team.rank() == 0) notes.leave_sum(chunk, algebra::identity());
  }

  /// A chunk's part of a segment that begins in front of it, and in the last part all of them combined. The first has
  /// what is in front of its chunk, too.
  template <class Team, class Notes>
  ONEPASS_FUNCTION void take_part(Team const& team, extent segment, extent chunk, Notes const& notes) const
  {
    auto const here    = bounds(segment);
    extent const begin = chunk << chunk_bits, end = begin + (extent(1) << chunk_bits);
    extent const first = chunk_behind(here.begin), from = chunk == first ? here.begin : begin;
    extent const to = here.end < end ? here.end : end;
    auto const own  = of_team(team, from, to - from);
    if (team.rank() == 0) notes.leave_sum(chunk, own);
    if (here.end > end) return;
    constexpr int together = 4;
    extent const share     = div_up(div_up(chunk - first, Team::threads), together) * together;
    extent const low = first + team.rank() * share, high = low + share < chunk ? low + share : chunk;
    auto x = algebra::identity();
    for (extent c = low; c < high; c += together) {
      partial some[together];
      notes.sums(c, high, some);
      for (int j = 0; j < together; ++j)
        if (c + j < high) x = sum.combine(x, some[j]);
    }
    auto const before = of_warps(team, team.warp().reduce(sum, x));
    if (team.rank() == 0) finish(segment, sum.combine(before, own));
  }

  ONEPASS_FUNCTION bool is_shared(stretch const& here) const { return here.items() > alone; }
  /// The first chunk that begins at an item or behind.
  ONEPASS_FUNCTION extent chunk_behind(extent i) const { return (i + (extent(1) << chunk_bits) - 1) >> chunk_bits; }
};

}  // namespace onepass::ONEPASS_ABI
