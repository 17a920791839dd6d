// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/engine/program.hpp>

#include <concepts>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace onepass {

/// How many flags of a stretch of a tile are set, and which is the last: one word, so that a team scans it at the price
/// of a number. Positions count from the tile's first item; a tile has less than 2^16.
struct flag_tally {
  std::uint32_t bits = 0;  ///< the last position + 1, and the number

  ONEPASS_FUNCTION static flag_tally of(int count, int latest)
  {
    return {std::uint32_t(latest + 1) << 16 | std::uint32_t(count)};
  }
  ONEPASS_FUNCTION int count() const { return int(bits & 0xffff); }
  ONEPASS_FUNCTION int latest() const { return int(bits >> 16) - 1; }
};

/// Tallies in order combine like a program's aggregates.
struct flag_tallies {
  using aggregate_type = flag_tally;

  ONEPASS_FUNCTION static flag_tally identity() { return {}; }
  ONEPASS_FUNCTION static flag_tally combine(flag_tally a, flag_tally b)
  {
    auto const latest = (b.bits >> 16 ? b.bits : a.bits) & 0xffff0000u;
    return {latest | ((a.bits + b.bits) & 0xffffu)};
  }
};

/// How many items of a stretch of a tile go to the first and to the second of three parts, in one word as well.
struct part_tally {
  std::uint32_t bits = 0;

  ONEPASS_FUNCTION static part_tally of(int first, int second)
  {
    return {std::uint32_t(first) << 16 | std::uint32_t(second)};
  }
  ONEPASS_FUNCTION int first() const { return int(bits >> 16); }
  ONEPASS_FUNCTION int second() const { return int(bits & 0xffff); }
};

struct part_tallies {
  using aggregate_type = part_tally;

  ONEPASS_FUNCTION static part_tally identity() { return {}; }
  ONEPASS_FUNCTION static part_tally combine(part_tally a, part_tally b) { return {a.bits + b.bits}; }
};

/// How many flags of a stretch of a tile are set, and what its items combine to from the last of them on, or all where
/// none is.
template <class Sum>
struct since_flag {
  std::uint32_t flags;
  Sum sum;

  ONEPASS_FUNCTION int count() const { return int(flags); }
};

/// The local algebra of a program whose memos are flags and whose items combine anew from every set flag on, by `Sums`.
/// The program adds lift(item, flag).
template <class Sums>
struct flagged_sums {
  using sums_type      = Sums;
  using sum_type       = typename Sums::aggregate_type;
  using aggregate_type = since_flag<sum_type>;

  static constexpr bool commutes = Sums::commutes;  ///< the sums do

  Sums sums;

  ONEPASS_FUNCTION aggregate_type combine(aggregate_type const& a, aggregate_type const& b) const
  {
    return {a.flags + b.flags, b.flags ? b.sum : sums.combine(a.sum, b.sum)};
  }
  ONEPASS_FUNCTION static aggregate_type identity() { return {0, Sums::identity()}; }
};

template <class Algebra>
concept sums_by_flags = requires
{
  requires std::derived_from<Algebra, flagged_sums<typename Algebra::sums_type>>;
};

/// What the threads of a team combine inside a tile: tallies of a program's flags or parts, or its local algebra's
/// aggregates, or its own.
template <counts_flags Program>
ONEPASS_FUNCTION flag_tallies algebra_of(Program const&)
{
  return {};
}
template <counts_parts Program>
ONEPASS_FUNCTION part_tallies algebra_of(Program const&)
{
  return {};
}
template <has_local_algebra Program>
ONEPASS_FUNCTION auto algebra_of(Program const& program)
{
  return program.local();
}
template <class Program>
ONEPASS_FUNCTION Program const& algebra_of(Program const& program)
{
  return program;
}

template <class Program>
using algebra_for = std::remove_cvref_t<decltype(algebra_of(std::declval<Program const&>()))>;
template <class Program>
using inside_of = typename algebra_for<Program>::aggregate_type;

/// `before`, and then what was combined inside a tile that begins at item `first`.
template <class Program>
ONEPASS_FUNCTION typename Program::aggregate_type
through(Program const& program, typename Program::aggregate_type const& before, [[maybe_unused]] extent first,
        inside_of<Program> const& inside)
{
  if constexpr (counts_flags<Program>) return program.after(before, inside.count(), first + inside.latest());
  else if constexpr (counts_parts<Program>) return program.after(before, inside.first(), inside.second());
  else if constexpr (has_local_algebra<Program>) return program.through(before, inside);
  else return program.combine(before, inside);
}

}  // namespace onepass
