// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/engine/orders.hpp>
#include <onepass/engine/rounds.hpp>
#include <onepass/programs/merge.hpp>
#include <onepass/programs/search_together.hpp>

#include <Kokkos_BitManipulation.hpp>

namespace onepass {

// Segments are sorted by merging. In the first round each tile sorts what it has of every segment; a segment that lies
// in one tile is then done. Of a longer one the runs are merged two by two, round by round. How often is known from
// where it begins and ends; so its runs lie in the output or in spare memory in such a way that the last merge ends in
// the output. What is done is not touched again, so all items are moved as often as the longest of their tile's two
// segments across its ends wants, and most inputs of short segments twice at most.

/// The stretch of positions of one segment; none if end is 0.
template <class Index>
struct segment_bounds {
  Index begin = 0, end = 0;

  /// How often its runs are merged two by two, where each is what a tile has of it.
  ONEPASS_FUNCTION int rounds(Index positions) const
  {
    return end == 0 ? 0 : bits_of((end - 1) / positions - begin / positions);
  }

  /// The number of bits of x, without zeros before them.
  ONEPASS_FUNCTION static int bits_of(Index x)
  {
    return 8 * int(sizeof(Index)) - Kokkos::Experimental::countl_zero_builtin(std::make_unsigned_t<Index>(x));
  }
};

/// All items are one segment.
struct one_segment {
  static constexpr bool is_one = true;
};

/// Segment s is [offsets(s), offsets(s + 1)). Items outside of all segments stay where they are. Offsets that decrease
/// make no sense, and do no harm.
template <class Offsets>
struct offset_segments {
  static constexpr bool is_one = false;
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

/// Puts at(k, item, index) for every k below Each whose position here + k is from low to high - 1: what stands there
/// when items [0, as) and [as, all) are merged, and its index.
template <int Each, class Item, class Less, class Put>
ONEPASS_FUNCTION void merge_stretch(Item const* items, int as, int all, int here, int low, int high, Less const& less,
                                    Put const& put)
{
  int i  = int(split_of_merge(
           low, as, all - as, less, [&](extent k) { return items[k]; }, [&](extent k) { return items[as + k]; })),
      j  = as + low - i;
  Item a = items[i < all ? i : 0], b = items[j < all ? j : 0];
  ONEPASS_UNROLL for (int k = 0; k < Each; ++k) if (here + k >= low && here + k < high)
  {
    if (j >= all || (i < as && !less(b, a))) {
      put(k, a, i);
      if (++i < as) a = items[i];
    } else {
      put(k, b, j);
      if (++j < all) b = items[j];
    }
  }
}

/// A round program that sorts `from` into `to`, which may be the same memory. `spare` has room for as much; where there
/// is one tile it is not used.
///
/// Source: merges by their paths, Odeh et al. 2012; see docs/references.md.
template <class From, class To, class Spare, class Segments, class Less>
struct merge_sort_program {
  using item                   = typename decltype(From::items)::value_type;
  using value                  = typename decltype(From::values)::value_type;
  static constexpr bool valued = !is_nothing<decltype(From::values)>;

  static constexpr extent alone_at_a_time = extent(1) << 15, few = 16;

  From from;
  To to;
  Spare spare;
  Segments segments;
  Less less;
  extent n;
  round_progress* progress;
  segment_bounds<extent>* crossings;  ///< of every tile but the first: the segment that it shares with the tile before

  ONEPASS_FUNCTION extent size() const { return n; }
  ONEPASS_FUNCTION static int most_rounds(extent tiles) { return segment_bounds<extent>::bits_of(tiles - 1); }

  /// Of a team, an odd number: threads that read neighbouring items, one a turn each, then meet no bank twice.
  ONEPASS_FUNCTION static constexpr int each(team_tuning const& numbers)
  {
    int const held = numbers.items_per_thread(!valued || sizeof(item) > sizeof(value) ? sizeof(item) : sizeof(value));
    int const most = held < most_each ? held : most_each;
    return numbers.threads == 1 ? held : most % 2 ? most : most - 1;
  }
  ONEPASS_FUNCTION static constexpr int stage_words(team_tuning const& numbers)
  {
    return numbers.threads == 1
               ? 0
               : int((layout(numbers.threads, positions_of_round<merge_sort_program>(numbers)).bytes + 3) / 4);
  }

