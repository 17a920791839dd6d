// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/backends/kokkos/launch.hpp>
#include <onepass/backends/kokkos/tuning.hpp>
#include <onepass/engine/lanes.hpp>
#include <onepass/engine/registers.hpp>
#include <onepass/execution/place.hpp>

namespace onepass::ONEPASS_ABI::backends::kokkos {

/// A lane program by team policies: on devices one thread for each lane, with the table in the team's memory; on hosts
/// one thread for each tile. Words are read from global memory.
template <class Exec, class Program, class Tuning>
struct lane_kernels {
  static constexpr lane_tuning numbers = lane_tuning_for<Exec, Tuning>(table_group);
  static constexpr int tiles_per_team  = numbers.tiles;
  static constexpr int threads         = on_host<Exec> ? 1 : tiles_per_team * tile_lanes;
  static constexpr std::size_t table_bytes =
      on_host<Exec> ? 0 : std::size_t(Program::table_words) * sizeof(std::uint32_t);

  using policy = Kokkos::TeamPolicy<Exec, Kokkos::LaunchBounds<threads, numbers.min_teams>>;

  Program program;

  ONEPASS_FUNCTION void operator()(member_of<Exec> const& member) const
  {
    extent const first = extent(member.league_rank()) * tiles_per_team;
    if constexpr (on_host<Exec>)
      for (int lane = 0; lane < tile_lanes; ++lane) {
        auto held = program.fetch(first, lane);
        program.run(first, lane, held, program.table(first), program.words(first));
      }
    else {
      extent const tile = first + member.team_rank() / tile_lanes;
      int const lane    = member.team_rank() % tile_lanes;
      bool const live   = tile < program.tiles();
      auto held         = program.fetch(live ? tile : 0, lane);  // in flight while the table is copied
      auto* const table = static_cast<pack*>(member.team_scratch(0).get_shmem_aligned(std::size_t(table_bytes), 16));
      auto const* const from = reinterpret_cast<pack const*>(program.table(first));
      for (int p = member.team_rank(); p < Program::table_words / 4; p += threads) table[p] = from[p];
      member.team_barrier();
      if (live) program.run(tile, lane, held, reinterpret_cast<std::uint32_t const*>(table), program.words(tile));
    }
  }
};

template <class Exec, lane_program Program, class Tuning>
void queue_program(place<Exec, backend, Tuning> const& where, Program const& program)
{
  using machine      = lane_kernels<Exec, Program, Tuning>;
  extent const teams = div_up(program.tiles(), machine::tiles_per_team);
  require_one_launch(where.label, teams, program.tiles(), "tiles of lanes");
  if (teams == 0) return;
  std::size_t const scratch = machine::table_bytes ? machine::table_bytes + 16 : 0;
  launch_teams<typename machine::policy>(where.label, where.space, teams, machine::threads, scratch, machine{program});
}

}  // namespace onepass::ONEPASS_ABI::backends::kokkos
