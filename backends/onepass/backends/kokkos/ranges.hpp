// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/backends/kokkos/tile.hpp>
#include <onepass/backends/kokkos/tuning.hpp>
#include <onepass/place.hpp>

namespace onepass::backends::kokkos {

/// A range program writes positions [0, size()), each from the input alone: its tiles have nothing to tell each other.
///
///   size()                           how many positions; read where it runs
///   alone(first, last)               some of them, by one thread
///   together<slots>(team, first, last)   the same by a team (engine/tile.hpp) whose stage has room for so many item_type a thread
///   slots_per_thread(tuning)         how many it wants
///   positions(slots)                 how many positions a team takes at a time that has so many slots altogether
///   aggregate_type, combine(), identity()   what the team's scan adds up
template <class Exec, class Program, class Tuning>
struct range_machine {
  static constexpr auto numbers = tuning_for<Exec, Tuning>();
  static constexpr int  threads = numbers.threads;
  static constexpr int  own     = Program::slots_per_thread(numbers);
  static constexpr int  slots   = threads * own;
  static constexpr int  items   = Program::positions(slots);

  using policy = Kokkos::TeamPolicy<Exec, Kokkos::LaunchBounds<threads, numbers.min_teams>>;
  template <class Member>
  using team_of = team<Member, Program, numbers, threads>;

  Program program;

  template <class Member>
  ONEPASS_FUNCTION void operator()(Member const& member) const
  {
    const team_of<Member> team(member, slots);
    const extent          n = program.size(), first = extent(member.league_rank()) * items;
    if (first < n) program.template together<own>(team, first, first + items < n ? first + items : n);
  }
};

template <class Exec, class Program, class Tuning>
void run_ranges(place<Exec, kokkos_backend, Tuning> const& where, std::string const& label, Program const& program, extent limit)
{
  using machine      = range_machine<Exec, Program, Tuning>;
  using policy       = typename machine::policy;
  const extent tiles = div_up(limit, machine::items);
  require(tiles < extent(1) << 31, label, ": ", limit, " positions are more tiles than one launch has");
  auto p = policy(where.space, int(tiles), machine::threads);
  p.set_scratch_size(0, Kokkos::PerTeam(machine::template team_of<typename policy::member_type>::scratch_bytes(machine::slots)));
  Kokkos::parallel_for(label, p, machine{program});
}

}  // namespace onepass::backends::kokkos
