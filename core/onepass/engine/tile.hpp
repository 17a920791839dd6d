// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/engine/program.hpp>
#include <onepass/engine/registers.hpp>

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

/// Items that may travel 16 bytes at a time.
template <class Sequence>
ONEPASS_FUNCTION bool in_packs(Sequence const& s, extent first)
{
  using T = typename Sequence::value_type;
  if constexpr (is_contiguous<Sequence>::value && 16 % sizeof(T) == 0)
    return reinterpret_cast<std::uintptr_t>(s.data + first) % 16 == 0;
  else return false;
}

/// stage[0, valid) = sequence[first, first + valid), coalesced.
template <int Items, class Team, class Sequence>
ONEPASS_FUNCTION void stage_in(Team const& team, Sequence const& from, extent first, int valid)
{
  using T  = typename Sequence::value_type;
  T* stage = reinterpret_cast<T*>(team.stage());
  int done = 0;
  if (in_packs(from, first)) {
    if constexpr (is_contiguous<Sequence>::value && 16 % sizeof(T) == 0) {
      constexpr int per_pack = 16 / sizeof(T), rounds = (Items / per_pack + Team::threads - 1) / Team::threads;
      const pack*   source   = reinterpret_cast<pack const*>(from.data + first);
      const int     packs    = valid / per_pack;
      if constexpr (rounds > 0 && rounds <= 32) {
        pack held[rounds];  // every load leaves before the first is waited for
        ONEPASS_UNROLL for (int j = 0; j < rounds; ++j)
        {
          const int p = team.rank() + j * Team::threads;
          if (p < packs) held[j] = source[p];
        }
        ONEPASS_UNROLL for (int j = 0; j < rounds; ++j)
        {
          const int p = team.rank() + j * Team::threads;
          if (p < packs) reinterpret_cast<pack*>(stage)[p] = held[j];
        }
      } else
        for (int p = team.rank(); p < packs; p += Team::threads) reinterpret_cast<pack*>(stage)[p] = source[p];
      done = packs * per_pack;
    }
  }
  for (int i = done + team.rank(); i < valid; i += Team::threads) stage[i] = from(first + i);
}

/// sequence[first, first + valid) = stage[0, valid), coalesced.
template <class Team, class Sequence>
ONEPASS_FUNCTION void stage_out(Team const& team, Sequence const& to, extent first, int valid)
{
  using T        = typename Sequence::value_type;
  T const* stage = reinterpret_cast<T const*>(team.stage());
  int      done  = 0;
  if (in_packs(to, first)) {
    if constexpr (is_contiguous<Sequence>::value && 16 % sizeof(T) == 0) {
      constexpr int per_pack = 16 / sizeof(T);
      const int     packs    = valid / per_pack;
      pack*         target   = reinterpret_cast<pack*>(to.data + first);
      for (int p = team.rank(); p < packs; p += Team::threads) target[p] = reinterpret_cast<pack const*>(stage)[p];
      done = packs * per_pack;
    }
  }
  for (int i = done + team.rank(); i < valid; i += Team::threads) to(first + i) = stage[i];
}

}  // namespace detail

/// One tile of `program`, the items of one thread of it.
template <int N, class Program, class Team>
class tile {
public:
  using item      = typename Program::item_type;
  using memo      = typename Program::memo_type;
  using aggregate = typename Program::aggregate_type;

  static constexpr int items = N * Team::threads;

  ONEPASS_FUNCTION tile(Program const& program, Team const& team, extent index, extent n)
      : program_(program), team_(team), first_(index * items), valid_(int(n - first_ < items ? n - first_ : items)),
        mine_(valid_ - team.rank() * N)
  {
  }

  /// Reads the tile, evaluates each item once and combines them: the tile's aggregate, and what precedes this
  /// thread's items within the tile. When it returns, nothing of the input will be read again.
  ONEPASS_FUNCTION aggregate upsweep()
  {
    detail::stage_in<items>(team_, program_.input(), first_, valid_);
    team_.barrier();
    item const* stage = reinterpret_cast<item const*>(team_.stage()) + team_.rank() * N;
    ONEPASS_UNROLL for (int k = 0; k < N; ++k)
    {
      if (k < mine_) items_.set(k, stage[k]);
      else items_.set(k, item{});
    }
    aggregate own = Program::identity();
    ONEPASS_UNROLL for (int k = 0; k < N; ++k)
    {
      if constexpr (!pure_program<Program>) {
        if (k < mine_) memos_.set(k, program_.evaluate(position(k), items_.get(k)));
        else memos_.set(k, memo{});
      }
      if (k < mine_) own = program_.combine(own, program_.lift(memo_of(k)));
    }
    aggregate total;
    before_ = team_.exclusive_scan(program_, own, total);
    return total;
  }

  /// Writes the tile's results, given everything before the tile.
  ONEPASS_FUNCTION void downsweep(aggregate const& prefix) const
  {
    if constexpr (Program::shape == output_shape::mapped) {
      using output  = typename Program::output_type;
      output* stage = reinterpret_cast<output*>(team_.stage()) + team_.rank() * N;
      auto running  = program_.combine(prefix, before_);
      ONEPASS_UNROLL for (int k = 0; k < N; ++k)
      {
        if (k >= mine_) continue;
        const auto m = memo_of(k);
        stage[k]     = program_.result(items_.get(k), m, running);
        running      = program_.combine(running, program_.lift(m));
      }
      team_.barrier();
      detail::stage_out(team_, program_.output(), first_, valid_);
    }
  }

private:
  ONEPASS_FUNCTION extent position(int k) const { return first_ + team_.rank() * N + k; }
  ONEPASS_FUNCTION memo memo_of(int k) const
  {
    if constexpr (pure_program<Program>) return program_.evaluate(position(k), items_.get(k));
    else return memos_.get(k);
  }

  struct no_memos {};
  using memo_store = std::conditional_t<pure_program<Program>, no_memos, register_items<memo, N>>;

  Program const&          program_;
  Team const&             team_;
  extent                  first_;
  int                     valid_, mine_;
  register_items<item, N> items_;
  [[no_unique_address]] memo_store memos_;
  aggregate               before_;
};

}  // namespace onepass
