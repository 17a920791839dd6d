// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/backends/cuda/look_ahead/prefix.hpp>
#include <onepass/backends/cuda/look_ahead/ring.hpp>

namespace onepass::backends::cuda {

/// The part of a thread's memos that the squads that write need.
template <class Ring>
__device__ typename Ring::left_memos left_of(typename Ring::memos const& m)
{
  if constexpr (Ring::parts) {
    typename Ring::part_flags left;
#pragma unroll
    for (int k = 0; k < Ring::N; ++k) left.first.set(k, m.kept.get(k) == 0), left.second.set(k, m.kept.get(k) == 1);
    return left;
  } else return m;
}

/// The squad that reduces. It leaves in the slot's state the aggregate of the tile, what precedes each warp in the
/// tile, and the memos that must not be computed twice; for sums by flags also what precedes each thread. It publishes
/// the tile's aggregate.
template <class Ring>
__device__ void reduce_tiles(Ring const& ring, int rank)
{
  int const lane = rank % 32, warp = rank / 32;
  ring.each_slot([&](int s, int) {
    auto& at      = ring.state(s);
    auto const in = ring.items_of(s, at.index, rank);
    typename Ring::memos m;
    if constexpr (Ring::reads) m = ring.memos_of(s, rank);
    else in.evaluate(ring.program, m);
    if constexpr (Ring::carries) at.made[rank] = left_of<Ring>(m);
    auto const algebra = algebra_of(ring.program);
    auto const own     = in.combined(ring.program, m, rank);
    if constexpr (Ring::sums) {
      auto const through = warp_inclusive_scan(algebra, own, lane);
      auto const before  = shuffle_up(through, 1);
      at.before[rank]    = lane == 0 ? algebra.identity() : before;
      if (lane == 31) at.warps[warp] = through;
    } else {
      auto const sum = warp_reduce(algebra, own, lane);
      if (lane == 0) at.warps[warp] = sum;
    }
    squad_barrier<Ring::squad>(1);
    if (rank == 0) {
      auto all = algebra.identity();
#pragma unroll
      for (int w = 0; w < Ring::numbers.warps; ++w) {
        auto const of_warp = at.warps[w];
        at.warps[w]        = all;
        all                = algebra.combine(all, of_warp);
      }
      ring.board.publish({at.index, at.epoch}, tile_status::aggregate, all);
      at.all = all;
    }
    at.reduced.arrive();  // all threads arrive: it costs nothing, and race checkers then see the order
  });
}

/// The warp that looks ahead: it extends the prefix by all tiles between this block's last and its next.
template <class Ring>
__device__ void look_ahead_of_tiles(Ring const& ring, int lane)
{
  growing_prefix<typename Ring::program_type> before(ring.program, ring.board, Ring::items);
  ring.each_slot([&](int s, int) {
    auto& at = ring.state(s);
    before.grow(at.index, at.epoch, lane);
    if (lane == 0) at.prefix = before.prefix();
    at.prefixed.arrive();  // every lane: each has read the slot before it may be freed
  });
}

}  // namespace onepass::backends::cuda
