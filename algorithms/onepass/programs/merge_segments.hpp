// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/engine/merge_alone.hpp>
#include <onepass/engine/rounds.hpp>
#include <onepass/programs/merge_stage.hpp>
#include <onepass/programs/search_together.hpp>

namespace onepass::ONEPASS_ABI {

// Segments of keys are sorted by merging. In the first round each tile sorts what it has of every segment (by teams:
// programs/segment_tiles.hpp); a segment that lies in one tile is then done. Of a longer one the runs are merged two by
// two, round by round. How often is known from where it begins and ends; so its runs lie in the output or in spare
// memory in such a way that the last merge ends in the output. What is done is not touched again, so all keys are moved
// as often as the longest of their tile's two segments across its ends wants.

/// The stretch of positions of one segment; none if end is 0.
template <class Index>
struct segment_bounds {
  Index begin = 0, end = 0;
};

/// A segment that tiles share, each of which has a run of it.
struct shared_segment {
  segment_bounds<extent> all;
  extent tile = 0;  ///< that it begins in
  int rounds  = 0;  ///< in which its runs are merged two by two

  shared_segment() = default;
  ONEPASS_FUNCTION shared_segment(segment_bounds<extent> const& bounds, extent positions)
      : all(bounds)
      , tile(bounds.begin / positions)
      , rounds(bounds.end == 0 ? 0 : bits_of((bounds.end - 1) / positions - tile))
  {}
};

/// Segment s is [offsets(s), offsets(s + 1)). Items outside of all segments stay where they are. Offsets that decrease
/// make no sense, and do no harm.
template <class Offsets>
struct offset_segments {
  Offsets offsets;
  extent n;  ///< of the items; offsets beyond are taken for it

  ONEPASS_FUNCTION extent number() const { return offsets.size; }
  ONEPASS_FUNCTION extent operator()(extent k) const
  {
    extent const o = extent(offsets(k));
    return o < 0 ? 0 : o > n ? n : o;
  }
  /// The segment that ends at offset k; none before the first offset and behind the last one.
  ONEPASS_FUNCTION segment_bounds<extent> before(extent k) const
  {
    if (k == 0 || k >= number()) return {};
    return {(*this)(k - 1), (*this)(k)};
  }
};

/// The rounds of a sort of segments, but the first by a team.
///
/// Source: merges by their paths, Odeh et al. 2012; see docs/references.md.
template <class From, class To, class Spare, class Segments, class Less>
struct segment_merge_program {
  using cargo_type = merged_cargo<From, To, Spare, Less>;
  using item       = typename cargo_type::item;
  static_assert(!cargo_type::valued);

  static constexpr bool knows_rounds = false;

  static constexpr extent alone_at_a_time = extent(1) << 12;

  cargo_type cargo;
  Segments segments;
  extent n;
  round_progress* progress;
  shared_segment* crossings;  ///< of every tile but the first: the segment that it shares with the tile before

  ONEPASS_FUNCTION extent size() const { return n; }
  ONEPASS_FUNCTION static int most_rounds(extent tiles) { return bits_of(tiles - 1); }
  ONEPASS_FUNCTION int told_rounds(extent tile) const { return crossings[tile].rounds; }
  extent mean() const { return segments.number() > 0 ? n / segments.number() : n; }

  /// Of the stage, where a tile has so many positions.
  ONEPASS_FUNCTION static constexpr std::size_t bytes_to_go_on(int threads, int positions)
  {
    return stage::bytes(positions) + search_memory<searches>::bytes(threads);
  }

