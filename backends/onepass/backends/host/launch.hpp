// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/backends/host/board.hpp>
#include <onepass/backends/host/tile.hpp>
#include <onepass/backends/host/tuning.hpp>
#include <onepass/backends/serial/launch.hpp>
#include <onepass/engine/lookback.hpp>
#include <onepass/engine/chained.hpp>

#include <algorithm>

namespace onepass::host {

/// Cache-sized tiles on the threads of a host space. Tickets keep every wait finite, whatever number of threads the
/// runtime delivers: a tile's predecessors are done or in the hands of a running thread.
template <class Exec, class Program, class Tuning>
void run(place<Exec, host_backend, Tuning> const& where, Program const& program, item_count count, workspace<Exec>& scratch)
{
  static_assert(Kokkos::SpaceAccessibility<Exec, Kokkos::HostSpace>::accessible, "onepass: the host backend runs on host spaces");
  using item            = typename Program::item_type;
  constexpr extent size = tile_items<item, Tuning>;
  constexpr int    words = descriptor<typename Program::aggregate_type>::words;
  const extent     n = count(), tiles = tiles_of(n, int(size)), threads = where.space.concurrency();
  const bool       alone = threads == 1 || n * extent(sizeof(item)) < alone_bytes;

  if (alone && !std::is_same_v<Tuning, tiny_tuning>) {
    serial::run(program, n);
    return;
  }
  shared_board board = scratch.template make_board<shared_words>(tiles * words);
  board.anchor = where.anchor;

  const auto worker = [=](int) {
    for (;;) {
      const shared_board::ticket mine = board.draw(tiles + threads, tiles * words);
      if (mine.index >= tiles) return;
      const extent         first = mine.index * size;
      cached_tile<Program> t(program, first, std::min(first + size, n));
      const auto    total = t.upsweep();
      if (mine.index > 0) board.publish(mine, tile_status::aggregate, total);
      const auto prefix    = mine.index > 0 ? look_back(board, mine, program) : program.initial();
      const auto inclusive = program.combine(prefix, total);
      board.publish(mine, tile_status::inclusive_prefix, inclusive);
      if (mine.index == tiles - 1) program.finish(inclusive);
      t.downsweep(prefix);
    }
  };
  Kokkos::parallel_for(where.label, Kokkos::RangePolicy<Exec, Kokkos::Schedule<Kokkos::Static>>(where.space, 0, int(threads)), worker);
}

}  // namespace onepass::host
