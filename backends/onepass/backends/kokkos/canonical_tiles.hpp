// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/backends/kokkos/items.hpp>

namespace onepass::ONEPASS_ABI::backends::kokkos {

/// The tiles of the canonical tree, a team each: the kernels of two passes with no spine between them.
template <class Exec, class Program>
struct canonical_tile_kernels {
  using machine          = item_kernels<Exec, Program, canonical_tuning>;
  using aggregate        = typename Program::aggregate_type;
  static constexpr int N = machine::N;

  struct totals {};
  struct results {};

  Program program;
  extent n;
  aggregate* sums;  ///< of a tile, or what is before it

  template <class Member>
  ONEPASS_FUNCTION void operator()(totals, Member const& member) const
  {
    typename machine::template team_of<Member> const team(member, machine::stage);
    tile<N, Program, typename machine::template team_of<Member>> t(program, team, member.league_rank(), n);
    auto const total = t.upsweep();
    if (team.rank() == 0) sums[member.league_rank()] = total;
  }
  template <class Member>
  ONEPASS_FUNCTION void operator()(results, Member const& member) const
  {
    typename machine::template team_of<Member> const team(member, machine::stage);
    tile<N, Program, typename machine::template team_of<Member>> t(program, team, member.league_rank(), n);
    (void)t.upsweep();
    t.arrange();
    t.downsweep(sums[member.league_rank()]);
  }

  template <class Tag>
  void queue(Exec const& exec, std::string const& label) const
  {
    using team         = typename machine::template team_of<member_of<Exec>>;
    extent const tiles = tiles_of(n, machine::items);
    require_one_launch(label, tiles, n, "items");
    launch_teams<typename machine::template policy<Tag>>(label, exec, tiles, machine::threads,
                                                         team::scratch_bytes(machine::stage), *this);
  }
};

/// totals[t] = tile t of n items, combined.
template <class Where, item_program Program>
void canonical_totals(Where const& where, Program const& program, extent n, typename Program::aggregate_type* totals)
{
  using kernels = canonical_tile_kernels<space_of<Where>, Program>;
  kernels{program, n, totals}.template queue<typename kernels::totals>(where.space, where.label + " (totals)");
}

/// Writes the results of n items, where before[t] is everything before tile t.
template <class Where, item_program Program>
void canonical_results(Where const& where, Program const& program, extent n, typename Program::aggregate_type* before)
{
  using kernels = canonical_tile_kernels<space_of<Where>, Program>;
  kernels{program, n, before}.template queue<typename kernels::results>(where.space, where.label + " (results)");
}

}  // namespace onepass::ONEPASS_ABI::backends::kokkos