  /// A tile of the merges of two runs each: of the segment that comes from the tile before, and of the one that goes
  /// on in the tile behind.
  template <int Each, class Team>
  ONEPASS_FUNCTION void go_on(Team const& team, extent, int round, extent tile) const
  {
    constexpr int positions = Team::threads * Each;
    part parts[2];
    if (!find_parts(round, tile, positions, parts)) return;
    extent const first = tile * positions;
    int const count    = int(n - first < positions ? n - first : positions);
    stage const s(team.stage(), positions);
    search_memory<searches> const memory(team.stage() + stage::bytes(positions));
    auto const is_whole = [&](part const& p) { return p.low == 0 && p.high == count; };
    if (is_whole(parts[0]) || is_whole(parts[1]))
      return merge_whole<Each>(team, s, memory, first, count, is_whole(parts[0]) ? parts[0] : parts[1]);

    // Where both ends of both parts divide their runs. The threads share these searches.
    int const search       = team.rank() / (Team::threads / searches);
    part const sought      = search < 2 ? parts[0] : parts[1];
    extent const lengths[] = {parts[0].length(), parts[1].length()};
    search_ends<searches>(team, memory, sought, first + (search % 2 ? sought.high : sought.low),
                          lengths[0] > lengths[1] ? lengths[0] : lengths[1]);
    ONEPASS_UNROLL for (int h = 0; h < 2; ++h) divide(parts[h], first, memory.found + 2 * h);

    // What is in neither part is done, lies in the output, and is not put.
    struct place {
      bool in_spare;
      extent at;
    };
    auto const from = [&](int k) -> place {
      if (parts[0].has(k)) return {!parts[0].to_spare, parts[0].source(k)};
      if (parts[1].has(k)) return {!parts[1].to_spare, parts[1].source(k)};
      return {false, first + k};
    };
    auto const put = [&](int k, auto const& how) {
      if (parts[0].has(k)) how(parts[0].to_spare);
      else if (parts[1].has(k)) how(parts[1].to_spare);
    };
    s.template take<Each>(team, count, [&](int, int k) {
      place const p = from(k);
      return cargo.item_at(p.in_spare, p.at);
    });
    team.barrier();
    int const here     = team.rank() * Each;
    auto const stretch = [&](part const& p) {
      return merged_stretch({p.low, p.low + p.from_a, p.high}, here, here + Each);
    };
    merged_stretch const own[2] = {stretch(parts[0]), stretch(parts[1])};
    s.template merge<Each>(team, own, cargo.less);
    s.template give<Each>(team, count, [&](int, int k, item const& x) {
      put(k, [&](bool in_spare) { cargo.item_at(in_spare, first + k) = x; });
    });
  }

  /// The first round by one thread.
  KOKKOS_FUNCTION int begin_alone(extent positions, extent tile) const
  {
    extent const first = tile * positions, last = n - first < positions ? n : first + positions;
    int rounds      = 0;
    auto const sort = [&](segment_bounds<extent> const& all, extent begin, extent end) {
      shared_segment const own(all, positions);
      if (begin == first && all.begin < first) crossings[tile] = own;
      if (rounds < own.rounds) rounds = own.rounds;
      cargo.sort(begin, end, own.rounds % 2 != 0);
    };
    if (tile > 0) crossings[tile] = {};
    extent k = partition_point(segments.number(), [&](extent i) { return segments(i) <= first; });
    for (extent at = first; at < last;) {
      extent const next = k < segments.number() ? segments(k) : last, end = next < last ? next : last;
      auto const all = segments.before(k++);
      if (end <= at) continue;
      if (all.end > 0) sort({all.begin < at ? all.begin : at, all.end}, at, end);
      else
        for (extent i = at; i < end; ++i) move_one(cargo.from, i, cargo.to, i);
      at = end;
    }
    return rounds;
  }

  /// A round after the first by one thread.
  KOKKOS_FUNCTION void go_on_alone(extent positions, int round, extent tile) const
  {
    part parts[2];
    if (!find_parts(round, tile, positions, parts)) return;
    for (part const& p : parts) {
      extent const begin = tile * positions + p.low, end = tile * positions + p.high;
      if (begin < end) cargo.merge(p.runs, begin, end, p.to_spare);
    }
  }

private:
  static constexpr int searches = 4;

  using stage = merge_stage<item, false>;

  /// A tile's part of the merge of two runs: positions [low, high) of the tile.
  struct part {
    two_runs<extent> runs;
    int low = 0, high = 0;
    bool to_spare = false;
    extent a = 0, b = 0;  ///< where its items begin in both runs
    int from_a = 0;       ///< how many are of the first

    ONEPASS_FUNCTION extent length() const { return low < high ? runs.end - runs.begin : 0; }
    ONEPASS_FUNCTION bool has(int k) const { return k >= low && k < high; }
    ONEPASS_FUNCTION extent source(int k) const { return k - low < from_a ? a + (k - low) : b + (k - low - from_a); }
  };

