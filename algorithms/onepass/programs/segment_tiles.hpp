// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/engine/sorting_network.hpp>
#include <onepass/programs/by_bits.hpp>
#include <onepass/programs/head_bits.hpp>
#include <onepass/programs/lane_stage.hpp>
#include <onepass/programs/merge_segments.hpp>

namespace onepass::ONEPASS_ABI {

// Segments of keys, sorted by teams of several threads. A tile takes the segments that begin in it whole, if they are
// no longer than a tile; so none of them waits for a second round, and few keys are one tile. Only of longer segments
// each tile sorts its part, and these are merged in rounds (programs/merge_segments.hpp).

/// A round program that sorts the segments of `from` into `to`, which may be the same memory. One thread alone does as
/// the base does.
template <class From, class To, class Spare, class Segments, class Less>
struct segment_sort_program : segment_merge_program<From, To, Spare, Segments, Less> {
  using base = segment_merge_program<From, To, Spare, Segments, Less>;
  using item = typename base::item;

  ONEPASS_FUNCTION static constexpr int each(team_tuning const& numbers)
  {
    int const held = numbers.items_per_thread(sizeof(item)),
              room = (numbers.stage / int(4 * sizeof(item)) - 128) / numbers.threads;
    if (numbers.threads == 1) return held;
    return held < room ? held < most ? held : most : room < most ? room : most;
  }
  ONEPASS_FUNCTION static constexpr int stage_words(team_tuning const& numbers)
  {
    if (numbers.threads == 1) return 0;
    int const positions     = numbers.threads * each(numbers);
    std::size_t const own   = layout(numbers.threads, 2 * positions, numbers.lanes).bytes,
                      later = base::bytes_to_go_on(numbers.threads, positions);
    return int((own > later ? own : later) + 3) / 4;
  }
  /// So many positions are one tile.
  ONEPASS_FUNCTION static constexpr int most_alone(team_tuning const& numbers)
  {
    return (numbers.threads == 1 ? 1 : 2) * numbers.threads * each(numbers);
  }

  template <int Each, class Team>
  ONEPASS_FUNCTION int begin(Team const& team, extent tile) const
  {
    constexpr int positions = Team::threads * Each;
    extent const all        = this->n;
    bool const alone        = all <= 2 * positions;
    extent const first = tile * positions, last = alone || all - first < positions ? all : first + positions;
    int const count = int(last - first);
    stage const s(team.stage(), layout(Team::threads, 2 * positions, team_of_warps<Team>));

    bool coded = take<Each>(team, s, first, 0, count < positions ? count : positions);
    if (count > positions) coded &= take<Each>(team, s, first, positions, count);
    auto const mine = find_tile<positions>(team, s, first, last);
    if (mine.end > count) coded &= take<Each>(team, s, first, count, mine.end);
    item const* const sorted = sort_tile<2 * positions>(team, s, mine, first, coded);

    // Parts of long segments end in the output after the rounds that they need.
    shared_segment const left(mine.left, positions), right(mine.right, positions);
    int const left_end    = left.rounds % 2 == 0 ? 0 : left.all.end < last ? int(left.all.end - first) : count;
    int const right_begin = right.rounds % 2 == 0 ? mine.end : int(right.all.begin - first);
    if (tile > 0 && team.rank() == 0) this->crossings[tile] = left;
    if (left_end == 0 && right_begin == mine.end) {
      auto const out = this->cargo.items_of(false);
      for (int k = mine.begin + team.rank(); k < mine.end; k += Team::threads) out(first + k) = sorted[k];
    } else
      for (int k = mine.begin + team.rank(); k < mine.end; k += Team::threads)
        this->cargo.item_at(k < left_end || k >= right_begin, first + k) = sorted[k];
    return left.rounds > right.rounds ? left.rounds : right.rounds;
  }