  /// Threads sort their items in registers. Then the runs of longer segments are merged in the stage, as those of tiles
  /// are in later rounds.
  template <int Each, class Team>
  ONEPASS_FUNCTION int begin(Team const& team, extent tile) const
  {
    constexpr int positions = Team::threads * Each;
    extent const first      = tile * positions;
    int const count         = int(n - first < positions ? n - first : positions);
    stage const s(team.stage(), Team::threads, positions);

    each_position<Each>(team, count, [&](int, int k) { s.items[k] = from.items(first + k); });
    auto const ends = find_heads<positions>(team, s, first, count);
    sort_own<Each>(team, s, count);
    merge_runs<Each>(team, s, count);

    // The segment that comes from the tile before, and the one that goes on behind: which may be the same.
    bool const from_before = ends.left.end > first && ends.left.begin < first;
    int const first_head   = Segments::is_one ? count : s.next_head(0, count),
              last_head    = Segments::is_one ? -1 : s.head_before(count);
    segment_bounds<extent> const right{last_head < 0 ? ends.left.begin : first + last_head, ends.right};
    int const left_rounds = from_before ? ends.left.rounds(positions) : 0, right_rounds = right.rounds(positions);
    int const left_end    = from_before ? first_head : 0;
    int const right_begin = ends.right == 0 ? count : last_head < 0 ? 0 : last_head;
    if (!Segments::is_one && tile > 0 && team.rank() == 0)
      crossings[tile] = from_before ? ends.left : segment_bounds<extent>{};

    auto const in_spare = [&](int k) {
      return (k < left_end && left_rounds % 2 != 0) || (k >= right_begin && right_rounds % 2 != 0);
    };
    if constexpr (valued) {  // all are read before any is written, which may be in place
      value v[Each];
      each_position<Each>(team, count, [&](int j, int k) { v[j] = from.values(first + s.source[k]); });
      team.barrier();
      each_position<Each>(team, count, [&](int j, int k) { value_at(in_spare(k), first + k) = v[j]; });
    }
    each_position<Each>(team, count, [&](int, int k) { item_at(in_spare(k), first + k) = s.items[k]; });
    return left_rounds > right_rounds ? left_rounds : right_rounds;
  }

