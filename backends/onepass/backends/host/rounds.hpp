// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/backends/host/presorted.hpp>
#include <onepass/backends/host/tuning.hpp>
#include <onepass/engine/rounds.hpp>
#include <onepass/execution/place.hpp>

#include <algorithm>
#include <atomic>

namespace onepass::ONEPASS_ABI::backends::host {

/// Positions that a thread takes at a time, of n: few enough that all threads have some, and where there are many more
/// tiles than threads, so that none waits long for the last; every doubling spares a round.
template <class Program, class Exec, class Tuning>
extent positions_alone(place<Exec, backend, Tuning> const& where, extent n)
{
  constexpr extent alone = range_items_for<Tuning>(Program::alone_at_a_time);
  if (is_tiny<Tuning> || n <= alone) return alone;
  return std::max(alone / 2, div_up(n, (n < few_positions ? 1 : round_tiles_per_thread) * where.space.concurrency()));
}

/// The tiles of so many positions.
template <class Program, class Exec, class Tuning>
round_tiles tiles_of_rounds(std::type_identity<Program>, place<Exec, backend, Tuning> const& where, extent n)
{
  return {div_up(n, positions_alone<Program>(where, n)), 0};
}

/// Positions that are not worth starting a thread are one tile, and the first round of a single tile is the last.
template <place_like Where, round_program Program>
bool finished_at_once(backend, Where const&, Program const& program)
{
  constexpr extent positions = range_items_for<tuning_of<Where>>(Program::alone_at_a_time);
  if (program.size() > positions) return false;
  if (program.size() > 0) (void)program.begin_alone(positions, 0);
  return true;
}

/// Threads draw tiles, round by round; where the machine is crowded, the calling one takes all.
template <class Exec, round_program Program, class Tuning>
void queue_program(place<Exec, backend, Tuning> const& where, Program const& program)
{
  extent const positions = positions_alone<Program>(where, program.size());
  extent const tiles     = tiles_of_rounds(std::type_identity<Program>{}, where, program.size()).first;
  extent const bytes     = program.size() * extent(sizeof(typename Program::item));
  int const threads      = int(threads_for(where.space, bytes, is_tiny<Tuning> ? 0 : 1));
  if constexpr (sees_order<Program>) {
    all_threads<Exec> const crew{where.space, where.label, threads};
    if (moved_presorted(
            crew, program.size(),
            [&](extent first, extent last, bool down) { return program.runs_on(first, last, down); },
            [&](extent first, extent last) { program.copy(first, last); },
            [&](extent first, extent last) { program.mirror(first, last); }))
      return;
  }
  std::atomic<int> rounds{0};
  auto const each_tile = [&](auto const& work) {
    std::atomic<extent> drawn{0};
    on_threads(where.label, where.space, std::min(extent(threads), tiles), [&](int) {
      for (extent tile = drawn++; tile < tiles; tile = drawn++) work(tile);
    });
  };
  each_tile([&](extent tile) {
    int const more = program.begin_alone(positions, tile);
    for (int known = rounds; known < more && !rounds.compare_exchange_weak(known, more);) {}
  });
  for (int round = 1; round <= rounds; ++round)
    each_tile([&](extent tile) { program.go_on_alone(positions, round, tile); });
}

}  // namespace onepass::ONEPASS_ABI::backends::host
