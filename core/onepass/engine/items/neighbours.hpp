// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/engine/items/program.hpp>

namespace onepass::ONEPASS_ABI {

// clang-format off
/// A program of shape mapped whose results are made of two neighbours alone, so that a thread which has the items of a
/// tile scans nothing. What travels is the latest item, as a maybe<item>:
///   output first(item)             the result of item 0
///   output beside(item, previous)  that of any other
template <class P>
concept pairs_neighbours = item_program<P> && P::shape == output_shape::mapped
    && requires(P const p, typename P::item_type const& x) {
  { p.first(x) } -> std::same_as<typename P::output_type>;
  { p.beside(x, x) } -> std::same_as<typename P::output_type>;
};
// clang-format on

/// Results of items [first, last), one after another, given what precedes them. Each item is read once, before anything
/// is written where it may lie.
template <pairs_neighbours Program>
[[gnu::always_inline]] inline void write_beside(Program const& program, extent first, extent last,
                                                typename Program::aggregate_type const& before)
{
  if (first >= last) return;
  auto const in  = program.input();
  auto const out = program.output();
  auto previous  = typename Program::item_type(in(first));
  out(first)     = program.result(previous, {}, before);
  for (extent i = first + 1; i < last; ++i) {
    typename Program::item_type const x = in(i);
    out(i)                              = program.beside(x, previous);
    previous                            = x;
  }
}

/// What items [first, last) tell those behind them.
template <pairs_neighbours Program>
typename Program::aggregate_type latest_of(Program const& program, extent first, extent last)
{
  if (first >= last) return Program::identity();
  return {program.input()(last - 1), true};
}

/// So few that a call, and a program in memory, would take as long.
template <pairs_neighbours Program>
[[gnu::always_inline]] inline bool run_on_the_spot(Program const& program, extent n)
{
  write_beside(program, 0, n, program.initial());
  return true;
}

/// The serial schedule of such a program.
template <pairs_neighbours Program>
[[gnu::noinline]] void run_serially(Program const& given, extent n)
{
  Program const program = given;  // a copy, which no store can change
  write_beside(program, 0, n, program.initial());
  program.finish(Program::identity(), n);
}

}  // namespace onepass::ONEPASS_ABI
