// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/backends/host/board.hpp>
#include <onepass/backends/host/buffer.hpp>
#include <onepass/backends/host/threads.hpp>
#include <onepass/backends/host/wide.hpp>
#include <onepass/engine/tiles.hpp>
#include <onepass/execution/place.hpp>

namespace onepass::ONEPASS_ABI::backends::host {

/// The calling thread as a team.
template <tile_program Program>
lone_team team_of_this_thread(Program const& program)
{
  auto* const stage = thread_buffer<pack, lone_team>(extent(program.stage_bytes(1) / sizeof(pack)) + 1);
  return {reinterpret_cast<char*>(stage)};
}

/// Bytes that a tile is worth, as far as threads are concerned, and from how many on others help.
template <class Program>
extent worth_of_tile(Program const& program)
{
  if constexpr (requires { program.bytes_alone(); }) return program.bytes_alone();
  else return 4096;
}
template <class Tuning, class Program>
constexpr extent alone_below_bytes()
{
  if constexpr (requires(Program const p) { p.bytes_alone(); }) return item_tuning_for<Tuning>().alone_from;
  else return alone_below_tiles<Tuning>() * 4096;
}

/// Calls work(), in wide vectors if compilers make vectors of what the program does alone.
template <class Program, class Work>
[[gnu::always_inline]] inline void as_wide_as_gains(Work const& work)
{
  if constexpr (adds_in_vectors<Program>) in_wide_vectors(work);
  else work();
}

/// All tiles on the calling thread. A small stage lies where it is used, since to find the thread's own takes as long
/// as some items.
template <tile_program Program>
void take_tiles_alone(Program const& program)
{
  if constexpr (runs_alone<Program>)
    as_wide_as_gains<Program>([&]() __attribute__((always_inline)) { program.run_alone(); });
  else {
    alignas(pack) char small[256];
    run_serially(program, program.stage_bytes(1) <= sizeof small ? lone_team{small} : team_of_this_thread(program));
  }
}

/// A single tile of a program that one thread runs in a way of its own.
template <place_like Where, runs_alone Program>
[[gnu::always_inline]] inline bool finished_on_the_spot(backend, Where const&, Program const& program)
{
  if (is_tiny<tuning_of<Where>> || program.tiles(1) > 1) return false;
  program.run_alone();
  return true;
}

/// A single tile, and few of them, are the calling thread's.
template <place_like Where, tile_program Program>
bool finished_at_once(backend tag, Where const& where, Program const& program)
{
  if constexpr (works_alone<Program>) return finished_at_once(tag, where, program.alone());
  else {
    extent const tiles = program.tiles(1);
    if (tiles > 1 && tiles * worth_of_tile(program) >= alone_below_bytes<tuning_of<Where>, Program>()) return false;
    take_tiles_alone(program);
    return true;
  }
}

/// The threads of a host space take tiles until none is left. Tickets keep every wait finite, as those of items do.
template <class Exec, tile_program Program, class Tuning>
void queue_program(place<Exec, backend, Tuning> const& where, Program const& program, workspace<Exec>& scratch)
{
  if constexpr (works_alone<Program>) queue_program(where, program.alone(), scratch);
  else {
    constexpr int words = descriptor<typename Program::aggregate_type>::words;
    extent const tiles  = program.tiles(1);
    extent const threads =
        threads_for(where.space, tiles * worth_of_tile(program), alone_below_bytes<Tuning, Program>());
    if (threads == 1 && alone_below_bytes<Tuning, Program>() > 0) return take_tiles_alone(program);

    auto board        = scratch.template make_board<shared_words>(tiles * words);
    board.anchor      = where.anchor;
    auto const worker = [=](int) {
      auto const team = team_of_this_thread(program);
      for (;;) {
        auto const mine = board.draw(tiles + threads, tiles * words);
        if (mine.index >= tiles) return;
        auto own = Program::identity();
        as_wide_as_gains<Program>([&]() __attribute__((always_inline)) { own = program.upsweep(team, mine.index); });
        if (mine.index > 0) board.publish(mine, tile_status::aggregate, own);
        auto const before = mine.index > 0 ? look_back(board, mine, program) : program.initial();
        auto const all    = program.combine(before, own);
        board.publish(mine, tile_status::inclusive_prefix, all);
        if (mine.index == tiles - 1) program.finish(all);
        program.downsweep(team, mine.index, before);
      }
    };
    on_threads(where.label, where.space, threads, worker);
  }
}

}  // namespace onepass::ONEPASS_ABI::backends::host
