// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/engine/item_run.hpp>

#include <cstdint>

namespace onepass {

// One tile of a program on a team of threads. A team is what a backend offers:
//
//   threads, rank(), barrier()
//   stage()                       16-byte aligned memory of the team, stage_bytes<Program>(shape) long
//   exclusive_scan(program, x, total)   of one aggregate a thread, in order of rank
//
// Thread r holds items [r N, (r + 1) N) of the tile, in registers.

/// Bytes of stage that a tile of `items` needs: for its input, later for its output, which may begin anywhere in 16 bytes.
template <class Program>
ONEPASS_FUNCTION constexpr std::size_t stage_bytes(int items)
{
  return (bytes_per_item<Program> * std::size_t(items) + 15) / 16 * 16 + (Program::shape == output_shape::compacted ? 16 : 0);
}

namespace detail {

template <class Sequence>
constexpr bool has_packs = is_contiguous<Sequence>::value && 16 % sizeof(typename Sequence::value_type) == 0;

/// The items from `first` on may travel 16 bytes at a time.
template <class Sequence>
ONEPASS_FUNCTION bool in_packs(Sequence const& s, extent first) { return reinterpret_cast<std::uintptr_t>(s.data + first) % 16 == 0; }

/// Copies `packs` 16-byte words, at most Most, by the whole team. All loads of a thread leave before the first store.
template <int Most, class Team>
ONEPASS_FUNCTION void copy_packs(Team const& team, pack const* from, pack* to, int packs)
{
  constexpr int rounds = (Most + Team::threads - 1) / Team::threads;
  if (packs == 0) return;
  if constexpr (rounds <= 16) {
    pack held[rounds];
    ONEPASS_UNROLL for (int j = 0; j < rounds; ++j)
    {
      const int p = team.rank() + j * Team::threads;
      held[j]     = from[p < packs ? p : 0];  // a load under a condition would cost registers
    }
    ONEPASS_UNROLL for (int j = 0; j < rounds; ++j)
    {
      const int p = team.rank() + j * Team::threads;
      if (p < packs) to[p] = held[j];
    }
  } else
    for (int p = team.rank(); p < packs; p += Team::threads) to[p] = from[p];
}

/// stage[0, valid) = sequence[first, first + valid), coalesced; valid is at most Items.
template <int Items, class Team, class Sequence>
ONEPASS_FUNCTION void stage_in(Team const& team, Sequence const& from, extent first, int valid)
{
  using T  = typename Sequence::value_type;
  T* stage = reinterpret_cast<T*>(team.stage());
  int done = 0;
  if constexpr (has_packs<Sequence>)
    if (in_packs(from, first)) {
      constexpr int per_pack = 16 / int(sizeof(T));
      copy_packs<Items / per_pack>(team, reinterpret_cast<pack const*>(from.data + first), reinterpret_cast<pack*>(stage), valid / per_pack);
      done = valid / per_pack * per_pack;
    }
  for (int i = done + team.rank(); i < valid; i += Team::threads) stage[i] = from(first + i);
}

/// How many items `first` lies behind a 16-byte boundary: output staged that far behind one travels in packs.
template <class Sequence>
ONEPASS_FUNCTION int phase_of(Sequence const& to, extent first)
{
  using T = typename Sequence::value_type;
  if constexpr (has_packs<Sequence>) return int(reinterpret_cast<std::uintptr_t>(to.data + first) % 16 / sizeof(T));
  else return 0;
}

/// What a tile writes of a column: to(begin + j) = stage[offset + j].
struct stretch {
  extent begin;
  int    offset, count, base_offset;
};

/// The places [base, end) of a column, less those outside of it, when place `base` is staged at its phase.
template <class Sequence>
ONEPASS_FUNCTION stretch stretch_of(Sequence const& to, extent base, extent end)
{
  const extent begin = base < 0 ? 0 : base, stop = end < to.size ? end : to.size;
  const int    phase = phase_of(to, base);
  return {begin, phase + int(begin - base), stop > begin ? int(stop - begin) : 0, phase};
}

/// Cuts a stretch into ragged head, whole packs and ragged tail; the packs begin at a 16-byte boundary of the stage.
template <class T>
struct packed_stretch {
  int head, body;  ///< items; the rest is the tail
  ONEPASS_FUNCTION packed_stretch(int offset, int count)
  {
    constexpr int per_pack = 16 / int(sizeof(T));
    const int     ragged   = (per_pack - offset % per_pack) % per_pack;
    head                   = ragged < count ? ragged : count;
    body                   = (count - head) / per_pack * per_pack;
  }
};

/// to[first, first + count) = stage[offset, offset + count), coalesced.
template <int Items, class Team, class Sequence>
ONEPASS_FUNCTION void stage_out(Team const& team, Sequence const& to, extent first, int count, int offset = 0)
{
  using T        = typename Sequence::value_type;
  T const* stage = reinterpret_cast<T const*>(team.stage()) + offset;
  int      done  = 0;
  if constexpr (has_packs<Sequence>) {
    const packed_stretch<T> cut(offset, count);
    if (in_packs(to, first + cut.head)) {
      copy_packs<Items * int(sizeof(T)) / 16>(team, reinterpret_cast<pack const*>(stage + cut.head),
                                              reinterpret_cast<pack*>(to.data + first + cut.head), cut.body * int(sizeof(T)) / 16);
      for (int i = team.rank(); i < cut.head; i += Team::threads) to(first + i) = stage[i];
      done = cut.head + cut.body;
    }
  }
  for (int i = done + team.rank(); i < count; i += Team::threads) to(first + i) = stage[i];
}

}  // namespace detail

/// One tile of `program`: the part of one thread of the team. The items stay in the stage, where they can be read
/// again; registers carry only what must not be computed twice.
template <int N, class Program, class Team>
class tile {
  using run = item_run<N, Program>;

public:
  using item      = typename Program::item_type;
  using aggregate = typename Program::aggregate_type;

