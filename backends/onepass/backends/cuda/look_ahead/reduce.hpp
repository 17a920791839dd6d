// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/backends/cuda/look_ahead/prefix.hpp>
#include <onepass/backends/cuda/look_ahead/ring.hpp>

namespace onepass::ONEPASS_ABI::backends::cuda {

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

/// The squad that reduces. It leaves in the slot's state the aggregate of the tile, what precedes each group of lanes
/// in it, and the memos that must not be computed twice; for sums by flags also what precedes each thread. It publishes
/// the tile's aggregate.
template <class Ring>
__device__ void reduce_tiles(Ring const& ring, int reducer, int rank)
{
  using network  = typename Ring::network;
  int const lane = rank % 32, group = rank / network::lanes;
  ring.each_slot(
      [&](int s, int) {
        auto& at      = ring.state(s);
        auto const in = ring.items_of(s, at.index, rank);
        typename Ring::memos m;
        if constexpr (Ring::reads) m = ring.memos_of(s, rank);
        else in.evaluate(ring.program, m);
        if constexpr (Ring::carries) at.made[rank] = left_of<Ring>(m);
        auto const algebra = algebra_of(ring.program);
        auto const own     = in.combined(ring.program, m, rank);
        if constexpr (Ring::sums) {
          auto const all  = network::scan(algebra, own, lane);
          at.before[rank] = all.before;
          if (lane % network::lanes == network::lanes - 1) at.groups[group] = all.through;
        } else {
          auto const sum = network::reduce(algebra, own, lane);
          if (lane % network::lanes == 0) at.groups[group] = sum;
        }
        squad_barrier<Ring::squad>(1 + reducer);
        if (rank == 0) {
          auto all = algebra.identity();
#pragma unroll
          for (int g = 0; g < Ring::squad / network::lanes; ++g) {
            auto const of_group = at.groups[g];
            at.groups[g]        = all;
            all                 = algebra.combine(all, of_group);
          }
          ring.board.publish({at.index, at.epoch}, tile_status::aggregate, all);
          at.all = all;
        }
        at.reduced.arrive();  // all threads arrive: it costs nothing, and race checkers then see the order
        if constexpr (!Ring::writes) at.empty.arrive();
      },
      reducer, Ring::reducers);
}

/// The warp that looks ahead: it extends the prefix by all tiles between this block's last and its next.
template <class Ring>
__device__ void look_ahead_of_tiles(Ring const& ring, int lane, typename Ring::aggregate const& beginning)
{
  typename Ring::prefix before(ring.program, ring.board, Ring::items, ring.first(0), beginning);
  ring.each_slot([&](int s, int) {
    auto& at = ring.state(s);
    before.grow(at.index, at.epoch, lane);
    if (lane == 0) at.prefix = before.prefix();
    if constexpr (Ring::canonical)
      if (ring.is_last(at.index)) {
        before.grow(at.index + 1, at.epoch, lane);
        if (lane == 0) ring.program.finish(before.prefix(), ring.n);
      }
    at.prefixed.arrive();  // every lane: each has read the slot before it may be freed
  });
}

/// Where nothing is written, that warp of one block follows all tiles. Of the launch it knows what was there before the
/// block drew tickets.
template <class Ring>
__device__ void look_at_all_tiles(Ring const& ring, std::uint32_t epoch, int lane,
                                  typename Ring::aggregate const& beginning)
{
  typename Ring::prefix before(ring.program, ring.board, Ring::items, ring.first(0), beginning);
  before.grow(ring.tiles(), epoch, lane);
  if (lane == 0) ring.program.finish(before.prefix(), ring.n);
}

}  // namespace onepass::ONEPASS_ABI::backends::cuda
