// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/backends/host/tuning.hpp>
#include <onepass/engine/ranges.hpp>
#include <onepass/execution/place.hpp>

namespace onepass::ONEPASS_ABI::backends::host {

template <class Program, class Where>
extent tiles_of_ranges(std::type_identity<Program>, Where const&, extent)
{
  return 0;
}

/// What is not worth starting a thread is done by the calling one.
template <place_like Where, range_program Program>
bool finished_at_once(backend, Where const&, Program const& program, extent)
{
  extent const n = program.size();
  if (n > range_items_for<tuning_of<Where>>(Program::alone_at_a_time)) return false;
  if (n > 0) program.alone(0, n);
  return true;
}

/// A thread takes as many positions at a time as are worth its start.
template <class Exec, range_program Program, class Tuning>
void queue(place<Exec, backend, Tuning> const& where, Program const& program, extent, workspace<Exec>&)
{
  constexpr extent items = range_items_for<Tuning>(Program::alone_at_a_time);
  extent const n         = program.size();
  Kokkos::parallel_for(where.label,
                       Kokkos::RangePolicy<Exec, Kokkos::IndexType<extent>>(where.space, 0, div_up(n, items)),
                       [=](extent t) { program.alone(t * items, t * items + items < n ? t * items + items : n); });
}

}  // namespace onepass::ONEPASS_ABI::backends::host
