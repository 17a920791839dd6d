// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/engine/registers.hpp>
#include <onepass/sequences.hpp>

#include <cstdint>

namespace onepass {

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

/// The sixteen bytes that begin `past` bytes after the first of two neighbouring words.
ONEPASS_FUNCTION pack straddling(pack const& first, pack const& second, int past)
{
  std::uint32_t w[8];
  ONEPASS_UNROLL for (int k = 0; k < 4; ++k) w[k] = first.word[k], w[k + 4] = second.word[k];
  ONEPASS_UNROLL for (int k = 0; k < 6; ++k) w[k] = past & 8 ? w[k + 2] : w[k];
  ONEPASS_UNROLL for (int k = 0; k < 5; ++k) w[k] = past & 4 ? w[k + 1] : w[k];
  pack made;
  ONEPASS_UNROLL for (int k = 0; k < 4; ++k) made.word[k] =
      std::uint32_t((std::uint64_t(w[k + 1]) << 32 | w[k]) >> past % 4 * 8);
  return made;
}

/// to[0, bytes) = from[0, bytes) by the whole team, at most Most bytes; coalesced wherever they begin: `to` is written
/// in aligned words, and of `from` the aligned words that hold some of it are read.
template <int Most, class Team>
ONEPASS_FUNCTION void copy_bytes(Team const& team, char const* from, char* to, int bytes)
{
  packed_stretch<char> const cut(int(reinterpret_cast<std::uintptr_t>(to) % 16), bytes);
  int const past   = int(reinterpret_cast<std::uintptr_t>(from + cut.head) % 16);
  auto* const read = reinterpret_cast<pack const*>(from + cut.head - past);
  auto* const made = reinterpret_cast<pack*>(to + cut.head);
  int packs        = cut.body / 16;
  if (past == 0) copy_packs<(Most + 15) / 16>(team, read, made, packs);
  else {
    if (packs > 0) --packs;  // the second word of the last one may not be there
    for (int p = team.rank(); p < packs; p += Team::threads) made[p] = straddling(read[p], read[p + 1], past);
  }
  for (int b = team.rank(); b < cut.head; b += Team::threads) to[b] = from[b];
  for (int b = cut.head + packs * 16 + team.rank(); b < bytes; b += Team::threads) to[b] = from[b];
}

/// to[first, first + count) = stage[0, count), coalesced; count is at most Items.
template <int Items, class Team, class Sequence>
ONEPASS_FUNCTION void stage_out(Team const& team, typename Sequence::value_type const* stage, Sequence const& to,
                                extent first, int count)
{
  using T = typename Sequence::value_type;
  if constexpr (is_contiguous<Sequence>::value)
    copy_bytes<Items* int(sizeof(T))>(team, reinterpret_cast<char const*>(stage),
                                      reinterpret_cast<char*>(to.data + first), count * int(sizeof(T)));
  else
    for (int i = team.rank(); i < count; i += Team::threads) to(first + i) = stage[i];
}

}  // namespace onepass