  static constexpr bool sorts_by_lanes = order_of_whole_codes<Less, item>;

private:
  static constexpr int most     = 16;                          ///< positions of a thread
  static constexpr int together = 4;                           ///< offsets of a thread that are on their way together
  static constexpr int run      = sizeof(item) <= 4 ? 16 : 8;  ///< items that one thread sorts; then runs are merged

  using lanes = lane_stage<item, Less>;

  /// What a team's memory holds, and where.
  struct layout {
    std::size_t other, heads, summary, search, bytes;

    ONEPASS_FUNCTION constexpr layout(int threads, int positions, bool by_lanes)
        : other(aligned(std::size_t(positions + 1) * sizeof(item)))
        , heads(other + aligned(other_bytes(positions, by_lanes)))
        , summary(heads + aligned(std::size_t(head_bits::words_for(positions)) * sizeof(std::uint32_t)))
        , search(summary + aligned(std::size_t(head_bits::summary_for(positions)) * sizeof(std::uint32_t)))
        , bytes(search + search_memory<2>::bytes(threads))
    {}
    /// Of a second place for the items, or for the list of pieces that lanes sort in the first.
    ONEPASS_FUNCTION static constexpr std::size_t other_bytes(int positions, bool by_lanes)
    {
      std::size_t bytes = std::size_t(positions + 1) * sizeof(item);
      if constexpr (sorts_by_lanes)
        if (by_lanes && bytes < lanes::bytes(positions)) bytes = lanes::bytes(positions);
      return bytes;
    }
    ONEPASS_FUNCTION static constexpr std::size_t aligned(std::size_t bytes) { return (bytes + 15) / 16 * 16; }
  };
  struct stage {
    item *items, *other;
    head_bits heads;
    search_memory<2> search;

    ONEPASS_FUNCTION stage(char* memory, layout const& at)
        : items(reinterpret_cast<item*>(memory))
        , other(reinterpret_cast<item*>(memory + at.other))
        , heads{reinterpret_cast<std::uint32_t*>(memory + at.heads),
                reinterpret_cast<std::uint32_t*>(memory + at.summary)}
        , search(memory + at.search)
    {}
  };

  /// What a tile takes: positions [begin, end), counted from where it begins itself.
  struct extent_of_tile {
    int begin, end;
    segment_bounds<extent> offsets;      ///< of which segments begin in the tile, but at its first position
    segment_bounds<extent> left, right;  ///< long segments across its beginning and its end, if there are any
  };

  /// A thread's positions [begin, end) of a tile.
  struct share {
    int begin, end;
    segment_bounds<int> first;  ///< the segment of the first of them
    int tile_end;
  };
  /// Of neighbouring positions, an odd number: threads meet no bank twice.
  template <class Team>
  ONEPASS_FUNCTION share share_of(Team const& team, stage const& s, extent_of_tile const& mine) const
  {
    int const each = int(div_up(mine.end - mine.begin, Team::threads)) | 1;
    share own{mine.begin + team.rank() * each, 0, {}, mine.end};
    own.end = own.begin + each < mine.end ? own.begin + each : mine.end;
    if (own.begin < own.end) own.first = {s.heads.last_to(own.begin), s.heads.first_behind(own.begin, mine.end)};
    return own;
  }

  /// Copies positions [begin, end) of the tile to the stage, Each of a thread at most, which are all on their way
  /// together. Returns whether this thread's are made by their codes.
  template <int Each, class Team>
  ONEPASS_FUNCTION bool take(Team const& team, stage const& s, extent first, int begin, int end) const
  {
    item x[Each];
    ONEPASS_UNROLL for (int j = 0; j < Each; ++j)
    {
      int const k = begin + j * Team::threads + team.rank();
      if (k < end) x[j] = this->cargo.from.items(first + k);
    }
    ONEPASS_UNROLL for (int j = 0; j < Each; ++j)
    {
      int const k = begin + j * Team::threads + team.rank();
      if (k < end) s.items[k] = x[j];
    }
    if constexpr (sorts_by_lanes) {
      bool coded = true;
      ONEPASS_UNROLL for (int j = 0; j < Each; ++j) if (begin + j * Team::threads + team.rank() < end) coded &=
          made_by_code(x[j]);
      return coded;
    } else return false;
  }

