// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/engine/sorting_network.hpp>
#include <onepass/programs/by_bits.hpp>
#include <onepass/programs/digit_stage.hpp>
#include <onepass/programs/head_bits.hpp>
#include <onepass/programs/merge_segments.hpp>

namespace onepass::ONEPASS_ABI {

// Segments of keys, sorted by teams of several threads. A tile takes the segments that begin in it whole, if they are
// no longer than a tile; so none of them waits for a second round, and few keys are one tile. Only of longer segments
// each tile sorts its part, and these are merged in rounds (programs/merge_segments.hpp).

/// A round program that sorts the segments of `from` into `to`, which may be the same memory. One thread alone does as
/// the base does. Long: the tiles hold long segments, which are sorted by digits where these are fewer than merges.
template <class From, class To, class Spare, class Segments, class Less, bool Long = false>
struct segment_sort_program : segment_merge_program<From, To, Spare, Segments, Less> {
  using base = segment_merge_program<From, To, Spare, Segments, Less>;
  using item = typename base::item;

  static constexpr bool has_long_segments = Long;

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
    std::size_t const own   = layout(numbers.threads, 2 * positions).bytes,
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
    stage const s(team.stage(), Team::threads, 2 * positions);

    // Few offsets of the only tile are on their way together with its items.
    extent const number = this->segments.number();
    bool const few      = alone && number <= Team::threads;
    extent_of_heads heads{0, all, 0};
    if (few && number > 0)
      heads = {team.rank() < number ? this->segments(team.rank()) : 0, this->segments(0), this->segments(number - 1)};
    take<Each>(team, s, first, 0, count < positions ? count : positions);
    if (count > positions) take<Each>(team, s, first, positions, count);
    for (int w = team.rank(); w < head_bits::words_for(2 * positions); w += Team::threads) s.heads.words[w] = 0;
    for (int v = team.rank(); v < head_bits::summary_for(2 * positions); v += Team::threads) s.heads.summary[v] = 0;

    auto const mine = few ? take_heads(team, s, heads, count) : find_tile<positions>(team, s, first, last);
    if (mine.end > count) take<Each>(team, s, first, count, mine.end);
    item const* const sorted = sort_segments(team, s, mine);

    // Parts of long segments end in the output after the rounds that they need.
    shared_segment const left(mine.left, positions), right(mine.right, positions);
    int const left_end    = left.rounds % 2 == 0 ? 0 : left.all.end < last ? int(left.all.end - first) : count;
    int const right_begin = right.rounds % 2 == 0 ? mine.end : int(right.all.begin - first);
    if (tile > 0 && team.rank() == 0) this->crossings[tile] = left;
    for (int k = mine.begin + team.rank(); k < mine.end; k += Team::threads)
      this->cargo.item_at(k < left_end || k >= right_begin, first + k) = sorted[k];
    return left.rounds > right.rounds ? left.rounds : right.rounds;
  }

private:
  static constexpr bool has_digits = Long && order_of_codes<Less, item>;
  static constexpr int most        = has_digits ? 24 : 16;  ///< positions of a thread
  static constexpr int together    = 4;                     ///< offsets of a thread that are on their way together
  static constexpr int run         = sizeof(item) <= 4 ? 16 : 8;  ///< items that one thread sorts; then runs are merged

  /// What a team's memory holds, and where.
  struct layout {
    std::size_t other, heads, summary, search, digits, shares, bytes;

    ONEPASS_FUNCTION constexpr layout(int threads, int positions)
        : other(aligned(std::size_t(positions + 1) * sizeof(item)))
        , heads(other + aligned(std::size_t(positions + 1) * sizeof(item)))
        , summary(heads + aligned(std::size_t(head_bits::words_for(positions)) * sizeof(std::uint32_t)))
        , search(summary + aligned(std::size_t(head_bits::summary_for(positions)) * sizeof(std::uint32_t)))
        , digits(search + aligned(search_memory<2>::bytes(threads)))
        , shares(digits + aligned(digit_bytes(threads)))
        , bytes(shares + (has_digits ? share_memory::bytes(threads) : 0))
    {}
    ONEPASS_FUNCTION static constexpr std::size_t digit_bytes(int threads)
    {
      if constexpr (has_digits) return digit_stage<item, Less>::bytes(threads);
      else return 0;
    }
    ONEPASS_FUNCTION static constexpr std::size_t aligned(std::size_t bytes) { return (bytes + 15) / 16 * 16; }
  };
  struct stage {
    item *items, *other;
    head_bits heads;
    search_memory<2> search;
    char *digits, *shares;

    ONEPASS_FUNCTION stage(char* memory, int threads, int positions)
        : stage(memory, layout(threads, positions))
    {}

