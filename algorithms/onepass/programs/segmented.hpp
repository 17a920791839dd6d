// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/engine/items/running.hpp>
#include <onepass/engine/items/sum_since_flag.hpp>
#include <onepass/engine/ranges.hpp>
#include <onepass/engine/tiles.hpp>
#include <onepass/programs/head_stage.hpp>
#include <onepass/programs/scan.hpp>
#include <onepass/programs/search.hpp>
#include <onepass/programs/segmented_scan.hpp>
#include <onepass/sequences.hpp>

namespace onepass::ONEPASS_ABI {

// Segments: items offsets(s) to offsets(s + 1) - 1 are segment s. One bit per item marks where segments begin, so that
// one flat pass over the items is enough, whatever the segments' lengths.

/// Segments, given by offsets. The offsets may be wrong: nothing may then be accessed outside the items.
template <class Offsets>
struct segments {
  Offsets offsets;
  item_count count;  ///< the number of offsets: one more than there are segments

  ONEPASS_FUNCTION extent number() const { return count() > 0 ? count() - 1 : 0; }
  ONEPASS_FUNCTION extent most() const { return count.limit > 0 ? count.limit - 1 : 0; }  ///< as many as there may be
  ONEPASS_FUNCTION bool has_items(extent s) const { return offsets(s) < offsets(s + 1); }
  ONEPASS_FUNCTION extent items(extent limit) const
  {
    extent const end = number() > 0 ? extent(offsets(number())) : 0;
    return end < 0 ? 0 : end < limit ? end : limit;
  }
};

/// Packs of 16 bytes for the head flags of so many items, and for one more word.
ONEPASS_FUNCTION constexpr extent packs_of_heads(extent limit) { return div_up(limit + 32, 128); }

/// First kernel: clears the head flags of all items but the first, which begins a segment even if it is in none, and
/// writes the number of items.
template <class Offsets>
struct clear_heads {
  segments<Offsets> all;
  extent limit;
  extent* items;
  pack* heads;

  ONEPASS_FUNCTION void operator()(extent p) const
  {
    heads[p] = {};
    if (p > 0) return;
    reinterpret_cast<std::uint32_t*>(heads)[0] = 1;
    *items                                     = all.items(limit);
  }
};

/// A range program over the segments: marks the first item of each as a head. An empty segment begins where the next
/// one does, or after all items.
template <class Offsets>
struct mark_heads {
  using offset = typename Offsets::value_type;

  static constexpr extent alone_at_a_time = 4096;
  static constexpr int at_a_time          = 8;  ///< neighbouring segments that a thread takes

  segments<Offsets> all;
  extent limit;
  std::uint32_t* heads;

  ONEPASS_FUNCTION extent size() const { return all.number(); }

  static constexpr int positions(team_tuning const& numbers)
  {
    return at_a_time * (numbers.threads == 1 ? 128 : numbers.threads);
  }
  ONEPASS_FUNCTION static constexpr int stage_words(int positions) { return 2 * positions; }

  ONEPASS_FUNCTION void alone(extent first, extent last) const
  {
    for (; first < last; first += at_a_time)
      mark(take(first, last), [&](std::uint64_t word, std::uint32_t bits) {
        if (word <= last_word()) Kokkos::atomic_or(heads + word, bits);
      });
  }

  /// Neighbouring segments share words of flags. These are assembled in shared memory and each written once, except for
  /// the first and the last word, which other teams may share (atomically). If the segments are so long that the words
  /// do not fit, few segments share words.
  template <int Positions, class Team>
  ONEPASS_FUNCTION void together(Team const& team, extent, extent first, extent last) const
  {
    constexpr int each = Positions / Team::threads, most = stage_words(Positions);
    auto* const here  = reinterpret_cast<std::uint32_t*>(team.stage());
    extent const mine = first + team.rank() * each;
    auto some         = take(mine, last);  // these loads overlap the clearing
    auto const low = word_within(first), span = word_within(last - 1) - low;
    if (span >= std::uint64_t(most)) return alone(mine, mine + each < last ? mine + each : last);
    auto const words = unsigned(span) + 1;
    for (unsigned w = unsigned(team.rank()); w < words; w += Team::threads) here[w] = 0;
    team.barrier();
    for (int k = 0; k < each; k += at_a_time) {
      if (k > 0) some = take(mine + k, last);
      if (mine + k < last)
        mark(some, [&](std::uint64_t word, std::uint32_t bits) {
          if (word - low < words) Kokkos::atomic_or(here + unsigned(word - low), bits);
        });
    }
    team.barrier();
    for (unsigned w = unsigned(team.rank()); w < words; w += Team::threads) {
      if (w == 0 || w == words - 1) Kokkos::atomic_or(heads + low + w, here[w]);
      else heads[low + w] = here[w];
    }
  }

private:
  struct taken {
    offset begin[at_a_time];
  };

