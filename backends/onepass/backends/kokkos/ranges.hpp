// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/backends/kokkos/launch.hpp>
#include <onepass/backends/kokkos/team.hpp>
#include <onepass/backends/kokkos/tuning.hpp>
#include <onepass/engine/ranges.hpp>
#include <onepass/execution/place.hpp>

#include <algorithm>

namespace onepass::ONEPASS_ABI::backends::kokkos {

/// The kernels of a range program (engine/ranges.hpp), by team policies.
template <class Exec, class Program, class Tuning>
struct range_kernels {
  static constexpr auto numbers      = range_tuning_for<Exec, Tuning>();
  static constexpr int threads       = numbers.threads;
  static constexpr int items         = Program::positions(numbers);
  static constexpr std::size_t stage = stage_bytes<range_sums>(Program::stage_words(items));

  using policy = Kokkos::TeamPolicy<Exec, Kokkos::LaunchBounds<threads, numbers.min_teams>>;
  template <class Member>
  using team_of = team<Member, range_sums, numbers, threads>;

  Program program;

  ONEPASS_FUNCTION void operator()(extent tile) const
  {
    if (tile * items < program.size()) program.seek(tile, tile * items);
  }
  template <class Member>
    requires requires(Member const& m) { m.league_rank(); }
  ONEPASS_FUNCTION void operator()(Member const& member) const
  {
    team_of<Member> const team(member, stage);
    take_tiles<items>(program, team, member.league_rank(), member.league_size());
  }
};

template <class Exec, range_program Program, class Tuning>
void queue_program(place<Exec, backend, Tuning> const& where, Program const& program, extent limit)
{
  using machine      = range_kernels<Exec, Program, Tuning>;
  extent const tiles = div_up(limit, machine::items);
  require_one_launch(where.label, tiles, limit, "positions");
  machine const m{program};
  if constexpr (seeks_tiles<Program>)
    Kokkos::parallel_for(where.label + " (seek)",
                         Kokkos::RangePolicy<Exec, Kokkos::IndexType<extent>>(where.space, 0, tiles), m);
  int const teams =
      teams_for_tiles<Program>(tiles, [&] { return std::max(where.space.concurrency() / machine::threads, 1); });
  launch_teams<typename machine::policy>(where.label, where.space, teams, machine::threads,
                                         machine::template team_of<member_of<Exec>>::scratch_bytes(machine::stage), m);
}

/// The number of tiles, which decides how much has to be noted before them.
template <class Program, class Exec, class Tuning>
extent tiles_of_ranges(std::type_identity<Program>, place<Exec, backend, Tuning> const&, extent limit)
{
  return div_up(limit, range_kernels<Exec, Program, Tuning>::items);
}

}  // namespace onepass::ONEPASS_ABI::backends::kokkos