  private:
    ONEPASS_FUNCTION stage(char* memory, layout const& at)
        : items(reinterpret_cast<item*>(memory))
        , other(reinterpret_cast<item*>(memory + at.other))
        , heads{reinterpret_cast<std::uint32_t*>(memory + at.heads),
                reinterpret_cast<std::uint32_t*>(memory + at.summary)}
        , search(memory + at.search)
        , digits(memory + at.digits)
        , shares(memory + at.shares)
    {}
  };

  /// Which threads sort which segments by digits: a bit for the first thread of each, and where that segment begins.
  struct share_memory {
    head_bits heads;
    int* segments;

    ONEPASS_FUNCTION share_memory(char* memory, int threads)
        : heads{reinterpret_cast<std::uint32_t*>(memory),
                reinterpret_cast<std::uint32_t*>(memory) + head_bits::words_for(threads)}
        , segments(reinterpret_cast<int*>(heads.summary + head_bits::summary_for(threads)))
    {}
    ONEPASS_FUNCTION static constexpr std::size_t bytes(int threads)
    {
      return std::size_t(head_bits::words_for(threads) + head_bits::summary_for(threads) + threads) * sizeof(int);
    }
    template <class Team>
    ONEPASS_FUNCTION void clear(Team const& team) const
    {
      int const words = head_bits::words_for(Team::threads) + head_bits::summary_for(Team::threads);
      for (int w = team.rank(); w < words; w += Team::threads) heads.words[w] = 0;
    }
    ONEPASS_FUNCTION void set(int thread, int segment) const
    {
      heads.set(thread);
      heads.summarise(thread / 32);
      segments[thread] = segment;
    }
    /// The threads that have this one's segment.
    ONEPASS_FUNCTION segment_bounds<int> of(int thread, int threads) const
    {
      int const first = heads.last_to(thread);
      return {first, heads.first_behind(first, threads)};
    }
  };

  /// What a tile takes: positions [begin, end), counted from where it begins itself.
  struct extent_of_tile {
    int begin, end;
    segment_bounds<extent> left, right;  ///< long segments across its beginning and its end, if there are any
  };

