// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/backends/kokkos/launch.hpp>
#include <onepass/backends/kokkos/team.hpp>
#include <onepass/backends/kokkos/tuning.hpp>
#include <onepass/engine/rounds.hpp>
#include <onepass/execution/place.hpp>

namespace onepass::ONEPASS_ABI::backends::kokkos {

/// The kernels of a round program (engine/rounds.hpp), by team policies: one a round that there can be. Where a round
/// is not wanted, its teams end at once.
template <class Exec, class Program, class Tuning>
struct round_kernels {
  static constexpr auto numbers      = round_tuning_for<Exec, Tuning>(sizeof(typename Program::item));
  static constexpr int threads       = numbers.threads;
  static constexpr int each          = Program::each(numbers);
  static constexpr int positions     = positions_of_round<Program>(numbers);
  static constexpr std::size_t stage = std::size_t(Program::stage_words(numbers)) * 4;

  using policy = Kokkos::TeamPolicy<Exec, Kokkos::LaunchBounds<threads, numbers.min_teams>>;
  template <class Member>
  using team_of = team<Member, range_sums, numbers, threads>;

  Program program;
  int round = 0;

  ONEPASS_FUNCTION void operator()(extent) const
  {
    if constexpr (!Program::knows_rounds) *program.progress = {0, 0, 0};
  }
  template <class Member>
    requires requires(Member const& m) { m.league_rank(); }
  ONEPASS_FUNCTION void operator()(Member const& member) const
  {
    team_of<Member> const team(member, stage);
    if (round == 0) {
      [[maybe_unused]] int const more = begin_rounds<Program, each>(program, team, member.league_rank());
      if constexpr (!Program::knows_rounds)
        if (member.league_size() > 1 && team.rank() == 0)
          Kokkos::atomic_max(&program.progress->rounds, std::uint32_t(more));
    } else if (wanted()) go_on_with_rounds<Program, each>(program, team, positions, round, member.league_rank());
  }
  ONEPASS_FUNCTION bool wanted() const
  {
    if constexpr (Program::knows_rounds) return true;
    else return std::uint32_t(round) <= program.progress->rounds;
  }
};

template <class Exec, class Tuning>
digits_tuning digits_of(place<Exec, backend, Tuning> const&, std::size_t)
{
  return digits_tuning_for<Exec, Tuning>();
}

/// Not measured: for tests alone.
template <class Exec, class Tuning>
  requires is_tiny<Tuning> merges_tuning merges_of(place<Exec, backend, Tuning> const&, int, bool)
  {
    return {.from = 200, .to = 1500};
  }

/// The tiles of so many positions.
template <class Program, class Exec, class Tuning>
round_tiles tiles_of_rounds(std::type_identity<Program>, place<Exec, backend, Tuning> const&, extent n)
{
  return {tiles_of_round<Program>(round_kernels<Exec, Program, Tuning>::numbers, n), 0};
}

template <class Exec, round_program Program, class Tuning>
void queue_program(place<Exec, backend, Tuning> const& where, Program const& program)
{
  using machine      = round_kernels<Exec, Program, Tuning>;
  extent const tiles = tiles_of_rounds(std::type_identity<Program>{}, where, program.size()).first;
  require_one_launch(where.label, tiles, program.size(), "positions");
  if (tiles == 0) return;
  if (tiles > 1 && !Program::knows_rounds)
    Kokkos::parallel_for(where.label + " (clear)",
                         Kokkos::RangePolicy<Exec, Kokkos::IndexType<extent>>(where.space, 0, 1), machine{program});
  auto const scratch = machine::template team_of<member_of<Exec>>::scratch_bytes(machine::stage);
  for (int round = 0; round <= Program::most_rounds(tiles); ++round)
    launch_teams<typename machine::policy>(where.label, where.space, tiles, machine::threads, scratch,
                                           machine{program, round});
}

}  // namespace onepass::ONEPASS_ABI::backends::kokkos