  /// A tile of the merges of two runs each: of the segment that comes from the tile before, and of the one that goes
  /// on in the tile behind.
  template <int Each, class Team>
  ONEPASS_FUNCTION void go_on(Team const& team, int round, extent tile) const
  {
    constexpr int positions = Team::threads * Each;
    part parts[most_parts];
    if (!find_parts(round, tile, positions, parts)) return;
    extent const first = tile * positions;
    stage const s(team.stage(), Team::threads, positions);

    // Where both ends of both parts divide their runs. The threads share these searches.
    constexpr int searches = 2 * most_parts;
    int const search       = team.rank() / (Team::threads / searches);
    part const sought      = search < 2 ? parts[0] : parts[most_parts - 1];
    merge_path const path(sought, first + (search % 2 ? sought.high : sought.low));
    extent const lengths[] = {parts[0].length(), parts[most_parts - 1].length()};
    extent const longest   = lengths[0] > lengths[1] ? lengths[0] : lengths[1];
    search_together<searches>(team, s.search, longest, path.most - path.fewest, [&](extent k) {
      extent const i = path.fewest + k;
      return !less(item_at(!sought.to_spare, sought.middle + path.diagonal - 1 - i),
                   item_at(!sought.to_spare, sought.begin + i));
    });
    ONEPASS_UNROLL for (int h = 0; h < most_parts; ++h)
    {
      part& p = parts[h];
      merge_path const low(p, first + p.low), high(p, first + p.high);
      extent const a     = low.fewest + s.search.found[2 * h];
      extent const taken = high.fewest + s.search.found[2 * h + 1] - a;
      p.from_a           = int(taken < 0 ? 0 : taken > p.high - p.low ? p.high - p.low : taken);
      p.a                = p.begin + a;
      p.b                = p.middle + low.diagonal - a;
    }

    auto const each_part = [&](auto const& f) {
      each_position<Each>(team, positions, [&](int, int k) {
        ONEPASS_UNROLL for (int h = 0; h < most_parts; ++h)
        {
          if (k >= parts[h].low && k < parts[h].high) f(parts[h], k);
        }
      });
    };
    each_part([&](part const& p, int k) { s.items[k] = item_at(!p.to_spare, p.source(k - p.low)); });
    team.barrier();

    int const here = team.rank() * Each;
    ONEPASS_UNROLL for (int h = 0; h < most_parts; ++h)
    {
      part const& p = parts[h];
      int const low = here > p.low ? here : p.low, high = here + Each < p.high ? here + Each : p.high;
      if (low < high)
        merge_stretch<Each>(s.items + p.low, p.from_a, p.high - p.low, here - p.low, low - p.low, high - p.low, less,
                            [&](int k, item const&, int i) { s.source[here + k] = std::uint16_t(i); });
    }
    team.barrier();

    each_part([&](part const& p, int k) {
      int const i                    = s.source[k];
      item_at(p.to_spare, first + k) = s.items[p.low + i];
      if constexpr (valued) value_at(p.to_spare, first + k) = value_at(!p.to_spare, p.source(i));
    });
  }

  /// The first round by one thread.
  KOKKOS_FUNCTION int begin_alone(extent positions, extent tile) const
  {
    extent const first = tile * positions, last = n - first < positions ? n : first + positions;
    int rounds      = 0;
    auto const sort = [&](segment_bounds<extent> const& all, extent begin, extent end) {
      int const own = all.rounds(positions);
      if (!Segments::is_one && begin == first && all.begin < first) crossings[tile] = all;
      if (rounds < own) rounds = own;
      sort_alone(begin, end, own % 2 != 0);
    };
    if (!Segments::is_one && tile > 0) crossings[tile] = {};
    if constexpr (Segments::is_one) sort({0, n}, first, last);
    else {
      extent k = partition_point(segments.number(), [&](extent i) { return segments(i) <= first; });
      for (extent at = first; at < last;) {
        extent const next = k < segments.number() ? segments(k) : last, end = next < last ? next : last;
        auto const all = segments.before(k++);
        if (end <= at) continue;
        if (all.end > 0) sort({all.begin < at ? all.begin : at, all.end}, at, end);
        else
          for (extent i = at; i < end; ++i) move_one(from, i, to, i);
        at = end;
      }
    }
    return rounds;
  }

  /// The first round by one thread where all is one segment and tiles have at most `few` items: no function of this
  /// calls itself.
  KOKKOS_FUNCTION void begin_few(extent positions, extent tile) const
  {
    static_assert(Segments::is_one);
    extent const first = tile * positions;
    insert_alone(first, n - first < positions ? n : first + positions,
                 segment_bounds<extent>{0, n}.rounds(positions) % 2 != 0);
  }

  /// A round after the first by one thread.
  KOKKOS_FUNCTION void go_on_alone(extent positions, int round, extent tile) const
  {
    part parts[most_parts];
    if (!find_parts(round, tile, positions, parts)) return;
    for (part const& p : parts) {
      extent const begin = tile * positions + p.low, end = tile * positions + p.high;
      if (begin < end) merge_alone(p.begin, p.middle, p.end, begin, end, p.to_spare);
    }
  }

protected:
  static constexpr int most_each = 15, most_parts = Segments::is_one ? 1 : 2;

  /// What a team's memory holds, and where.
  struct layout {
    std::size_t source, heads, summary, crossings, search, bytes;