  static constexpr int items = N * Team::threads;

  ONEPASS_FUNCTION tile(Program const& program, Team const& team, extent index, extent n)
      : program_(program), team_(team), first_(index * items), valid_(int(n - first_ < items ? n - first_ : items))
  {
  }

  /// Reads the tile and returns its aggregate; each item is evaluated once. When it returns, the whole tile is staged
  /// and nothing of the input will be read again.
  ONEPASS_FUNCTION aggregate upsweep()
  {
    detail::stage_in<items>(team_, program_.input(), first_, valid_);
    team_.barrier();
    const auto in = mine();
    in.evaluate(program_, memos_);
    before_ = team_.exclusive_scan(program_, in.combined(program_, memos_), total_);
    return total_;
  }

  /// Writes the tile's results, given everything before the tile.
  ONEPASS_FUNCTION void downsweep(aggregate const& prefix) const
  {
    if constexpr (Program::shape == output_shape::mapped) {
      using output  = typename Program::output_type;
      const auto in = mine();
      if constexpr (sizeof(output) != sizeof(item) || looks_behind<Program>) team_.barrier();  // all have read before one writes elsewhere
      in.results(program_, memos_, program_.combine(prefix, before_), stage_of<output>() + team_.rank() * N);
      team_.barrier();
      detail::stage_out<items>(team_, program_.output(), first_, valid_);
    }
    if constexpr (Program::shape == output_shape::compacted) {
      const auto in      = mine();
      const auto running = program_.combine(prefix, before_), through = program_.combine(prefix, total_);
      each_column<Program>([&]<int c>(std::integral_constant<int, c>) {
        const auto   to   = program_.template column<c>();
        const extent base = program_.template place<c>(first_, prefix), end = program_.template place<c>(first_ + valid_, through);
        const auto   out  = detail::stretch_of(to, base, end);
        team_.barrier();  // the stage is free: items are in registers, the column before is out
        in.template compact<c>(program_, memos_, running, base - out.base_offset, stage_of<column_item<Program, c>>());
        team_.barrier();
        detail::stage_out<items>(team_, to, out.begin, out.count, out.offset);
      });
    }
  }

private:
  template <class T>
  ONEPASS_FUNCTION T* stage_of() const { return reinterpret_cast<T*>(team_.stage()); }

  ONEPASS_FUNCTION run mine() const
  {
    item const* from = stage_of<item>() + team_.rank() * N;
    if constexpr (looks_behind<Program>) {
      if (team_.rank() == 0) {
        const item previous = first_ > 0 ? item(program_.input()(first_ - 1)) : *from;
        return run(from, &previous, first_, valid_);
      }
    }
    return run(from, from - 1, first_ + team_.rank() * N, valid_ - team_.rank() * N);
  }

  Program const&                            program_;
  Team const&                               team_;
  extent                                    first_;
  int                                       valid_;
  [[no_unique_address]] typename run::memos memos_;
  aggregate                                 before_, total_;
};

}  // namespace onepass