  /// What a tile has to do in a round after the first: nothing, or one part, or two.
  ONEPASS_FUNCTION bool find_parts(int round, extent tile, extent positions, part (&parts)[2]) const
  {
    extent const first = tile * positions, last = n - first < positions ? n : first + positions;
    if (tile > 0) parts[0] = part_of(crossings[tile], round, tile, positions, first, last);
    if (last < n)
      if (auto const s = crossings[tile + 1]; s.all.begin >= first)
        parts[1] = part_of(s, round, tile, positions, first, last);
    return parts[0].low < parts[0].high || parts[1].low < parts[1].high;
  }

  ONEPASS_FUNCTION static part part_of(shared_segment const& s, int round, extent tile, extent positions, extent first,
                                       extent last)
  {
    part p;
    p.runs = merged_runs(s, round, tile, positions);
    if (p.runs.end > 0) {
      p.low  = int((p.runs.begin > first ? p.runs.begin : first) - first);
      p.high = int((p.runs.end < last ? p.runs.end : last) - first);
    }
    p.to_spare = (s.rounds - round) % 2 != 0;
    return p;
  }

  /// What a round merges of a segment where a tile is; nothing if the segment is done. Runs are as many tiles long as
  /// they are after the rounds before, counted from the one in which the segment begins. The last run may have nothing
  /// to be merged with.
  ONEPASS_FUNCTION static two_runs<extent> merged_runs(shared_segment const& s, int round, extent tile,
                                                       extent positions)
  {
    if (s.rounds < round) return {};
    extent const pair = s.tile + ((tile - s.tile) >> round << round);
    auto const inside = [&](extent t) {
      return t * positions < s.all.begin ? s.all.begin : t * positions > s.all.end ? s.all.end : t * positions;
    };
    return {inside(pair), inside(pair + (extent(1) << (round - 1))), inside(pair + (extent(1) << round))};
  }

  /// Searches together, of which this thread's is where the runs of a part are divided at a position.
  template <int Searches, class Team>
  ONEPASS_FUNCTION void search_ends(Team const& team, search_memory<searches> const& memory, part const& p,
                                    extent position, extent longest) const
  {
    merge_path const path(p.runs, position);
    search_together<Searches>(team, memory, longest, path.most - path.fewest, [&](extent k) {
      extent const i = path.fewest + k;
      return !cargo.less(cargo.item_at(!p.to_spare, p.runs.middle + path.diagonal - 1 - i),
                         cargo.item_at(!p.to_spare, p.runs.begin + i));
    });
  }
  /// Where a part's items are, given what was found for both of its ends.
  ONEPASS_FUNCTION static void divide(part& p, extent first, extent const* found)
  {
    merge_path const low(p.runs, first + p.low), high(p.runs, first + p.high);
    extent const a     = low.fewest + found[0];
    extent const taken = high.fewest + found[1] - a;
    p.from_a           = int(taken < 0 ? 0 : taken > p.high - p.low ? p.high - p.low : taken);
    p.a                = p.runs.begin + a;
    p.b                = p.runs.middle + low.diagonal - a;
  }

  /// A tile that is all of one merge.
  template <int Each, class Team>
  ONEPASS_FUNCTION void merge_whole(Team const& team, stage const& s, search_memory<searches> const& memory,
                                    extent first, int count, part p) const
  {
    search_ends<2>(team, memory, p, team.rank() < Team::threads / 2 ? first : first + count, p.length());
    divide(p, first, memory.found);
    auto const from = cargo.items_of(!p.to_spare), to = cargo.items_of(p.to_spare);
    s.template take<Each>(team, count, [&](int, int k) { return from(p.source(k)); });
    team.barrier();
    merged_stretch const own[1] = {{{0, p.from_a, count}, team.rank() * Each, team.rank() * Each + Each}};
    s.template merge<Each>(team, own, cargo.less);
    s.template give<Each>(team, count, [&](int, int k, item const& x) { to(first + k) = x; });
  }
};

}  // namespace onepass::ONEPASS_ABI
