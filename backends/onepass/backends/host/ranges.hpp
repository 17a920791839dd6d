// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/backends/host/threads.hpp>
#include <onepass/backends/host/tuning.hpp>
#include <onepass/engine/ranges.hpp>
#include <onepass/execution/place.hpp>

#include <algorithm>

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

/// A thread takes as many positions at a time as are worth its start; the calling one takes all where the machine is
/// crowded, a position taken for 8 bytes.
template <class Exec, range_program Program, class Tuning>
void queue(place<Exec, backend, Tuning> const& where, Program const& program, extent, workspace<Exec>&)
{
  constexpr extent items = range_items_for<Tuning>(Program::alone_at_a_time);
  extent const n         = program.size();
  each(where.label, where.space, threads_for(where.space, n * 8, is_tiny<Tuning> ? 0 : 1), div_up(n, items),
       [&](extent tile) { program.alone(tile * items, std::min(tile * items + items, n)); });
}

}  // namespace onepass::ONEPASS_ABI::backends::host