  /// Copies positions [begin, end) of the tile to the stage, Each of a thread at most, which are all on their way
  /// together.
  template <int Each, class Team>
  ONEPASS_FUNCTION void take(Team const& team, stage const& s, extent first, int begin, int end) const
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
  }

  /// A head that a thread knows, and where all segments together begin and end.
  struct extent_of_heads {
    extent own, begin, end;
  };

  /// Marks the heads of the only tile, of which threads know one each. Ends with a barrier, and begins with one for all
  /// that is in the stage.
  template <class Team>
  ONEPASS_FUNCTION extent_of_tile take_heads(Team const& team, stage const& s, extent_of_heads const& heads,
                                             int count) const
  {
    team.barrier();
    if (heads.own > 0 && heads.own < count) s.heads.set(int(heads.own));
    if (team.rank() == 0) s.heads.set(0);
    mark_outside(team, s, heads.begin, heads.end, 0, count);
    team.barrier();
    return {0, count, {}, {}};
  }

  /// Marks a tile's positions that no segment has as segments of their own.
  template <class Team>
  ONEPASS_FUNCTION void mark_outside(Team const& team, stage const& s, extent begin, extent end, extent first,
                                     extent last) const
  {
    if (begin > first) s.heads.set(team, 0, int((begin < last ? begin : last) - first));
    if (end < last) s.heads.set(team, int(end > first ? end - first : 0), int(last - first));
  }

  /// Finds that, and marks the heads. Ends with a barrier, and begins with one for all that is in the stage.
  template <int Positions, class Team>
  ONEPASS_FUNCTION extent_of_tile find_tile(Team const& team, stage const& s, extent first, extent last) const
  {
    extent const number = this->segments.number();
    extent const bound  = team.rank() < Team::threads / 2 ? first + 1 : last;
    team.barrier();
    search_together<2>(team, s.search, number, number, [&](extent k) { return this->segments(k) < bound; });
    extent const begin = s.search.found[0], end = s.search.found[1];
    auto const left = this->segments.before(begin), right = this->segments.before(end);
    extent const before = number > 0 ? this->segments(0) : last, behind = number > 0 ? this->segments(number - 1) : 0;
    for (extent k = begin + team.rank(); k < end; k += together * Team::threads) {
      extent heads[together];
      ONEPASS_UNROLL for (int u = 0; u < together; ++u)
      {
        extent const at = k + u * Team::threads;
        heads[u]        = this->segments(at < end ? at : k);
      }
      ONEPASS_UNROLL for (int u = 0; u < together; ++u) if (heads[u] > first && heads[u] < last)
          s.heads.set(int(heads[u] - first));
    }

    extent_of_tile mine{0, int(last - first), {}, {}};
    auto const is_long = [](segment_bounds<extent> const& x) { return x.end - x.begin > Positions; };
    if (left.end > first && left.begin < first) {
      if (is_long(left)) mine.left = left;
      else mine.begin = int((left.end < last ? left.end : last) - first);
    }
    if (right.begin >= first && right.begin < last && right.end > last) {
      if (is_long(right)) mine.right = right;
      else mine.end = int(right.end - first);
    }
    if (team.rank() == 0 && mine.begin < mine.end) s.heads.set(mine.begin);
    mark_outside(team, s, before, behind, first, last);
    team.barrier();
    return mine;
  }

  /// Sorts the segments of the tile. Each thread has a share of neighbouring positions: first it sorts the runs that
  /// begin there, then it makes what merges of neighbouring runs have there. Returns where the items are then. Ends
  /// with a barrier.
  template <class Team>
  ONEPASS_FUNCTION item const* sort_segments(Team const& team, stage const& s, extent_of_tile const& mine) const
  {
    int const longest = find_longest(team, s, mine);
    if constexpr (has_digits)
      if (int const items = share_by_digits(team, longest, s.search.told[1], mine.end - mine.begin); items > 0)
        return sort_by_digits(team, s, mine, items);
    int const each = int(div_up(mine.end - mine.begin, Team::threads)) | 1;  // odd: threads meet no bank twice
    share own{mine.begin + team.rank() * each, 0, {}, mine.end};
    own.end = own.begin + each < mine.end ? own.begin + each : mine.end;
    if (own.begin < own.end) own.first = {s.heads.last_to(own.begin), s.heads.first_behind(own.begin, mine.end)};
    if (longest <= run / 4) sort_runs<run / 4>(s, own);
    else if (longest <= run / 2) sort_runs<run / 2>(s, own);
    else sort_runs<run>(s, own);
    team.barrier();
    // Two pointers that change places would be shorter. The assembler of CUDA 13.0 then had one of them in the register
    // of the stage's address, if that is known at run time alone, as a Kokkos team's is.
    bool in_other = false;
    ONEPASS_NO_UNROLL for (int length = run; length < longest; length *= 2)
    {
      merge_runs(s, own, length, in_other ? s.other : s.items, in_other ? s.items : s.other);
      team.barrier();
      in_other = !in_other;
    }
    return in_other ? s.other : s.items;
  }

  /// How many items of a segment a thread takes to sort them by digits; 0 if merges are faster, as they are for many
  /// short segments, or items of many digits.
  template <class Team>
  ONEPASS_FUNCTION static int share_by_digits(Team const&, int longest, int number, int count)
  {
    if (number > Team::threads / 2) return 0;
    int const items = int(div_up(count, Team::threads - number)) | 1, merges = bits_of((longest - 1) / run);
    bool const faster = digit_stage<item, Less>::digits * (items + 4) * Team::threads < (2 * merges + 5) * count;
    return faster ? items : 0;
  }

  /// Sorts the segments of the tile by digits, at most so many items of a thread. Returns where they are then. Ends
  /// with a barrier.
  template <class Team>
  ONEPASS_FUNCTION item const* sort_by_digits(Team const& team, stage const& s, extent_of_tile const& mine,
                                              int items) const
  {
    digit_stage<item, Less> const digits(this->cargo.less, s.digits, Team::threads);
    share_memory const shares(s.shares, Team::threads);
    digits.clear(team);
    shares.clear(team);
    extent threads = 0, all;
    each_segment(team, s, mine, [&](int begin, int end) { threads += div_up(end - begin, items); });
    team.barrier();
    auto thread = int(team.exclusive_scan(range_sums{}, threads, all));
    each_segment(team, s, mine, [&](int begin, int end) {
      shares.set(thread, begin);
      thread += int(div_up(end - begin, items));
    });
    team.barrier();
    auto const own    = shares.of(team.rank(), Team::threads);
    int const segment = shares.segments[own.begin], end = s.heads.first_behind(segment, mine.end),
              begin = segment + (team.rank() - own.begin) * items;
    return digits.sort(team, mine.begin,
                       {segment, begin, begin + items < end ? begin + items : end, own.begin, own.end - own.begin},
                       s.items, s.other);
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
    for (int w = team.rank(); w * 32 < mine.end; w += Team::threads)
      if (s.heads.words[w] != 0) s.heads.summarise(w);
    if (team.rank() == 0) s.search.told[0] = s.search.told[1] = 0;
    team.barrier();
    int longest = 0, number = 0;
    each_segment(team, s, mine, [&](int begin, int end) {
      longest = end - begin > longest ? end - begin : longest;
      ++number;
    });
    if (has_digits && number > 0) Kokkos::atomic_add(s.search.told + 1, number);
    if (longest > 1) Kokkos::atomic_max(s.search.told, longest);
    team.barrier();
    return *s.search.told;
  }

  /// A thread's positions [begin, end) of a tile.
  struct share {
    int begin, end;
    segment_bounds<int> first;  ///< the segment of the first of them
    int tile_end;
  };

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
        codes[j]     = j < count ? key_code(x) : code(~code(0));
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
