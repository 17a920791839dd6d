// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/engine/items/inside.hpp>
#include <onepass/engine/registers.hpp>

#include <cstdint>

namespace onepass {

// The stage: the memory in which a team keeps the items of a tile, and later what it writes; and how items get there
// and back.

template <class Sequence>
constexpr bool has_packs = is_contiguous<Sequence>::value && 16 % sizeof(typename Sequence::value_type) == 0;

/// Whether the items from `first` on are aligned to travel 16 bytes at a time.
template <class Sequence>
ONEPASS_FUNCTION bool in_packs(Sequence const& s, extent first)
{
  return reinterpret_cast<std::uintptr_t>(s.data + first) % 16 == 0;
}

/// Copies `packs` 16-byte words, at most Most, by the whole team. A thread issues all its loads before its first store.
template <int Most, class Team>
ONEPASS_FUNCTION void copy_packs(Team const& team, pack const* from, pack* to, int packs)
{
  constexpr int rounds = (Most + Team::threads - 1) / Team::threads;
  if (packs == 0) return;
  if constexpr (rounds <= 16) {
    pack held[rounds];
    ONEPASS_UNROLL for (int j = 0; j < rounds; ++j)
    {
      int const p = team.rank() + j * Team::threads;
      held[j]     = from[p < packs ? p : 0];  // a load under a condition would cost registers
    }
    ONEPASS_UNROLL for (int j = 0; j < rounds; ++j)
    {
      int const p = team.rank() + j * Team::threads;
      if (p < packs) to[p] = held[j];
    }
  } else
    for (int p = team.rank(); p < packs; p += Team::threads) to[p] = from[p];
}

/// By how many items `first` lies behind a 16-byte boundary: output that is staged equally far behind one travels in
/// packs.
template <class Sequence>
ONEPASS_FUNCTION int phase_of(Sequence const& to, extent first)
{
  using T = typename Sequence::value_type;
  if constexpr (has_packs<Sequence>) return int(reinterpret_cast<std::uintptr_t>(to.data + first) % 16 / sizeof(T));
  else return 0;
}

/// Neighbouring positions.
struct stretch {
  extent begin;
  int count;
};

/// The positions [base, end), without those outside of the sequence.
template <class Sequence>
ONEPASS_FUNCTION stretch part_inside(Sequence const& to, extent base, extent end)
{
  extent const begin = base < 0 ? 0 : base, stop = end < to.size ? end : to.size;
  return {begin, stop > begin ? int(stop - begin) : 0};
}

/// Cuts neighbouring items into a ragged head, whole packs and a ragged tail; the packs begin at a 16-byte boundary of
/// the stage.
template <class T>
struct packed_stretch {
  int head, body;  ///< numbers of items; the rest is the tail
  ONEPASS_FUNCTION packed_stretch(int offset, int count)
  {
    constexpr int per_pack = 16 / int(sizeof(T));
    int const ragged       = (per_pack - offset % per_pack) % per_pack;
    head                   = ragged < count ? ragged : count;
    body                   = (count - head) / per_pack * per_pack;
  }
};

/// to[0, words) = the bytes from `from` on, by the whole team. They need not begin at a word.
template <class Team>
ONEPASS_FUNCTION void copy_words(Team const& team, char const* from, raw<std::uint32_t>* to, int words)
{
  int const past   = int(reinterpret_cast<std::uintptr_t>(from) % 4);
  auto const whole = reinterpret_cast<raw<std::uint32_t> const*>(from - past);
  for (int i = team.rank(); i < words; i += Team::threads)
    to[i].word = std::uint32_t((std::uint64_t(whole[i + (past > 0)].word) << 32 | whole[i].word) >> 8 * past);
}

/// to[first, first + count) = stage[0, count), coalesced.
template <int Items, class Team, class Sequence>
ONEPASS_FUNCTION void stage_out(Team const& team, typename Sequence::value_type const* stage, Sequence const& to,
                                extent first, int count)
{
  using T  = typename Sequence::value_type;
  int done = 0;
  if constexpr (has_packs<Sequence>) {
    packed_stretch<T> const cut(int(reinterpret_cast<std::uintptr_t>(stage) % 16 / sizeof(T)), count);
    if (in_packs(to, first + cut.head)) {
      copy_packs<Items* int(sizeof(T)) / 16>(team, reinterpret_cast<pack const*>(stage + cut.head),
                                             reinterpret_cast<pack*>(to.data + first + cut.head),
                                             cut.body * int(sizeof(T)) / 16);
      for (int i = team.rank(); i < cut.head; i += Team::threads) to(first + i) = stage[i];
      done = cut.head + cut.body;
    } else if constexpr (sizeof(T) < 4) {
      constexpr int per_word = 4 / int(sizeof(T));
      int const ragged       = int(-reinterpret_cast<std::uintptr_t>(to.data + first) % 4 / sizeof(T));
      int const head = ragged < count ? ragged : count, words = (count - head) / per_word;
      copy_words(team, reinterpret_cast<char const*>(stage + head),
                 reinterpret_cast<raw<std::uint32_t>*>(to.data + first + head), words);
      for (int i = team.rank(); i < head; i += Team::threads) to(first + i) = stage[i];
      done = head + words * per_word;
    }
  }
  for (int i = done + team.rank(); i < count; i += Team::threads) to(first + i) = stage[i];
}

/// Bytes that the items of a tile take in memory, where each array has `behind` bytes before it.
template <class Sequence>
struct array_bytes {
  ONEPASS_FUNCTION static constexpr std::size_t of(int items, int behind)
  {
    return (std::size_t(behind) + std::size_t(items) * sizeof(typename Sequence::value_type) + 127) / 128 * 128;
  }
};
template <class First, class Second>
struct array_bytes<zipped<First, Second>> {
  ONEPASS_FUNCTION static constexpr std::size_t of(int items, int behind)
  {
    return array_bytes<First>::of(items, behind) + array_bytes<Second>::of(items, behind);
  }
};

/// The items of a tile in `memory`, which is aligned to 16 bytes at least. Items of two zipped sequences lie in two
/// arrays, so that both can travel in packs. The `Behind` bytes before the items are for items that precede the tile.
template <class Sequence, int Items, int Behind = 0>
struct staged {
  using item = typename Sequence::value_type;