  /// Marks a tile's positions that no segment has as segments of their own.
  template <class Team>
  ONEPASS_FUNCTION void mark_outside(Team const& team, stage const& s, extent begin, extent end, extent first,
                                     extent last) const
  {
    if (begin > first) s.heads.set(team, 0, int((begin < last ? begin : last) - first));
    if (end < last) s.heads.set(team, int(end > first ? end - first : 0), int(last - first));
  }

  /// Finds what a tile takes. Ends with a barrier, and begins with one for all that is in the stage.
  template <int Positions, class Team>
  ONEPASS_FUNCTION extent_of_tile find_tile(Team const& team, stage const& s, extent first, extent last) const
  {
    extent const number = this->segments.number();
    extent const bound  = team.rank() < Team::threads / 2 ? first + 1 : last;
    team.barrier();
    search_together<2>(team, s.search, number, number, [&](extent k) { return this->segments(k) < bound; });
    segment_bounds<extent> const offsets{s.search.found[0], s.search.found[1]};
    auto const left = this->segments.before(offsets.begin), right = this->segments.before(offsets.end);
    extent_of_tile mine{0, int(last - first), offsets, {}, {}};
    auto const is_long = [](segment_bounds<extent> const& x) { return x.end - x.begin > Positions; };
    if (left.end > first && left.begin < first) {
      if (is_long(left)) mine.left = left;
      else mine.begin = int((left.end < last ? left.end : last) - first);
    }
    if (right.begin >= first && right.begin < last && right.end > last) {
      if (is_long(right)) mine.right = right;
      else mine.end = int(right.end - first);
    }
    return mine;
  }

  /// Marks the heads of a tile. Ends with a barrier.
  template <int Room, class Team>
  ONEPASS_FUNCTION void mark_heads(Team const& team, stage const& s, extent_of_tile const& mine, extent first) const
  {
    for (int w = team.rank(); w < head_bits::words_for(Room); w += Team::threads) s.heads.words[w] = 0;
    for (int v = team.rank(); v < head_bits::summary_for(Room); v += Team::threads) s.heads.summary[v] = 0;
    team.barrier();
    extent const number = this->segments.number(), last = first + mine.end;
    extent const before = number > 0 ? this->segments(0) : last, behind = number > 0 ? this->segments(number - 1) : 0;
    for (extent k = mine.offsets.begin + team.rank(); k < mine.offsets.end; k += together * Team::threads) {
      extent heads[together];
      ONEPASS_UNROLL for (int u = 0; u < together; ++u)
      {
        extent const at = k + u * Team::threads;
        heads[u]        = this->segments(at < mine.offsets.end ? at : k);
      }
      ONEPASS_UNROLL for (int u = 0; u < together; ++u) if (heads[u] > first && heads[u] < last)
          s.heads.set(int(heads[u] - first));
    }
    if (team.rank() == 0 && mine.begin < mine.end) s.heads.set(mine.begin);
    mark_outside(team, s, before, behind, first, last);
    team.barrier();
    for (int w = team.rank(); w * 32 < mine.end; w += Team::threads)
      if (s.heads.words[w] != 0) s.heads.summarise(w);
    team.barrier();
  }

