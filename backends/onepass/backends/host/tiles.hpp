// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/backends/host/board.hpp>
#include <onepass/backends/host/buffer.hpp>
#include <onepass/engine/tiles.hpp>
#include <onepass/execution/place.hpp>

namespace onepass::backends::host {

/// The threads of a host space take tiles until none is left. Tickets keep every wait finite, as those of items do.
template <class Exec, tile_program Program, class Tuning>
void chain_tiles(place<Exec, backend, Tuning> const& where, Program const& program, workspace<Exec>& scratch)
{
  constexpr int words = descriptor<typename Program::aggregate_type>::words;
  extent const tiles = program.tiles(1), threads = where.space.concurrency();
  auto const team = [=] {
    return lone_team{
        reinterpret_cast<char*>(thread_buffer<pack, lone_team>(program.stage_bytes(1) / sizeof(pack) + 1))};
  };
  if (tiles == 1) return run_serially(program, team());

  auto board        = scratch.template make_board<shared_words>(tiles * words);
  board.anchor      = where.anchor;
  auto const worker = [=](int) {
    auto const mine = team();
    for (;;) {
      auto const ticket = board.draw(tiles + threads, tiles * words);
      if (ticket.index >= tiles) return;
      typename Program::held held;
      auto const own = program.upsweep(mine, ticket.index, held);
      if (ticket.index > 0) board.publish(ticket, tile_status::aggregate, own);
      auto const before = ticket.index > 0 ? look_back(board, ticket, program) : program.initial(),
                 all    = program.combine(before, own);
      board.publish(ticket, tile_status::inclusive_prefix, all);
      if (ticket.index == tiles - 1) program.finish(all);
      program.downsweep(mine, ticket.index, held, before);
    }
  };
  Kokkos::parallel_for(
      where.label, Kokkos::RangePolicy<Exec, Kokkos::Schedule<Kokkos::Static>>(where.space, 0, int(threads)), worker);
}

template <class Exec, tile_program Program, class Tuning>
void queue(place<Exec, backend, Tuning> const& where, Program const& program, workspace<Exec>& scratch)
{
  if constexpr (works_alone<Program>) {
    auto* const table = room_for_table<Tuning>(program, scratch);
    if (table)
      Kokkos::parallel_for(where.label + " (table)",
                           Kokkos::RangePolicy<Exec, Kokkos::IndexType<extent>>(where.space, 0, Program::table_words),
                           [=](extent i) { table[i] = program.word(i); });
    chain_tiles(where, program.alone(table), scratch);
  } else chain_tiles(where, program, scratch);
}

}  // namespace onepass::backends::host
