// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/engine/items/stage.hpp>

namespace onepass::ONEPASS_ABI {

// head_stage: expands runs in the shared memory of a team, from the positions where they begin.

/// x[k] = from(first + k) for k below `valid`, by the widest loads that the alignment allows.
template <int N, class Sequence>
ONEPASS_FUNCTION void take_neighbours(Sequence const& from, extent first, extent valid,
                                      typename Sequence::value_type (&x)[N])
{
  if constexpr (has_packs<Sequence>) {
    using item                  = typename Sequence::value_type;
    constexpr std::size_t bytes = N * sizeof(item) < 16 ? N * sizeof(item) : 16;
    if (valid >= N && reinterpret_cast<std::uintptr_t>(from.data + first) % bytes == 0) {
      register_items<item, N> held;
      held.load(from.data + first);
      ONEPASS_UNROLL for (int k = 0; k < N; ++k) x[k] = held.get(k);
      return;
    }
  }
  ONEPASS_UNROLL for (int k = 0; k < N; ++k) if (k < valid) x[k] = from(first + k);
}
template <int N, class First, class Second>
ONEPASS_FUNCTION void take_neighbours(zipped<First, Second> const& from, extent first, extent valid,
                                      typename zipped<First, Second>::value_type (&x)[N])
{
  typename First::value_type a[N];
  typename Second::value_type b[N];
  take_neighbours(from.first, first, valid, a);
  take_neighbours(from.second, first, valid, b);
  ONEPASS_UNROLL for (int k = 0; k < N; ++k) x[k] = {a[k], b[k]};
}

/// The bytes that head_stage takes for this number of positions.
template <class Item>
constexpr std::size_t head_stage_bytes(int positions)
{
  return std::size_t(positions + 64) / 32 * 8 + std::size_t(positions + 64) * sizeof(Item);
}

/// `wished` positions, or as many as fit in 40 KiB, which leaves room for a team's sums in shared memory; a multiple of
/// 128.
template <class Item>
constexpr int head_positions(int wished)
{
  int const most  = 40 * 1024 * 4 / (4 * int(sizeof(Item)) + 1) - 64;
  int const given = (wished < most ? wished : most) / 128 * 128;
  return given < 128 ? 128 : given;
}

/// Up to `Positions` neighbouring positions of an output, a multiple of 128. Every run that is not empty stores its
/// item at its first position, and sets the bit of that position. A position takes the item at the last set bit up to
/// its own; if its word of bits has none there, `last` has the position of the one before. Positions are counted from
/// an address aligned to 16 bytes: the first position is `phase`.
///
/// A team calls clear(), has a barrier, calls mark(), has a barrier, calls write(), and has a barrier before it reuses
/// the memory.
template <class Item, int Positions>
class head_stage {
  static constexpr unsigned words = (Positions + 64) / 32;

public:
  ONEPASS_FUNCTION explicit head_stage(char* memory)
      : memory_(memory)
  {}

  template <class Team>
  ONEPASS_FUNCTION void clear(Team const& team) const
  {
    for (unsigned w = unsigned(team.rank()); w < words; w += Team::threads) heads()[w] = 0;
  }

  /// Bits of a word that a thread has not written to it yet.
  struct unsent {
    unsigned word      = 0;
    std::uint32_t bits = 0;
  };

  /// Marks a run of positions [begin, end), at least one.
  ONEPASS_FUNCTION void mark(unsigned begin, unsigned end, Item const& item, unsent& mine) const
  {
    items()[begin]   = item;
    unsigned const w = (begin + 31) / 32;
    if (32 * w < end) {
      last()[w] = begin;
      if (32 * w + 32 < end) fill(w + 1, (end + 31) / 32, begin);
    }
    if (begin / 32 != mine.word) send(mine);
    mine.word = begin / 32;
    mine.bits |= std::uint32_t(1) << begin % 32;
  }
  ONEPASS_FUNCTION void send(unsent& mine) const
  {
    if (mine.bits) Kokkos::atomic_or(heads() + mine.word, mine.bits);
    mine.bits = 0;
  }

  /// out(first + p) for every p below `count`.
  template <class Team, class Out>
  ONEPASS_FUNCTION void write(Team const& team, Out const& out, extent first, int count, int phase) const
  {
    int head = count, body = 0;
    if constexpr (has_packs<Out>) {
      constexpr int per = 16 / int(sizeof(Item));
      packed_stretch<Item> const cut(phase, count);
      head = cut.head, body = cut.body;
      Item* const to = out.data + first + head;
      for (int p = team.rank() * per; p < body; p += Team::threads * per) {
        register_items<Item, per> made;
        look_at_pack(unsigned(phase + head + p), made);
        made.store(to + p);
      }
    }
    for (int i = team.rank(); i < count - body; i += Team::threads) {  // positions before and after the aligned packs
      int const p    = i < head ? i : i + body;
      out(first + p) = look(unsigned(phase + p));
    }
  }

private:
  ONEPASS_FUNCTION unsigned* last() const { return reinterpret_cast<unsigned*>(memory_); }
  ONEPASS_FUNCTION std::uint32_t* heads() const { return reinterpret_cast<std::uint32_t*>(memory_) + words; }
  ONEPASS_FUNCTION Item* items() const { return reinterpret_cast<Item*>(memory_ + words * 8); }

  /// last[w] = begin for all w in [from, to).
  ONEPASS_FUNCTION void fill(unsigned from, unsigned to, unsigned begin) const
  {
    ONEPASS_NO_UNROLL for (; from < to && from % 4 != 0; ++from) last()[from] = begin;
    ONEPASS_NO_UNROLL for (; from + 4 <= to; from += 4) * reinterpret_cast<pack*>(last() + from) =
        pack{{begin, begin, begin, begin}};
    ONEPASS_NO_UNROLL for (; from < to; ++from) last()[from] = begin;
  }

  /// The item of a position.
  ONEPASS_FUNCTION Item look(unsigned p) const
  {
    auto const upto = heads()[p / 32] << (31 - p % 32);
    return items()[upto ? p - unsigned(Kokkos::Experimental::countl_zero_builtin(upto)) : last()[p / 32]];
  }

  /// The items of the pack that begins at position p: their bits are in one word.
  template <int Per>
  ONEPASS_FUNCTION void look_at_pack(unsigned p, register_items<Item, Per>& made) const
  {
    auto const bits = heads()[p / 32] >> p % 32;
    auto x          = look(p);
    register_items<Item, Per> own;
    own.load(items() + p);
    ONEPASS_UNROLL for (int k = 0; k < Per; ++k)
    {
      x = k > 0 && (bits >> k & 1) ? own.get(k) : x;
      made.set(k, x);
    }
  }

  char* memory_;
};

}  // namespace onepass::ONEPASS_ABI