    ONEPASS_FUNCTION constexpr layout(int threads, int positions)
        : source(aligned(std::size_t(positions) * sizeof(item)))
        , heads(source + aligned(std::size_t(positions) * sizeof(std::uint16_t)))
        , summary(heads + (Segments::is_one ? 0 : aligned((std::size_t(positions) / 32 + 2) * sizeof(std::uint32_t))))
        , crossings(summary
                    + (Segments::is_one ? 0 : aligned((std::size_t(positions) / 1024 + 1) * sizeof(std::uint32_t))))
        , search(crossings
                 + (Segments::is_one ? 0 : aligned(std::size_t(threads) * sizeof(segment_bounds<std::uint16_t>))))
        , bytes(search + search_memory<4>::bytes(threads))
    {}
    ONEPASS_FUNCTION static constexpr std::size_t aligned(std::size_t bytes) { return (bytes + 15) / 16 * 16; }
  };
  struct stage {
    item* items;
    std::uint16_t* source;                     ///< where an item has come from
    std::uint32_t* heads;                      ///< a bit each: a segment begins here, or there is none
    std::uint32_t* summary;                    ///< a bit for each word of heads: it is not 0
    segment_bounds<std::uint16_t>* crossings;  ///< of every thread: the segment that it shares with the thread before
    search_memory<4> search;

    ONEPASS_FUNCTION stage(char* memory, int threads, int positions)
        : stage(memory, layout(threads, positions))
    {}
    /// The heads of positions [k, k + 32).
    ONEPASS_FUNCTION std::uint32_t heads_from(int k) const
    {
      return funnel_shifted(heads[k / 32], heads[k / 32 + 1], std::uint32_t(k % 32));
    }
    /// The last head before position k; -1 if there is none.
    ONEPASS_FUNCTION int head_before(int k) const
    {
      int w              = k / 32;
      std::uint32_t word = heads[w] & ((1u << k % 32) - 1u);
      if (word == 0) {
        int v               = w / 32;
        std::uint32_t words = summary[v] & ((1u << w % 32) - 1u);
        while (words == 0 && v > 0) words = summary[--v];
        if (words == 0) return -1;
        w    = v * 32 + 31 - Kokkos::Experimental::countl_zero_builtin(words);
        word = heads[w];
      }
      return w * 32 + 31 - Kokkos::Experimental::countl_zero_builtin(word);
    }
    /// The first head from position k on; `count` if there is none before.
    ONEPASS_FUNCTION int next_head(int k, int count) const
    {
      int w              = k / 32;
      std::uint32_t word = heads[w] & (~0u << k % 32);
      if (word == 0) {
        int v               = w / 32;
        std::uint32_t words = summary[v] & ~(((1u << w % 32) << 1) - 1u);
        while (words == 0 && ++v <= (count - 1) / 1024) words = summary[v];
        if (words == 0) return count;
        w    = v * 32 + Kokkos::Experimental::countr_zero_builtin(words);
        word = heads[w];
      }
      return w * 32 + Kokkos::Experimental::countr_zero_builtin(word);
    }
    template <class Team>
    ONEPASS_FUNCTION void set_heads(Team const& team, int begin, int end) const
    {
      for (int w = begin / 32 + team.rank(); w * 32 < end; w += Team::threads) {
        std::uint32_t const after  = w * 32 < begin ? ~0u << (begin - w * 32) : ~0u,
                            before = end - w * 32 < 32 ? (1u << (end - w * 32)) - 1u : ~0u;
        Kokkos::atomic_or(heads + w, after & before);
      }
    }

  private:
    ONEPASS_FUNCTION stage(char* memory, layout const& at)
        : items(reinterpret_cast<item*>(memory))
        , source(reinterpret_cast<std::uint16_t*>(memory + at.source))
        , heads(reinterpret_cast<std::uint32_t*>(memory + at.heads))
        , summary(reinterpret_cast<std::uint32_t*>(memory + at.summary))
        , crossings(reinterpret_cast<segment_bounds<std::uint16_t>*>(memory + at.crossings))
        , search(memory + at.search)
    {}
  };