  /// Where the segments from `first` on begin; for segments that do not exist, where the last one ends.
  ONEPASS_FUNCTION taken take(extent first, extent last) const
  {
    taken x{};
    if (first >= last) return x;
    if (last - first < at_a_time)
      for (int k = 0; k < at_a_time; ++k) x.begin[k] = all.offsets(last);
    take_neighbours(all.offsets, first, last - first, x.begin);
    return x;
  }

  /// Calls put(word, bits) for the heads of these segments.
  template <class Put>
  ONEPASS_FUNCTION static void mark(taken const& x, Put const& put)
  {
    std::uint64_t word = word_of(x.begin[0]);
    std::uint32_t bits = 0;
    if (word == word_of(x.begin[at_a_time - 1])) {  // the usual case if segments are short, and much cheaper
      ONEPASS_UNROLL for (int k = 0; k < at_a_time; ++k) bits |= bit_of(x.begin[k]);
    } else {
      ONEPASS_UNROLL for (int k = 0; k < at_a_time; ++k)
      {
        if (word_of(x.begin[k]) != word) put(word, bits), bits = 0;
        word = word_of(x.begin[k]);
        bits |= bit_of(x.begin[k]);
      }
    }
    put(word, bits);
  }

  ONEPASS_FUNCTION static std::uint64_t word_of(offset i) { return std::uint64_t(i) >> 5; }
  ONEPASS_FUNCTION static std::uint32_t bit_of(offset i) { return std::uint32_t(1) << (std::uint32_t(i) & 31); }
  ONEPASS_FUNCTION std::uint64_t last_word() const { return std::uint64_t(limit) >> 5; }
  ONEPASS_FUNCTION std::uint64_t word_within(extent s) const
  {
    auto const word = word_of(all.offsets(s));
    return word < last_word() ? word : last_word();
  }
};

/// Both kernels in one, by one team, for few items and segments.
template <class Offsets>
struct mark_few : single_tile {
  clear_heads<Offsets> clear;
  mark_heads<Offsets> mark;

  ONEPASS_FUNCTION static constexpr std::size_t stage_bytes(int) { return sizeof(pack); }
  template <class Team>
  ONEPASS_FUNCTION void downsweep(Team const& team, extent, char) const
  {
    constexpr extent each = mark_heads<Offsets>::at_a_time;
    extent const packs = packs_of_heads(clear.limit), number = mark.size();
    for (extent p = team.rank(); p < packs; p += Team::threads) clear(p);
    team.barrier();
    for (extent s = team.rank() * each; s < number; s += Team::threads * each)
      mark.alone(s, s + each < number ? s + each : number);
  }
};

/// The head flags, one bit per item; one more word follows the last.
struct is_head {
  std::uint32_t const* words;
  template <class Item>
  ONEPASS_FUNCTION bool operator()(extent i, Item const&) const
  {
    return words[std::uint64_t(i) >> 5] >> (std::uint32_t(i) & 31) & 1;
  }
};

/// A scan by threads that each take whole tiles (hosts): a tile goes from segment to segment, so no heads are marked.
/// What it tells the next depends on its items from the last head on alone.
template <class Program, class Offsets>
struct scan_segments_alone : several_tiles {
  using aggregate_type = typename Program::aggregate_type;
  using item_type      = typename Program::item_type;
  static_assert(std::is_same_v<typename Program::memo_type, bool>);