  /// Sorts the segments of a tile: runs by lanes, if this is a team of warps and all keys are made by their codes; else
  /// each thread sorts those that begin in its share of neighbouring positions. Then runs are merged. Returns where the
  /// items are then. Ends with a barrier.
  template <int Room, class Team>
  ONEPASS_FUNCTION item const* sort_tile(Team const& team, stage const& s, extent_of_tile const& mine, extent first,
                                         bool coded) const
  {
    if constexpr (sorts_by_lanes && team_of_warps<Team>)
      if (this->cargo.less.is_of_all_bits()) {
        lanes const by_lanes(this->cargo.less, reinterpret_cast<char*>(s.other));
        by_lanes.template clear<Room>(team);
        team.barrier();
        extent const number = mine.offsets.end - mine.offsets.begin;
        int const longest   = by_lanes.list(
              team, number + 1, [&](extent k) { return stretch_between(mine, first, number, k); }, coded);
        if (longest > 0) {
          by_lanes.sort(team, s.items);
          if (longest <= lanes::most) return s.items;
          mark_heads<Room>(team, s, mine, first);
          return merge_runs(team, s, share_of(team, s, mine), lanes::most, longest);
        }
      }
    mark_heads<Room>(team, s, mine, first);
    int const longest = find_longest(team, s, mine);
    auto const own    = share_of(team, s, mine);
    if (longest <= run / 4) sort_runs<run / 4>(s, own);
    else if (longest <= run / 2) sort_runs<run / 2>(s, own);
    else sort_runs<run>(s, own);
    team.barrier();
    return merge_runs(team, s, own, run, longest);
  }

  /// The stretch of a tile between its offsets k - 1 and k, in which offset -1 is where it begins, and offset `number`
  /// where it ends. None of what is in no segment.
  ONEPASS_FUNCTION segment_bounds<int> stretch_between(extent_of_tile const& mine, extent first, extent number,
                                                       extent k) const
  {
    extent const at = mine.offsets.begin + k;
    if (k > number || at == 0 || at >= this->segments.number()) return {};
    auto const inside = [&](extent i) {
      extent const o = this->segments(i) - first;
      return o < mine.begin ? mine.begin : o > mine.end ? mine.end : int(o);
    };
    segment_bounds<int> const x{k == 0 ? mine.begin : inside(at - 1), k == number ? mine.end : inside(at)};
    return x.begin < x.end ? x : segment_bounds<int>{};
  }

  /// Merges sorted runs of so many items until the longest segment is one. Returns where the items are then. Ends with
  /// a barrier.
  template <class Team>
  ONEPASS_FUNCTION item const* merge_runs(Team const& team, stage const& s, share const& own, int length,
                                          int longest) const
  {
    // Two pointers that change places would be shorter. The assembler of CUDA 13.0 then had one of them in the register
    // of the stage's address, if that is known at run time alone, as a Kokkos team's is.
    bool in_other = false;
    ONEPASS_NO_UNROLL for (; length < longest; length *= 2)
    {
      merge_runs(s, own, length, in_other ? s.other : s.items, in_other ? s.items : s.other);
      team.barrier();
      in_other = !in_other;
    }
    return in_other ? s.other : s.items;
  }

  /// f(begin, end) for each segment of which a thread has the head in its share of all words.
  template <class Team, class F>
  ONEPASS_FUNCTION static void each_segment(Team const& team, stage const& s, extent_of_tile const& mine, F const& f)
  {
    int const words = int(div_up(mine.end, 32)), each = int(div_up(words, Team::threads)), first = team.rank() * each;
    for (int w = first; w < first + each && w < words; ++w)
      for (std::uint32_t heads = s.heads.words[w]; heads != 0;) {
        int const k = w * 32 + Kokkos::Experimental::countr_zero_builtin(heads);
        heads &= heads - 1;
        int const end =
            heads != 0 ? w * 32 + Kokkos::Experimental::countr_zero_builtin(heads) : s.heads.first_behind(k, mine.end);
        if (mine.begin <= k && k < mine.end) f(k, end < mine.end ? end : mine.end);
      }
  }