  /// f(j, k) for the positions k below `count` that are a thread's, one in so many as there are threads.
  template <int Each, class Team, class F>
  ONEPASS_FUNCTION static void each_position(Team const& team, int count, F const& f)
  {
    ONEPASS_UNROLL for (int j = 0; j < Each; ++j)
    {
      int const k = j * Team::threads + team.rank();
      if (k < count) f(j, k);
    }
  }

  ONEPASS_FUNCTION item& item_at(bool in_spare, extent i) const { return in_spare ? spare.items(i) : to.items(i); }
  ONEPASS_FUNCTION value& value_at(bool in_spare, extent i) const { return in_spare ? spare.values(i) : to.values(i); }

  /// A tile's part of the merge of two runs, positions [low, high) of the tile; or, in a tile, that of a thread.
  template <class Index>
  struct part_in {
    int low = 0, high = 0;
    Index begin = 0, middle = 0, end = 0;  ///< runs are [begin, middle) and [middle, end)

    ONEPASS_FUNCTION Index length() const { return low < high ? end - begin : 0; }
  };
  struct part : part_in<extent> {
    bool to_spare = false;
    extent a = 0, b = 0;  ///< where its items begin in both runs
    int from_a = 0;       ///< how many are of the first

    ONEPASS_FUNCTION extent source(int i) const { return i < from_a ? a + i : b + (i - from_a); }
  };

  /// Where the first items of two runs may be divided.
  struct merge_path {
    extent diagonal, fewest, most;

    ONEPASS_FUNCTION merge_path(part const& p, extent position)
        : diagonal(position - p.begin)
        , fewest(diagonal > p.end - p.middle ? diagonal - (p.end - p.middle) : 0)
        , most(diagonal < p.middle - p.begin ? diagonal : p.middle - p.begin)
    {}
  };

  /// What a tile has to do in a round after the first: nothing, or one part, or two.
  ONEPASS_FUNCTION bool find_parts(int round, extent tile, extent positions, part (&parts)[most_parts]) const
  {
    extent const first = tile * positions, last = n - first < positions ? n : first + positions;
    if constexpr (Segments::is_one) parts[0] = part_of({0, n}, round, tile, positions, first, last);
    else {
      if (tile > 0) parts[0] = part_of(crossings[tile], round, tile, positions, first, last);
      if (last < n)
        if (auto const s = crossings[tile + 1]; s.begin >= first)
          parts[1] = part_of(s, round, tile, positions, first, last);
    }
    return parts[0].low < parts[0].high || parts[most_parts - 1].low < parts[most_parts - 1].high;
  }

  ONEPASS_FUNCTION static part part_of(segment_bounds<extent> const& s, int round, extent tile, extent positions,
                                       extent first, extent last)
  {
    part p;
    static_cast<part_in<extent>&>(p) = merged_part(s, round, tile, positions, first, last);
    p.to_spare                       = (s.rounds(positions) - round) % 2 != 0;
    return p;
  }

  /// Runs are as many tiles long as they are after the rounds before, counted from the one in which the segment begins.
  /// The last run may have nothing to be merged with.
  template <class Index>
  ONEPASS_FUNCTION static part_in<Index> merged_part(segment_bounds<Index> const& s, int round, Index tile,
                                                     Index positions, Index first, Index last)
  {
    if (s.rounds(positions) < round) return {};
    Index const from = s.begin / positions, pair = from + ((tile - from) >> round << round);
    auto const inside = [&](Index t) {
      return t * positions < s.begin ? s.begin : t * positions > s.end ? s.end : t * positions;
    };
    return {int((s.begin > first ? s.begin : first) - first), int((s.end < last ? s.end : last) - first), inside(pair),
            inside(pair + (Index(1) << (round - 1))), inside(pair + (Index(1) << round))};
  }

