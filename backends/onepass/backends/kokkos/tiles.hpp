// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/backends/kokkos/launch.hpp>
#include <onepass/backends/kokkos/team.hpp>
#include <onepass/backends/kokkos/tuning.hpp>
#include <onepass/engine/tiles.hpp>
#include <onepass/execution/place.hpp>

namespace onepass::ONEPASS_ABI::backends::kokkos {

/// A tile program by team policies, one functor for its kernels.
template <class Exec, class Program, class Tuning>
struct tile_kernels {
  static constexpr team_tuning numbers = tile_tuning_for<Exec, Tuning>();
  static constexpr int threads = numbers.threads, words = descriptor<typename Program::aggregate_type>::words;

  struct single {};
  struct chained {};
  struct reduce {};
  struct spine {};
  struct scan {};

  template <class Tag>
  using policy = Kokkos::TeamPolicy<Exec, Tag, Kokkos::LaunchBounds<threads, numbers.min_teams>>;
  template <class Member>
  using team_of = team<Member, Program, numbers, threads>;

  Program program;
  extent tiles;
  shared_board board;

  template <class Member>
  ONEPASS_FUNCTION void operator()(single, Member const& member) const
  {
    take_single_tile(program, players(member));
  }
  template <class Member>
  ONEPASS_FUNCTION void operator()(chained, Member const& member) const
  {
    auto const team = players(member);
    auto const mine = team.draw(board, tiles, tiles * words);
    program_tile const t(program, team, mine.index);
    take_turn(program, t, team, board, mine, tiles, [&](auto const& all) { program.finish(all); });
  }
  template <class Member>
  ONEPASS_FUNCTION void operator()(reduce, Member const& member) const
  {
    auto const team = players(member);
    reduce_tile(program_tile(program, team, member.league_rank()), team, board, member.league_rank());
  }
  template <class Member>
  ONEPASS_FUNCTION void operator()(spine, Member const& member) const
  {
    scan_spine(program, tiles, players(member), board, [&](auto const& all) { program.finish(all); });
  }
  template <class Member>
  ONEPASS_FUNCTION void operator()(scan, Member const& member) const
  {
    auto const team = players(member);
    scan_tile(program_tile(program, team, member.league_rank()), board, member.league_rank());
  }

  template <class Tag>
  void queue(Exec const& exec, std::string const& label, extent teams) const
  {
    launch_teams<policy<Tag>>(label, exec, teams, threads,
                              team_of<member_of<Exec>>::scratch_bytes(program.stage_bytes(threads)), *this);
  }

private:
  template <class Member>
  ONEPASS_FUNCTION team_of<Member> players(Member const& member) const
  {
    return {member, program.stage_bytes(threads)};
  }
};

template <class Exec, tile_program Program, class Tuning>
void queue_program(place<Exec, backend, Tuning> const& where, Program const& program, workspace<Exec>& scratch)
{
  using kernels      = tile_kernels<Exec, Program, Tuning>;
  extent const tiles = program.tiles(kernels::threads);
  require_one_launch(where.label, tiles, tiles, "tiles");
  auto board   = scratch.template make_board<shared_words>(tiles * kernels::words);
  board.anchor = where.anchor;

  kernels const k{program, tiles, board};
  if (takes_two_passes(where)) {
    k.template queue<typename kernels::reduce>(where.space, where.label + " (reduce)", tiles);
    k.template queue<typename kernels::spine>(where.space, where.label + " (spine)", 1);
    k.template queue<typename kernels::scan>(where.space, where.label + " (scan)", tiles);
  } else k.template queue<typename kernels::chained>(where.space, where.label, tiles);
}

template <class Exec, single_tile_program Program, class Tuning>
void queue_program(place<Exec, backend, Tuning> const& where, Program const& program)
{
  using kernels = tile_kernels<Exec, Program, Tuning>;
  kernels{program, 1, {}}.template queue<typename kernels::single>(where.space, where.label, 1);
}

}  // namespace onepass::ONEPASS_ABI::backends::kokkos
