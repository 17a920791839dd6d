// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/backends/host/merge_in_vectors.hpp>
#include <onepass/backends/host/threads.hpp>
#include <onepass/backends/host/tuning.hpp>
#include <onepass/backends/host/wide.hpp>
#include <onepass/engine/ranges.hpp>
#include <onepass/execution/place.hpp>

#include <algorithm>

namespace onepass::ONEPASS_ABI::backends::host {

template <class Program, class Where>
extent tiles_of_ranges(std::type_identity<Program>, Where const&, extent)
{
  return 0;
}

/// How many positions a thread of the place takes at a time.
template <class Program, place_like Where>
constexpr extent range_items = range_items_for<tuning_of<Where>>(Program::alone_at_a_time);

/// Those that the calling thread takes before it asks others.
template <class Program, place_like Where>
constexpr extent taken_ahead = 0;
template <ends_early Program, place_like Where>
constexpr extent taken_ahead<Program, Where> = is_tiny<tuning_of<Where>>
                                                   ? range_items<Program, Where>
                                                   : std::max(range_items<Program, Where>, Program::some);

template <class Program>
void take_alone(Program const& given, extent first, extent last)
{
  if constexpr (merges_numbers<Program>)
    if (auto const merge = merge_of<typename Program::item>()) return given.alone_by(merge, first, last);
  if constexpr (ends_early<Program>)
    in_wide_vectors([&]() __attribute__((always_inline)) {
      Program const program = given;  // a copy, which no store can change
      program.alone(first, last);
    });
  else given.alone(first, last);
}

/// Few positions, and the first of a program that may end with them.
template <place_like Where, takes_few Program>
[[gnu::always_inline]] inline bool finished_on_the_spot(backend, Where const&, Program const& program, extent)
{
  if (is_tiny<tuning_of<Where>>) return false;
  extent const n = program.size(), last = std::min(n, Program::few);
  if (!ends_early<Program> && n > last) return false;
  program.take_few(last);
  if constexpr (ends_early<Program>) return last == n || program.ended(last);
  return true;
}

/// What is not worth starting a thread is done by the calling one.
template <place_like Where, range_program Program>
bool finished_at_once(backend, Where const&, Program const& program, extent)
{
  constexpr extent items = range_items<Program, Where>, ahead = taken_ahead<Program, Where>;
  extent const n = program.size();
  if (n > items && ahead == 0) return false;
  extent const last = std::min(n, std::max(items, ahead));
  extent first      = 0;
  if constexpr (ends_early<Program>)
    if (!is_tiny<tuning_of<Where>>) first = Program::few;
  if (first < last) take_alone(program, first, last);
  if constexpr (ends_early<Program>) return last == n || program.ended(last);
  return true;
}

template <class Program>
extent bytes_of_range(Program const& program)
{
  if constexpr (requires { program.bytes(); }) return program.bytes();
  else return 8 * program.size();
}

/// A thread takes as many positions at a time as are worth its start; the calling one takes all where the machine is
/// crowded.
template <class Exec, range_program Program, class Tuning>
void queue_program(place<Exec, backend, Tuning> const& where, Program const& program, extent, workspace<Exec>&)
{
  using here             = place<Exec, backend, Tuning>;
  constexpr extent items = range_items<Program, here>, ahead = taken_ahead<Program, here>;
  extent const n = program.size(), tiles = div_up(n - ahead, items);
  extent const threads = threads_for(where.space, bytes_of_range(program), is_tiny<Tuning> ? 0 : 1);
  auto const take      = [&](extent tile) {
    extent const first = ahead + tile * items;
    take_alone(program, first, std::min(first + items, n));
  };
  if constexpr (ends_early<Program>) each_in_turn(where.label, where.space, threads, tiles, take);
  else each(where.label, where.space, threads, tiles, take);
}

}  // namespace onepass::ONEPASS_ABI::backends::host