  /// The items of each thread in order, by exchanges of neighbours between which no segment begins.
  template <int Each, class Team>
  ONEPASS_FUNCTION void sort_own(Team const& team, stage const& s, int count) const
  {
    int const here      = team.rank() * Each;
    std::uint32_t heads = Segments::is_one ? 0 : s.heads_from(here);
    if (here + Each > count) heads |= here < count ? ~0u << (count - here) : ~0u;  // no item there moves
    item x[Each];
    [[maybe_unused]] std::uint16_t source[Each];
    ONEPASS_UNROLL for (int j = 0; j < Each; ++j)
    {
      if (here + j < count) x[j] = s.items[here + j];
      source[j] = std::uint16_t(here + j);
    }
    ONEPASS_UNROLL for (int turn = 0; turn < Each; ++turn)
    {
      ONEPASS_UNROLL for (int j = turn % 2; j + 1 < Each; j += 2) if (!(heads >> (j + 1) & 1u) && less(x[j + 1], x[j]))
      {
        exchange(x[j], x[j + 1]);
        if constexpr (valued) exchange(source[j], source[j + 1]);
      }
    }
    ONEPASS_UNROLL for (int j = 0; j < Each; ++j) if (here + j < count)
    {
      s.items[here + j] = x[j];
      if constexpr (valued) s.source[here + j] = source[j];
    }
  }

  /// The segments that reach over several threads, in order. Begins before, and ends with, a barrier.
  template <int Each, class Team>
  ONEPASS_FUNCTION void merge_runs(Team const& team, stage const& s, int count) const
  {
    int const here = team.rank() * Each, behind = here + Each < count ? here + Each : count;
    segment_bounds<int> segments_here[most_parts];
    int levels;
    if constexpr (Segments::is_one) {
      segments_here[0] = {0, here < count ? count : 0};
      levels           = segment_bounds<int>{0, count}.rounds(Each);
      team.barrier();
    } else {
      segment_bounds<int> own;
      if (here > 0 && here < count && !(s.heads_from(here) & 1u)) {
        int const begin = s.head_before(here);
        own             = {begin < 0 ? 0 : begin, s.next_head(here, count)};
        Kokkos::atomic_max(s.search.told, own.rounds(Each));
      }
      s.crossings[team.rank()] = {std::uint16_t(own.begin), std::uint16_t(own.end)};
      team.barrier();
      levels           = *s.search.told;
      segments_here[0] = own;
      if (team.rank() + 1 < Team::threads)
        if (auto const next = s.crossings[team.rank() + 1]; next.begin >= here)
          segments_here[most_parts - 1] = {next.begin, next.end};
    }
    ONEPASS_NO_UNROLL for (int level = 1; level <= levels; ++level)
    {
      item x[Each];
      [[maybe_unused]] std::uint16_t source[Each];
      std::uint32_t moved = 0;
      ONEPASS_UNROLL for (int h = 0; h < most_parts; ++h)
      {
        auto const p = merged_part(segments_here[h], level, team.rank(), Each, here, behind);
        if (p.low < p.high && p.middle < p.end)
          merge_stretch<Each>(s.items + p.begin, p.middle - p.begin, p.end - p.begin, here - p.begin,
                              here + p.low - p.begin, here + p.high - p.begin, less, [&](int k, item const& y, int i) {
                                x[k] = y;
                                moved |= 1u << k;
                                if constexpr (valued) source[k] = s.source[p.begin + i];
                              });
      }
      team.barrier();
      ONEPASS_UNROLL for (int k = 0; k < Each; ++k) if (moved >> k & 1u)
      {
        s.items[here + k] = x[k];
        if constexpr (valued) s.source[here + k] = source[k];
      }
      team.barrier();
    }
  }

  template <class T>
  ONEPASS_FUNCTION static void exchange(T& a, T& b)
  {
    T const c = a;
    a         = b;
    b         = c;
  }

  /// Items [begin, end) in order, by one thread: into spare memory or into the output, by way of the other.
  KOKKOS_FUNCTION void sort_alone(extent begin, extent end, bool to_spare) const
  {
    if (end - begin > few) {
      extent const middle = begin + (end - begin) / 2;
      sort_alone(begin, middle, !to_spare);
      sort_alone(middle, end, !to_spare);
      merge_alone(begin, middle, end, begin, end, to_spare);
    } else insert_alone(begin, end, to_spare);
  }