  Program scan;
  segments<Offsets> all;
  extent limit;
  extent items_alone;  ///< of a tile

  ONEPASS_FUNCTION static aggregate_type identity() { return Program::identity(); }
  ONEPASS_FUNCTION aggregate_type initial() const { return scan.initial(); }
  ONEPASS_FUNCTION aggregate_type combine(aggregate_type const& a, aggregate_type const& b) const
  {
    return scan.combine(a, b);
  }
  ONEPASS_FUNCTION static void finish(aggregate_type const&) {}
  ONEPASS_FUNCTION extent tiles(int) const
  {
    extent const n = all.items(limit);
    return n > items_alone ? div_up(n, items_alone) : 1;
  }
  /// As many as threads are worth: an item waits for the one before, as long as others take for so many bytes.
  ONEPASS_FUNCTION extent bytes_alone() const
  {
    constexpr extent meanwhile = 16, item = sizeof(item_type);
    return items_alone * (item > meanwhile ? item : meanwhile);
  }
  ONEPASS_FUNCTION static std::size_t stage_bytes(int) { return sizeof(pack); }

  template <class Team>
  ONEPASS_FUNCTION aggregate_type upsweep(Team const&, extent tile) const
  {
    if (tiles(1) == 1) return identity();
    extent const first = begin_of(tile), last = begin_of(tile + 1);
    auto offsets       = all.offsets;
    extent const begun = begun_before(last);
    if (begun < all.number() && extent(offsets(begun)) == last)
      return scan.after(identity(), {first < last, sums_of<Program>::identity()});  // the next tile begins with a head
    extent const begin = begun > 0 ? extent(offsets(begun - 1)) : 0;
    bool const flag    = begin >= first && begin < last;
    auto program       = scan;  // a copy, as below
    return scan.after(identity(), {flag, sum_since_flag(program, program.input(), flag ? begin : first, last, flag)});
  }

  template <class Team>
  ONEPASS_FUNCTION void downsweep(Team const&, extent tile, aggregate_type const& before) const
  {
    extent const first = begin_of(tile), last = begin_of(tile + 1);
    write(first, last, first == 0 ? 0 : begun_before(first), before);
  }
  void run_alone() const { write(0, all.items(limit), 0, initial()); }

private:
  /// Items [first, last); segment s is the first that does not begin before them.
  ONEPASS_FUNCTION void write(extent first, extent last, extent s, aggregate_type prefix) const
  {
    if (first >= last) return;
    auto program    = scan;  // copies, which no store to the output can change
    auto in         = program.input();
    auto out        = program.output();
    auto offsets    = all.offsets;
    auto const take = [&](auto kept, auto& now, extent k, auto head) __attribute__((always_inline))
    {
      decltype(kept)::step(
          program, now, k, in(k), head, [&](auto const& made) __attribute__((always_inline)) { out(k) = made; });
    };
    using running       = running<Program>;
    extent const number = all.number();
    extent i            = first;
    bool const begins   = i == 0 || (s < number && extent(offsets(s)) == i);
    take(running_aggregate<Program>{}, prefix, i++, begins);  // of tile 0, whether it is in a segment or before them
    auto now = running::of(prefix);
    while (s < number && extent(offsets(s)) < i) ++s;
    auto const rest = [&](extent end) __attribute__((always_inline))
    {
      constexpr extent many = 16;
      extent const stop     = end < last ? end : last;
      // Many by two: a loop over single items takes one cycle or two each, depending on its alignment. Of few, whether
      // one is left would be a guess.
      if (stop - i >= many)
        for (; i + 2 <= stop; i += 2) {
          take(running{}, now, i, std::false_type{});
          take(running{}, now, i + 1, std::false_type{});
        }
      for (; i < stop; ++i) take(running{}, now, i, std::false_type{});
    };
    if (s < number) rest(extent(offsets(s)));
    for (; s < number && i < last; ++s)
      if (extent const end = extent(offsets(s + 1)); i < end) {
        take(running{}, now, i++, std::true_type{});
        rest(end);
      }
    rest(last);
  }

