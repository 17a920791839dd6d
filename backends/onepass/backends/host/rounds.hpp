// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/backends/host/tuning.hpp>
#include <onepass/engine/rounds.hpp>
#include <onepass/execution/place.hpp>

#include <algorithm>
#include <atomic>

namespace onepass::ONEPASS_ABI::backends::host {

/// Positions that a thread takes at a time, of n: as many as are worth its start, and few enough that all threads have
/// some; every doubling spares a round.
template <class Program, class Exec, class Tuning>
extent positions_alone(place<Exec, backend, Tuning> const& where, extent n)
{
  return std::max(range_items_for<Tuning>(Program::alone_at_a_time),
                  is_tiny<Tuning> ? 0 : div_up(n, round_tiles_per_thread * where.space.concurrency()));
}

template <class Exec, class Tuning>
digits_tuning digits_of(place<Exec, backend, Tuning> const&, std::size_t)
{
  return digits_tuning_for<Tuning>();
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

/// Threads draw tiles, round by round.
template <class Exec, round_program Program, class Tuning>
void queue(place<Exec, backend, Tuning> const& where, Program const& program)
{
  extent const positions = positions_alone<Program>(where, program.size());
  extent const tiles     = tiles_of_rounds(std::type_identity<Program>{}, where, program.size()).first;
  std::atomic<int> rounds{0};
  auto const each_tile = [&](auto const& work) {
    Kokkos::parallel_for(where.label,
                         Kokkos::RangePolicy<Exec, Kokkos::IndexType<extent>, Kokkos::Schedule<Kokkos::Dynamic>>(
                             where.space, 0, tiles, Kokkos::ChunkSize(1)),
                         work);
  };
  each_tile([&](extent tile) {
    int const more = program.begin_alone(positions, tile);
    for (int known = rounds; known < more && !rounds.compare_exchange_weak(known, more);) {}
  });
  for (int round = 1; round <= rounds; ++round)
    each_tile([&](extent tile) { program.go_on_alone(positions, round, tile); });
}

}  // namespace onepass::ONEPASS_ABI::backends::host
