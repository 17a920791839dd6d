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

/// Bytes of stage that a tile of `items` needs: for its input, later for its output.
template <class Program>
ONEPASS_FUNCTION constexpr std::size_t stage_bytes(int items)
{
  return (bytes_per_item<Program>() * std::size_t(items) + 15) / 16 * 16;
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

/// sequence[first, first + valid) = stage[0, valid), coalesced.
template <int Items, class Team, class Sequence>
ONEPASS_FUNCTION void stage_out(Team const& team, Sequence const& to, extent first, int valid)
{
  using T        = typename Sequence::value_type;
  T const* stage = reinterpret_cast<T const*>(team.stage());
  int      done  = 0;
  if constexpr (has_packs<Sequence>)
    if (in_packs(to, first)) {
      constexpr int per_pack = 16 / int(sizeof(T));
      copy_packs<Items / per_pack>(team, reinterpret_cast<pack const*>(stage), reinterpret_cast<pack*>(to.data + first), valid / per_pack);
      done = valid / per_pack * per_pack;
    }
  for (int i = done + team.rank(); i < valid; i += Team::threads) to(first + i) = stage[i];
}

}  // namespace detail

/// One tile of `program`: the part of one thread of the team. The items stay in the stage, where they can be read
/// again; registers carry only what must not be computed twice.
template <int N, class Program, class Team>
class tile {
  using run = item_run<N, Program>;

public:
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
    aggregate total;
    before_ = team_.exclusive_scan(program_, mine().combined(program_, memos_), total);
    return total;
  }

  /// Writes the tile's results, given everything before the tile.
  ONEPASS_FUNCTION void downsweep(aggregate const& prefix) const
  {
    if constexpr (Program::shape == output_shape::mapped) {
      using output  = typename Program::output_type;
      const auto in = mine();
      if constexpr (sizeof(output) != sizeof(typename run::item)) team_.barrier();  // all have read before one writes elsewhere
      in.results(program_, memos_, program_.combine(prefix, before_), stage_of<output>());
      team_.barrier();
      detail::stage_out<items>(team_, program_.output(), first_, valid_);
    }
  }

private:
  template <class T>
  ONEPASS_FUNCTION T* stage_of() const { return reinterpret_cast<T*>(team_.stage()) + team_.rank() * N; }

  ONEPASS_FUNCTION run mine() const
  {
    return run(stage_of<typename run::item>(), first_ + team_.rank() * N, valid_ - team_.rank() * N);
  }

  Program const&                            program_;
  Team const&                               team_;
  extent                                    first_;
  int                                       valid_;
  [[no_unique_address]] typename run::memos memos_;
  aggregate                                 before_;
};

}  // namespace onepass
