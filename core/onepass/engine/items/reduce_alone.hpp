// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/engine/items/program.hpp>

namespace onepass::ONEPASS_ABI {

// clang-format off
/// A program of shape none that has loops of its own for one thread, which need not make an aggregate of each item:
///   aggregate reduce(first, last)      items [first, last), one at least, combined
///   aggregate reduce_few(first, last)  the same where there are few
template <class P>
concept reduces_alone = item_program<P> && P::shape == output_shape::none && requires(P const p, extent i) {
  { p.reduce(i, i) } -> std::same_as<typename P::aggregate_type>;
  { p.reduce_few(i, i) } -> std::same_as<typename P::aggregate_type>;
};
// clang-format on

/// So few that a call, and a program in memory, would take as long.
template <reduces_alone Program>
[[gnu::always_inline]] inline bool run_on_the_spot(Program const& program, extent n)
{
  program.finish(n > 0 ? program.reduce_few(0, n) : program.initial(), n);
  return true;
}

/// The serial schedule of such a program.
template <reduces_alone Program>
[[gnu::noinline]] void run_serially(Program const& given, extent n)
{
  Program const program = given;
  run_on_the_spot(program, n);
}

}  // namespace onepass::ONEPASS_ABI