  /// N of the items in registers, and how they get there.
  template <int N>
  struct registers : register_items<item, N> {
    ONEPASS_FUNCTION void load(staged const& from, int i) { register_items<item, N>::load(from.data() + i); }
  };

  char* memory;

  ONEPASS_FUNCTION item* data() const { return reinterpret_cast<item*>(memory + Behind); }
  ONEPASS_FUNCTION item operator()(int i) const { return data()[i]; }

  /// Copies `valid` items of the sequence, from item `first` on, to the stage, by the whole team; coalesced.
  template <class Team>
  ONEPASS_FUNCTION void take(Team const& team, Sequence const& from, extent first, int valid) const
  {
    int done = 0;
    if constexpr (has_packs<Sequence>)
      if (in_packs(from, first)) {
        constexpr int per_pack = 16 / int(sizeof(item));
        copy_packs<Items / per_pack>(team, reinterpret_cast<pack const*>(from.data + first),
                                     reinterpret_cast<pack*>(data()), valid / per_pack);
        done = valid / per_pack * per_pack;
      }
    for (int i = done + team.rank(); i < valid; i += Team::threads) data()[i] = from(first + i);
  }

  /// Calls f(sequence, its array) for each array.
  template <class F>
  ONEPASS_FUNCTION void each_array(Sequence const& from, F const& f) const
  {
    f(from, *this);
  }
};

template <class First, class Second, int Items, int Behind>
struct staged<zipped<First, Second>, Items, Behind> {
  using item         = typename zipped<First, Second>::value_type;
  using first_array  = staged<First, Items, Behind>;
  using second_array = staged<Second, Items, Behind>;

  template <int N>
  struct registers {
    typename first_array::template registers<N> first;
    typename second_array::template registers<N> second;

    ONEPASS_FUNCTION item get(int k) const { return {first.get(k), second.get(k)}; }
    ONEPASS_FUNCTION void load(staged const& from, int i)
    {
      first.load(from.first(), i);
      second.load(from.second(), i);
    }
  };

  char* memory;

  ONEPASS_FUNCTION first_array first() const { return {memory}; }
  ONEPASS_FUNCTION second_array second() const { return {memory + array_bytes<First>::of(Items, Behind)}; }
  ONEPASS_FUNCTION item operator()(int i) const { return {first()(i), second()(i)}; }

  template <class Team>
  ONEPASS_FUNCTION void take(Team const& team, zipped<First, Second> const& from, extent start, int valid) const
  {
    first().take(team, from.first, start, valid);
    second().take(team, from.second, start, valid);
  }

  template <class F>
  ONEPASS_FUNCTION void each_array(zipped<First, Second> const& from, F const& f) const
  {
    first().each_array(from.first, f);
    second().each_array(from.second, f);
  }
};

template <class Program, int Items, int Behind = 0>
using stage_for = staged<input_of<Program>, Items, Behind>;

/// Whether a thread's results may overwrite its own staged items, since no other thread reads these.
template <class Program>
constexpr bool results_replace_items = bytes_per_output<Program> == sizeof(typename Program::item_type)
                                       && !(is_zipped<input_of<Program>> || looks_behind<Program>);

namespace detail {
template <class P>
constexpr std::size_t bytes_of_columns = []<int... C>(std::integer_sequence<int, C...>)
{
  return (sizeof(column_item<P, C>) + ...);
}
(std::make_integer_sequence<int, P::columns>{});
}  // namespace detail

/// Whether every item goes to at most one column.
template <class P>
constexpr bool parts_items = counts_parts<P> || P::columns == 1;
template <counts_flags P>
  requires(P::columns == 2)
constexpr bool parts_items<P> = P::template keeps<0>(true) != P::template keeps<1>(true)
                                && P::template keeps<0>(false) != P::template keeps<1>(false);

/// Whether all columns of a tile fit into the stage at once, in the room that its items took or would take if they were
/// as wide as the widest column.
template <class P>
constexpr bool columns_together = parts_items<P> || detail::bytes_of_columns<P> <= bytes_of_item<input_of<P>>;

/// Bytes of stage that a tile needs: first for its input, later for its output. A column may begin and end anywhere
/// within 16 bytes.
template <class Program>
ONEPASS_FUNCTION constexpr std::size_t stage_bytes(int items, int behind = 0)
{
  std::size_t const in = array_bytes<input_of<Program>>::of(items, behind);
  std::size_t out      = bytes_per_output<Program> * std::size_t(items);
  if constexpr (Program::shape == output_shape::compacted) {
    if constexpr (columns_together<Program> && !parts_items<Program>)
      out = detail::bytes_of_columns<Program> * std::size_t(items);
    out += 32 * Program::columns;
  }
  out = (out + 127) / 128 * 128;
  return in > out ? in : out;
}

}  // namespace onepass
