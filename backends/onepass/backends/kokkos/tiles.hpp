// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/backends/kokkos/team.hpp>
#include <onepass/backends/kokkos/tuning.hpp>
#include <onepass/engine/tiles.hpp>
#include <onepass/execution/place.hpp>

namespace onepass::backends::kokkos {

/// A tile program by team policies, one functor for its kernels.
template <class Exec, class Program, class Tuning>
struct tile_machine {
  static constexpr tile_tuning numbers = tile_tuning_for<Exec, Tuning>();
  static constexpr int threads = numbers.threads, words = descriptor<typename Program::aggregate_type>::words;

  struct single {};
  struct chained {};
  struct reduce {};
  struct spine {};
  struct scan {};

  template <class Tag>
  using policy = Kokkos::TeamPolicy<Exec, Tag, Kokkos::LaunchBounds<threads, numbers.min_teams>>;
  template <class Member>
  using team_of = team<Member, Program, numbers.team(), threads>;

  Program program;
  extent tiles;
  shared_board board;

  template <class Member>
  ONEPASS_FUNCTION void operator()(single, Member const& member) const
  {
    auto const team = made_of(member);
    auto t          = tile_of(team, 0);
    auto const own  = t.upsweep();
    t.downsweep(program.initial());
    if (team.rank() == 0) program.finish(program.combine(program.initial(), own));
  }
  template <class Member>
  ONEPASS_FUNCTION void operator()(chained, Member const& member) const
  {
    auto const team = made_of(member);
    auto const mine = team.draw(board, tiles, tiles * words);
    auto t          = tile_of(team, mine.index);
    take_turn(program, t, team, board, mine, tiles, [&](auto const& all) { program.finish(all); });
  }
  template <class Member>
  ONEPASS_FUNCTION void operator()(reduce, Member const& member) const
  {
    auto const team = made_of(member);
    auto t          = tile_of(team, member.league_rank());
    reduce_tile(t, team, board, member.league_rank());
  }
  template <class Member>
  ONEPASS_FUNCTION void operator()(spine, Member const& member) const
  {
    scan_spine(program, tiles, made_of(member), board, [&](auto const& all) { program.finish(all); });
  }
  template <class Member>
  ONEPASS_FUNCTION void operator()(scan, Member const& member) const
  {
    auto const team = made_of(member);
    auto t          = tile_of(team, member.league_rank());
    scan_tile(t, board, member.league_rank());
  }

  static tile_machine on_board(place<Exec, backend, Tuning> const& where, Program const& program,
                               workspace<Exec>& scratch)
  {
    extent const tiles = program.tiles(threads);
    require_one_launch(where.label, tiles, tiles, "tiles");
    auto board   = scratch.template make_board<shared_words>(tiles * words);
    board.anchor = where.anchor;
    return {program, tiles, board};
  }

  template <class Tag>
  void queue(Exec const& exec, std::string const& label, extent teams) const
  {
    auto p = policy<Tag>(exec, int(teams), threads);
    p.set_scratch_size(
        0, Kokkos::PerTeam(team_of<typename policy<Tag>::member_type>::scratch_bytes(program.stage_bytes(threads))));
    Kokkos::parallel_for(label, p, *this);
  }

private:
  template <class Member>
  ONEPASS_FUNCTION team_of<Member> made_of(Member const& member) const
  {
    return {member, program.stage_bytes(threads)};
  }
  template <class Team>
  ONEPASS_FUNCTION program_tile<Program, Team> tile_of(Team const& team, extent index) const
  {
    return {program, team, index};
  }
};

/// In one kernel, whose teams wait for one another unless there is only one.
template <class Exec, tile_program Program, class Tuning>
void queue_as_one(place<Exec, backend, Tuning> const& where, Program const& program, workspace<Exec>& scratch)
{
  using machine = tile_machine<Exec, Program, Tuning>;
  if constexpr (std::is_base_of_v<single_tile, Program>)
    machine{program, 1, {}}.template queue<typename machine::single>(where.space, where.label, 1);
  else {
    auto const m = machine::on_board(where, program, scratch);
    m.template queue<typename machine::chained>(where.space, where.label, m.tiles);
  }
}

template <class Exec, tile_program Program, class Tuning>
void queue(place<Exec, backend, Tuning> const& where, Program const& program, workspace<Exec>& scratch)
{
  using machine = tile_machine<Exec, Program, Tuning>;
  if constexpr (!std::is_base_of_v<single_tile, Program>)
    if (takes_two_passes(where)) {
      auto const m = machine::on_board(where, program, scratch);
      m.template queue<typename machine::reduce>(where.space, where.label + " (reduce)", m.tiles);
      m.template queue<typename machine::spine>(where.space, where.label + " (spine)", 1);
      m.template queue<typename machine::scan>(where.space, where.label + " (scan)", m.tiles);
      return;
    }
  queue_as_one(where, program, scratch);
}

}  // namespace onepass::backends::kokkos