  /// The length of the longest segment. Ends with a barrier.
  template <class Team>
  ONEPASS_FUNCTION int find_longest(Team const& team, stage const& s, extent_of_tile const& mine) const
  {
    if (team.rank() == 0) s.search.told[0] = 0;
    team.barrier();
    int longest = 0;
    each_segment(team, s, mine, [&](int begin, int end) { longest = end - begin > longest ? end - begin : longest; });
    if (longest > 1) Kokkos::atomic_max(s.search.told, longest);
    team.barrier();
    return *s.search.told;
  }

  /// Sorts the runs of at most Most items that begin in a share, counted from where their segments begin.
  template <int Most>
  ONEPASS_FUNCTION void sort_runs(stage const& s, share const& own) const
  {
    if (own.begin >= own.end) return;
    auto segment   = own.first;
    int const into = (own.begin - segment.begin) % Most, left = segment.end - own.begin;
    int k = into == 0 ? own.begin : own.begin + (Most - into < left ? Most - into : left);
    while (k < own.end) {
      if (k == segment.end) segment.end = s.heads.first_behind(k, own.tile_end);
      int const items = segment.end - k < Most ? segment.end - k : Most;
      sort_run<Most>(s.items + k, items);
      k += items;
    }
  }

  /// Sorts a run. What is not by codes alone, or has a key that its code does not determine, is sorted by insertion.
  template <int Most>
  ONEPASS_FUNCTION void sort_run(item* items, int count) const
  {
    if (count < 2) return;
    auto const& less = this->cargo.less;
    if constexpr (std::is_same_v<Less, by_codes>) {
      using code = unsigned_of<sizeof(item)>;
      code codes[Most];
      bool determined = true;
      ONEPASS_UNROLL for (int j = 0; j < Most; ++j)
      {
        item const x = items[j < count ? j : 0];
        codes[j]     = j < count ? onepass::key_code(x) : code(~code(0));
        determined   = determined && made_by_code(x);
      }
      if (determined) {
        sort_by_network(codes);
        ONEPASS_UNROLL for (int j = 0; j < Most; ++j) if (j < count) items[j] = key_of_code<item>(codes[j]);
        return;
      }
    }
    for (int j = 1; j < count; ++j) {
      item const x = items[j];
      int i        = j;
      for (; i > 0 && less(x, items[i - 1]); --i) items[i] = items[i - 1];
      items[i] = x;
    }
  }

  /// Makes the positions of a share, of merges of two neighbouring runs each of so many items.
  ONEPASS_FUNCTION void merge_runs(stage const& s, share const& own, int length, item const* here, item* there) const
  {
    auto const& less = this->cargo.less;
    auto segment     = own.first;
    int i = 0, middle = 0, j = 0, end = own.begin;  // the next of both runs, and where these end
    item a{}, b{};
    ONEPASS_NO_UNROLL for (int k = own.begin; k < own.end; ++k)
    {
      if (k == end) {
        if (k == segment.end) segment = {k, s.heads.first_behind(k, own.tile_end)};
        int const begin = k - ((k - segment.begin) & (2 * length - 1));
        middle          = begin + length < segment.end ? begin + length : segment.end;
        end             = middle + length < segment.end ? middle + length : segment.end;
        i               = begin
            + split_of_merge(
                k - begin, middle - begin, end - middle, less, [&](int d) { return here[begin + d]; },
                [&](int d) { return here[middle + d]; });
        j = middle + (k - i);
        a = here[i], b = here[j];  // one behind the last is there, and of no meaning
      }
      bool second;
      if constexpr (order_of_codes<Less, item>) second = (i >= middle) | ((j < end) & less(b, a));  // no branch
      else second = i >= middle || (j < end && less(b, a));  // a user's order may read memory where items say
      there[k] = second ? b : a;
      if (second) ++j;
      else ++i;
      item const next = here[second ? j : i];
      a               = second ? a : next;
      b               = second ? next : b;
    }
  }
};

}  // namespace onepass::ONEPASS_ABI
