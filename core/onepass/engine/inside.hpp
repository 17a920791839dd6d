// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/engine/program.hpp>

#include <cstdint>
#include <type_traits>
#include <utility>

namespace onepass {

/// How many flags of a stretch of a tile are set, and which is the last: one word, so that a team scans it at the price
/// of a number. Positions count from the tile's first item; a tile has less than 2^16.
struct flag_tally {
  std::uint32_t bits = 0;  ///< the last position + 1, and the number

  ONEPASS_FUNCTION static flag_tally of(int count, int latest) { return {std::uint32_t(latest + 1) << 16 | std::uint32_t(count)}; }
  ONEPASS_FUNCTION int count() const { return int(bits & 0xffff); }
  ONEPASS_FUNCTION int latest() const { return int(bits >> 16) - 1; }
};

/// Tallies in order combine like a program's aggregates.
struct flag_tallies {
  using aggregate_type = flag_tally;

  ONEPASS_FUNCTION static flag_tally identity() { return {}; }
  ONEPASS_FUNCTION static flag_tally combine(flag_tally a, flag_tally b)
  {
    const auto latest = (b.bits >> 16 ? b.bits : a.bits) & 0xffff0000u;
    return {latest | ((a.bits + b.bits) & 0xffffu)};
  }
};

/// What the threads of a team combine inside a tile: tallies of a program's flags, or its local algebra's aggregates, or
/// its own.
template <counts_flags Program>
ONEPASS_FUNCTION flag_tallies algebra_of(Program const&) { return {}; }
template <has_local_algebra Program>
ONEPASS_FUNCTION auto algebra_of(Program const& program) { return program.local(); }
template <class Program>
ONEPASS_FUNCTION Program const& algebra_of(Program const& program) { return program; }

template <class Program>
using algebra_for = std::remove_cvref_t<decltype(algebra_of(std::declval<Program const&>()))>;
template <class Program>
using inside_of = typename algebra_for<Program>::aggregate_type;

/// `before`, and then what was combined inside a tile that begins at item `first`.
template <class Program>
ONEPASS_FUNCTION typename Program::aggregate_type through(Program const& program, typename Program::aggregate_type const& before,
                                                          [[maybe_unused]] extent first, inside_of<Program> const& inside)
{
  if constexpr (counts_flags<Program>) return program.after(before, inside.count(), first + inside.latest());
  else if constexpr (has_local_algebra<Program>) return program.through(before, inside);
  else return program.combine(before, inside);
}

}  // namespace onepass
