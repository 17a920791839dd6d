// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/backends/kokkos/tile.hpp>
#include <onepass/backends/kokkos/tuning.hpp>
#include <onepass/engine/two_pass.hpp>
#include <onepass/place.hpp>

namespace onepass::backends::kokkos {

/// A run of a program by team policies, one functor for its three kernels.
template <class Exec, class Program, class Tuning>
struct machine {
  /// Tiles as long as the tuning says, or as the memory of a team allows.
  static constexpr tuning fitted()
  {
    auto t = tuning_for<Exec, Tuning>();
    while (!on_host<Exec> && t.packs > 1 && t.items_per_thread(bytes_per_item<Program>) > 1 &&
           team<int, Program, tuning_for<Exec, Tuning>(), tuning_for<Exec, Tuning>().threads>::scratch_bytes(
             t.threads * t.items_per_thread(bytes_per_item<Program>)) > most_team_scratch)
      t.packs -= t.packs > 2 ? 2 : 1;
    return t;
  }

  static constexpr auto numbers = fitted();
  static constexpr int  threads = numbers.threads;
  static constexpr int  N       = numbers.items_per_thread(bytes_per_item<Program>);
  static constexpr int  items   = N * threads;
  static constexpr int  words   = descriptor<typename Program::aggregate_type>::words;

  struct chained {};
  struct reduce {};
  struct spine {};
  struct scan {};

  template <class Tag>
  using policy = Kokkos::TeamPolicy<Exec, Tag, Kokkos::LaunchBounds<threads, numbers.min_teams>>;
  template <class Member>
  using team_of = team<Member, Program, numbers, threads>;

  Program      program;
  item_count   count;
  shared_board board;

  template <class Member>
  ONEPASS_FUNCTION void operator()(chained, Member const& member) const
  {
    const team_of<Member> team(member, items);
    const extent          n = count(), tiles = tiles_of(n, items), teams = member.league_size();
    const extent          draws = numbers.persistent ? tiles + teams : teams;
    do {
      const auto mine = team.draw(board, draws, tiles * words);
      if (mine.index >= tiles) return;
      chained_tile<N>(program, n, team, board, mine);
      team.barrier();
    } while (numbers.persistent);
  }
  template <class Member>
  ONEPASS_FUNCTION void operator()(reduce, Member const& member) const
  {
    reduce_tile<N>(program, count(), team_of<Member>(member, items), board, member.league_rank());
  }
  template <class Member>
  ONEPASS_FUNCTION void operator()(spine, Member const& member) const
  {
    scan_spine<N>(program, count(), team_of<Member>(member, items), board);
  }
  template <class Member>
  ONEPASS_FUNCTION void operator()(scan, Member const& member) const
  {
    scan_tile<N>(program, count(), team_of<Member>(member, items), board, member.league_rank());
  }

  template <class Tag>
  void queue(Exec const& exec, std::string const& label, extent teams) const
  {
    auto p = policy<Tag>(exec, int(teams), threads);
    p.set_scratch_size(0, Kokkos::PerTeam(team_of<typename policy<Tag>::member_type>::scratch_bytes(items)));
    Kokkos::parallel_for(label, p, *this);
  }
};

template <class Exec, class Program, class Tuning>
void run(place<Exec, kokkos_backend, Tuning> const& where, Program const& program, item_count count, workspace<Exec>& scratch)
{
  using machine_type    = machine<Exec, Program, Tuning>;
  constexpr int  items  = machine_type::items;
  const extent   tiles  = tiles_of(count.limit, items);
  require(tiles < extent(1) << 31, "run: ", count.limit, " items are more tiles than one launch has");
  auto board   = scratch.template make_board<shared_words>(tiles * machine_type::words);
  board.anchor = where.anchor;

  const machine_type m{program, count, board};
  if (where.order == schedule::two_pass) {
    m.template queue<typename machine_type::reduce>(where.space, where.label + " (reduce)", tiles);
    m.template queue<typename machine_type::spine>(where.space, where.label + " (spine)", 1);
    m.template queue<typename machine_type::scan>(where.space, where.label + " (scan)", tiles);
  } else {
    require(where.order == schedule::chained || where.order == schedule::automatic, "run: the Kokkos backend has no ",
            name_of(where.order), " schedule; it has chained and two-pass");
    const extent resident = machine_type::numbers.persistent ? where.space.concurrency() / machine_type::threads : tiles;
    m.template queue<typename machine_type::chained>(where.space, where.label, resident < tiles ? resident : tiles);
  }
}

}  // namespace onepass::backends::kokkos
