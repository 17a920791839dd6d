// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/engine/items/neighbours.hpp>
#include <onepass/engine/ranges.hpp>
#include <onepass/footprint.hpp>
#include <onepass/operators.hpp>

#include <algorithm>

namespace onepass::ONEPASS_ABI {

/// out(i) = op(in(i), in(i - 1)). What travels is the latest item, so that no tile reads an item of the tile before,
/// which may be overwritten: the output may be the input.
template <class In, class Out, class Op>
struct differences_program {
  using item_type      = typename In::value_type;
  using output_type    = typename Out::value_type;
  using memo_type      = bool;
  using aggregate_type = maybe<item_type>;

  static constexpr auto shape    = output_shape::mapped;
  static constexpr bool pure     = true;
  static constexpr bool commutes = false;

  In in;
  Out out;
  Op op;

  ONEPASS_FUNCTION In input() const { return in; }
  ONEPASS_FUNCTION Out output() const { return out; }
  ONEPASS_FUNCTION bool evaluate(extent, item_type const&) const { return false; }
  ONEPASS_FUNCTION aggregate_type lift(extent, item_type const& x, bool) const { return {x, true}; }
  ONEPASS_FUNCTION aggregate_type combine(aggregate_type const& a, aggregate_type const& b) const
  {
    return b.present ? b : a;
  }
  ONEPASS_FUNCTION static aggregate_type identity() { return {item_type{}, false}; }
  ONEPASS_FUNCTION aggregate_type initial() const { return identity(); }
  ONEPASS_FUNCTION output_type result(item_type const& x, bool, aggregate_type const& before) const
  {
    return before.present ? beside(x, before.value) : first(x);
  }
  ONEPASS_FUNCTION output_type first(item_type const& x) const { return static_cast<output_type>(x); }
  ONEPASS_FUNCTION output_type beside(item_type const& x, item_type const& previous) const
  {
    return static_cast<output_type>(op(x, previous));
  }
  ONEPASS_FUNCTION void finish(aggregate_type const&, extent) const {}
};

/// Whether a device takes differences of items that are not replaced. Threads take single items, of which many small
/// ones would take longer than to let the latest item travel.
template <class In, class Out>
bool subtracts_apart(In const& in, Out const& out)
{
  if constexpr (in_memory<In> && in_memory<Out>)
    if (same_items(in, out)) return false;
  return sizeof(typename In::value_type) >= 4 || in.size <= extent(1) << 22;
}

/// The same where the output is not the input, a range program: nothing travels, since every item is still there.
template <pairs_neighbours Program>
struct differences_apart {
  using item = typename Program::item_type;

  static constexpr extent alone_at_a_time = extent(1) << 14;

  Program program;
  item_count count;

  ONEPASS_FUNCTION extent size() const { return count(); }
  static constexpr int positions(team_tuning const& numbers)  // a thread keeps 32 bytes of items, and those before them
  {
    return numbers.threads * std::clamp(32 / int(sizeof(item)), 1, 8);
  }
  static constexpr int stage_words(int) { return 1; }

  ONEPASS_FUNCTION void alone(extent first, extent last) const
  {
    for (extent i = first; i < last; ++i) write(i, program.input()(i), program.input()(i > 0 ? i - 1 : 0));
  }

  /// The item before is on its way to a neighbouring thread.
  template <int Positions, class Team>
  ONEPASS_FUNCTION void together(Team const& team, extent, extent first, extent last) const
  {
    constexpr int each = Positions / Team::threads;
    item items[each], before[each];
    ONEPASS_UNROLL for (int k = 0; k < each; ++k)
    {
      extent const i = first + k * Team::threads + team.rank(), there = i < last ? i : last - 1;
      items[k]  = program.input()(there);
      before[k] = program.input()(there > 0 ? there - 1 : 0);
    }
    ONEPASS_UNROLL for (int k = 0; k < each; ++k)
    {
      extent const i = first + k * Team::threads + team.rank();
      if (i < last) write(i, items[k], before[k]);
    }
  }

private:
  ONEPASS_FUNCTION void write(extent i, item const& x, item const& before) const
  {
    program.output()(i) = i > 0 ? program.beside(x, before) : program.first(x);
  }
};

}  // namespace onepass::ONEPASS_ABI
