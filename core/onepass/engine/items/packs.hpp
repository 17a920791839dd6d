// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/engine/registers.hpp>
#include <onepass/sequences.hpp>

#include <cstdint>

namespace onepass::ONEPASS_ABI {

// Copies of a tile's items between global memory and the stage by a team, in words of 16 bytes where alignment allows.

/// Whether words of 16 bytes hold whole items.
template <class Sequence>
constexpr bool has_packs = is_contiguous<Sequence>::value && 16 % sizeof(typename Sequence::value_type) == 0;

/// Whether the items from `first` on are aligned to be copied 16 bytes at a time.
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

/// By how many bytes `first` is after a 16-byte boundary: output staged equally far after one can be copied in packs.
template <class Sequence>
ONEPASS_FUNCTION int phase_of(Sequence const& to, extent first)
{
  if constexpr (is_contiguous<Sequence>::value) return int(reinterpret_cast<std::uintptr_t>(to.data + first) % 16);
  else return 0;
}

/// Neighbouring positions.
struct stretch {
  extent begin;
  int count;
};

/// The positions [base, end), without those outside the sequence.
template <class Sequence>
ONEPASS_FUNCTION stretch part_inside(Sequence const& to, extent base, extent end)
{
  extent const begin = base < 0 ? 0 : base, stop = end < to.size ? end : to.size;
  return {begin, stop > begin ? int(stop - begin) : 0};
}

/// Cuts neighbouring items into a head, whole packs and a tail; the packs begin at a 16-byte boundary of the stage.
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

/// Whether items are copied as bytes where they are not aligned to packs: so many bytes are no single access.
template <class T>
constexpr bool copied_as_bytes = sizeof(T) < 4 || 16 % sizeof(T) != 0;

/// to[0, words) = the bytes from `from` on, by the whole team. They need not begin at a word.
template <class Team>
ONEPASS_FUNCTION void copy_words(Team const& team, char const* from, raw<std::uint32_t>* to, int words)
{
  int const past   = int(reinterpret_cast<std::uintptr_t>(from) % 4);
  auto const whole = reinterpret_cast<raw<std::uint32_t> const*>(from - past);
  for (int i = team.rank(); i < words; i += Team::threads)
    to[i].word = std::uint32_t((std::uint64_t(whole[i + (past > 0)].word) << 32 | whole[i].word) >> 8 * past);
}

/// Copies bytes [0, first) and [last, end), which are few, by the whole team.
template <class Team>
ONEPASS_FUNCTION void copy_ends(Team const& team, char const* from, char* to, int first, int last, int end)
{
  for (int b = team.rank(); b < first; b += Team::threads) to[b] = from[b];
  for (int b = last + team.rank(); b < end; b += Team::threads) to[b] = from[b];
}

/// to[0, bytes) = from[0, bytes), which may begin anywhere, by the whole team. Nothing else is read.
template <class Team>
ONEPASS_FUNCTION void copy_bytes(Team const& team, char const* from, char* to, int bytes)
{
  int const ragged = int(-reinterpret_cast<std::uintptr_t>(to) % 4);
  bool const apart = (reinterpret_cast<std::uintptr_t>(from) + std::uintptr_t(ragged)) % 4 != 0;
  int const head = ragged + (apart ? 4 : 0), words = (bytes - head) / 4 - (apart ? 1 : 0);  // a word is read in two
  if (words <= 0) return copy_ends(team, from, to, 0, 0, bytes);
  copy_words(team, from + head, reinterpret_cast<raw<std::uint32_t>*>(to + head), words);
  copy_ends(team, from, to, head, head + 4 * words, bytes);
}

/// own[0, count) = from[first, first + count), by the whole team, a thread having so many packs on their way. `own` is
/// as far after a boundary of 16 bytes as the first item is in memory.
template <int Together, class Team, class Sequence>
ONEPASS_FUNCTION void stage_alike(Team const& team, Sequence const& from, extent first, int count,
                                  typename Sequence::value_type* own)
{
  if constexpr (is_contiguous<Sequence>::value) {
    constexpr int at_once = Together * Team::threads;
    auto* const source    = reinterpret_cast<char const*>(from.data + first);
    auto* const to        = reinterpret_cast<char*>(own);
    int const bytes       = count * int(sizeof(*own));
    packed_stretch<char> const cut(phase_of(from, first), bytes);
    for (int p = 0, packs = cut.body / 16; p < packs; p += at_once)
      copy_packs<at_once>(team, reinterpret_cast<pack const*>(source + cut.head) + p,
                          reinterpret_cast<pack*>(to + cut.head) + p, packs - p < at_once ? packs - p : at_once);
    copy_ends(team, source, to, cut.head, cut.head + cut.body, bytes);
  } else
    for (int i = team.rank(); i < count; i += Team::threads) own[i] = from(first + i);
}

/// to[first, first + count) = stage[0, count), coalesced; count is at most Items.
template <int Items, class Team, class Sequence>
ONEPASS_FUNCTION void stage_out(Team const& team, typename Sequence::value_type const* stage, Sequence const& to,
                                extent first, int count)
{
  using T = typename Sequence::value_type;
  if constexpr (is_contiguous<Sequence>::value) {
    auto* const from = reinterpret_cast<char const*>(stage);
    auto* const out  = reinterpret_cast<char*>(to.data + first);
    int const bytes  = count * int(sizeof(T));
    packed_stretch<char> const cut(int(reinterpret_cast<std::uintptr_t>(from) % 16), bytes);
    if (reinterpret_cast<std::uintptr_t>(out + cut.head) % 16 == 0) {
      copy_packs<div_up(Items * int(sizeof(T)), 16)>(team, reinterpret_cast<pack const*>(from + cut.head),
                                                     reinterpret_cast<pack*>(out + cut.head), cut.body / 16);
      copy_ends(team, from, out, cut.head, cut.head + cut.body, bytes);
      return;
    }
    if constexpr (copied_as_bytes<T>) return copy_bytes(team, from, out, bytes);
  }
  for (int i = team.rank(); i < count; i += Team::threads) to(first + i) = stage[i];
}

}  // namespace onepass::ONEPASS_ABI