  /// The number of segments that begin before item i.
  ONEPASS_FUNCTION extent begun_before(extent i) const
  {
    auto offsets = all.offsets;
    return partition_point(all.number(), [&](extent s) { return extent(offsets(s)) < i; });
  }

  /// Where a tile begins: with the next head, if that comes soon, since then nobody has to add up what precedes it. One
  /// thread may have more to do than others by as much.
  ONEPASS_FUNCTION extent begin_of(extent tile) const
  {
    constexpr extent parts = 64;
    extent const n = all.items(limit), first = tile * items_alone;
    if (tile == 0 || first >= n) return tile == 0 ? 0 : n;
    extent const head = extent(all.offsets(begun_before(first)));
    return first <= head && head <= first + n / parts ? (head < n ? head : n) : first;
  }
};

/// A scan of few items in one step: a team marks the heads in its own memory, and each thread takes neighbouring items.
template <class Program, class Offsets>
struct scan_few : single_tile {
  using aggregate_type = typename Program::aggregate_type;

  static constexpr bool commutes = false;

  Program scan;  ///< whose heads are not marked yet
  segments<Offsets> all;
  extent limit;

  ONEPASS_FUNCTION static aggregate_type identity() { return Program::identity(); }
  ONEPASS_FUNCTION static aggregate_type initial() { return identity(); }
  ONEPASS_FUNCTION aggregate_type combine(aggregate_type const& a, aggregate_type const& b) const
  {
    return scan.combine(a, b);
  }
  template <class Team>
  ONEPASS_FUNCTION static aggregate_type upsweep(Team const&, extent)
  {
    return identity();
  }
  ONEPASS_FUNCTION static void finish(aggregate_type const&) {}

  ONEPASS_FUNCTION std::size_t stage_bytes(int) const
  {
    return std::size_t(packs_of_heads(limit)) * sizeof(pack) + sizeof(extent);
  }
  template <class Team>
  ONEPASS_FUNCTION void downsweep(Team const& team, extent, aggregate_type const&) const
  {
    auto* const packs = reinterpret_cast<pack*>(team.stage());
    auto* const items = reinterpret_cast<extent*>(packs + packs_of_heads(limit));
    auto* const bits  = reinterpret_cast<std::uint32_t*>(packs);
    mark_few<Offsets>{{}, {all, limit, items, packs}, {all, limit, bits}}.downsweep(team, 0, 0);
    team.barrier();

    auto marked        = scan;
    marked.heads.words = bits;
    auto in            = marked.input();
    auto out           = marked.output();
    extent const n = *items, each = div_up(n, Team::threads);
    extent const first = team.rank() * each < n ? team.rank() * each : n, last = first + each < n ? first + each : n;
    auto before = marked.initial();
    if constexpr (Team::threads > 1) {
      auto own = identity(), total = own;
      for (extent i = first; i < last; ++i) {
        auto const x = in(i);
        own          = combine(own, marked.lift(i, x, marked.evaluate(i, x)));
      }
      before = combine(before, team.exclusive_scan(*this, own, total));
    }
    for (extent i = first; i < last; ++i) {
      auto const x    = in(i);
      auto const memo = marked.evaluate(i, x);
      auto const made = marked.lift(i, x, memo);  // before x is overwritten in place
      out(i)          = marked.result(x, memo, before);
      before          = combine(before, made);
    }
  }
};

/// The sum of a segment from an inclusive scan of the segments: its last item.
template <class Offsets, class Scanned, class Out>
struct last_of_segment {
  segments<Offsets> all;
  Scanned scanned;
  given<typename Scanned::value_type> empty;
  Out out;

  ONEPASS_FUNCTION void operator()(extent s) const
  {
    if (s >= all.number()) return;
    auto const end = extent(all.offsets(s + 1));
    bool const has = all.has_items(s) && end > 0 && end <= scanned.size;
    out(s)         = static_cast<typename Out::value_type>(has ? scanned(end - 1) : empty());
  }
};

}  // namespace onepass::ONEPASS_ABI