  /// The same for few items: each is inserted among those before it.
  KOKKOS_FUNCTION void insert_alone(extent begin, extent end, bool to_spare) const
  {
    for (extent i = begin; i < end; ++i) {
      item const x = from.items(i);
      auto const v = [&] {
        if constexpr (valued) return from.values(i);
        else return nothing{};
      }();
      extent j = i;
      for (; j > begin && less(x, item_at(to_spare, j - 1)); --j) {
        item_at(to_spare, j) = item_at(to_spare, j - 1);
        if constexpr (valued) value_at(to_spare, j) = value_at(to_spare, j - 1);
      }
      item_at(to_spare, j) = x;
      if constexpr (valued) value_at(to_spare, j) = v;
    }
  }

  /// Positions [low, high) of what runs [begin, middle) and [middle, end) become together.
  KOKKOS_FUNCTION void merge_alone(extent begin, extent middle, extent end, extent low, extent high,
                                   bool to_spare) const
  {
    auto const item_of = [&](extent i) -> item const& { return item_at(!to_spare, i); };
    extent i           = begin
               + split_of_merge(
                   low - begin, middle - begin, end - middle, less, [&](extent k) { return item_of(begin + k); },
                   [&](extent k) { return item_of(middle + k); });
    extent j = middle + (low - i);
    for (extent k = low; k < high; ++k) {
      extent const next    = j >= end || (i < middle && !less(item_of(j), item_of(i))) ? i++ : j++;
      item_at(to_spare, k) = item_of(next);
      if constexpr (valued) value_at(to_spare, k) = value_at(!to_spare, next);
    }
  }

  /// The segment at the beginning of a tile, and where the one at its end goes on to; 0 if it does not.
  struct tile_ends {
    segment_bounds<extent> left;
    extent right;
  };

  /// Marks the heads of a tile. Begins before, and ends with, a barrier.
  template <int Positions, class Team>
  ONEPASS_FUNCTION tile_ends find_heads(Team const& team, stage const& s, extent first, int count) const
  {
    extent const last = first + count;
    if constexpr (Segments::is_one) {
      team.barrier();
      return {{0, n}, last < n ? n : 0};
    } else {
      for (int w = team.rank(); w < Positions / 32 + 2; w += Team::threads) s.heads[w] = 0;
      extent& right = s.search.found[1];
      if (team.rank() == 0) right = 0;
      for (int v = team.rank(); v < Positions / 1024 + 1; v += Team::threads) s.summary[v] = 0;
      extent const number = segments.number();
      search_together<1>(team, s.search, number, number, [&](extent k) { return segments(k) <= first; });
      extent const begin = s.search.found[0];
      auto const left    = segments.before(begin);
      if (team.rank() == 0 && left.end > 0 && left.begin == first) Kokkos::atomic_or(s.heads, 1u);
      extent const before = number > 0 ? segments(0) : n, behind = number > 0 ? segments(number - 1) : n;
      if (before > first) s.set_heads(team, 0, int((before < last ? before : last) - first));
      if (behind < last) s.set_heads(team, int(behind > first ? behind - first : 0), count);

      // The offsets in the tile, and the first one behind. All threads see whether their group of them is the last.
      for (extent k = begin; k < number; k += Team::threads) {
        if (extent const mine = k + team.rank(); mine < number) {
          extent const o = segments(mine);
          if (o > first && o < last) Kokkos::atomic_or(s.heads + (o - first) / 32, 1u << (o - first) % 32);
          if (o > last && mine > 0 && (mine == begin || segments(mine - 1) < last)) right = o;
        }
        if (extent const most = k + Team::threads - 1; most >= number || segments(most) >= last) break;
      }
      team.barrier();
      for (int w = team.rank(); w * 32 < count; w += Team::threads)
        if (s.heads[w] != 0) Kokkos::atomic_or(s.summary + w / 32, 1u << w % 32);
      if (team.rank() == 0) *s.search.told = 0;  // merge_runs() finds the most rounds of any of its segments here
      team.barrier();
      return {left, right};
    }
  }
};

}  // namespace onepass
