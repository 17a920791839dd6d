// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/backends/kokkos/launch.hpp>
#include <onepass/backends/kokkos/team.hpp>
#include <onepass/backends/kokkos/tuning.hpp>
#include <onepass/engine/items/canonical.hpp>
#include <onepass/engine/items/two_pass.hpp>
#include <onepass/execution/place.hpp>

namespace onepass::ONEPASS_ABI::backends::kokkos {

/// The kernels of an item program, by team policies: one functor with a tag for each.
template <class Exec, class Program, class Tuning>
struct item_kernels {
  static constexpr bool canonical = is_canonical<Tuning>;
  static_assert(std::is_default_constructible_v<typename Program::item_type>,
                "onepass: items must be default constructible");

  /// Tiles as large as the tuning says, or as the memory of a team allows.
  static constexpr team_tuning fitted()
  {
    constexpr auto wanted = item_tuning_for<Exec, Tuning>(sizeof(typename Program::aggregate_type));
    auto t                = wanted;
    while (!on_host<Exec> && t.packs > 1 && t.items_per_thread(bytes_per_item<Program>) > 1
           && team<int, Program, wanted, wanted.threads>::scratch_bytes(
                  stage_bytes<Program>(t.threads * t.items_per_thread(bytes_per_item<Program>)))
                  > most_team_scratch)
      t.packs -= t.packs > 2 ? 2 : 1;
    return t;
  }

  static constexpr auto numbers      = fitted();
  static constexpr int threads       = on_host<Exec> ? 1 : numbers.threads;  ///< threads that are launched for a team
  static constexpr int N             = numbers.items_per_thread(bytes_per_item<Program>);
  static constexpr int items         = N * numbers.threads;
  static constexpr std::size_t stage = stage_bytes<Program>(items);
  static_assert(!canonical || N == canonical_tree<Program>::leaf,
                "onepass: the items are too large for the canonical tree on a device; use smaller accumulators");
  static_assert(alignof(typename Program::item_type) <= 16 && alignof(typename Program::memo_type) <= 16
                    && alignof(typename Program::aggregate_type) <= 16,
                "onepass: what a team keeps of an item may be aligned to at most 16 bytes");
  static_assert(!(canonical && on_host<Exec>), "onepass: on hosts the host backend makes the canonical tree");
  static constexpr int words = descriptor<typename Program::aggregate_type>::words;

  struct chained {};
  struct reduce {};
  struct spine {};
  struct scan {};

  template <class Tag>
  using policy = Kokkos::TeamPolicy<Exec, Tag, Kokkos::LaunchBounds<threads, numbers.min_teams>>;
  template <class Member>
  using team_of = team<Member, Program, numbers, threads>;

  Program program;
  item_count count;
  shared_board board;

  template <class Member>
  ONEPASS_FUNCTION void operator()(chained, Member const& member) const
  {
    team_of<Member> const team(member, stage);
    extent const n = count(), tiles = tiles_of(n, items), teams = member.league_size();
    extent const draws = numbers.persistent ? tiles + teams : teams;
    do {
      auto const mine = team.draw(board, draws, tiles * words);
      if (mine.index >= tiles) return;
      chained_tile<N>(program, n, team, board, mine);
      team.barrier();
    } while (numbers.persistent);
  }
  template <class Member>
  ONEPASS_FUNCTION void operator()(reduce, Member const& member) const
  {
    reduce_tile<N>(program, count(), team_of<Member>(member, stage), board, member.league_rank());
  }
  template <class Member>
  ONEPASS_FUNCTION void operator()(spine, Member const& member) const
  {
    scan_spine<N>(program, count(), team_of<Member>(member, stage), board);
  }
  template <class Member>
  ONEPASS_FUNCTION void operator()(scan, Member const& member) const
  {
    scan_tile<N>(program, count(), team_of<Member>(member, stage), board, member.league_rank());
  }

  template <class Tag>
  void queue(Exec const& exec, std::string const& label, extent teams) const
  {
    launch_teams<policy<Tag>>(label, exec, teams, threads, team_of<member_of<Exec>>::scratch_bytes(stage), *this);
  }
};

template <class Exec, item_program Program, class Tuning>
void queue_program(place<Exec, backend, Tuning> const& where, Program const& program, item_count count,
                   workspace<Exec>& scratch)
{
  using kernels       = item_kernels<Exec, Program, Tuning>;
  constexpr int items = kernels::items;
  extent const tiles  = tiles_of(count.limit, items);
  require_one_launch(where.label, tiles, count.limit, "items");
  auto board   = scratch.template make_board<shared_words>(tiles * kernels::words);
  board.anchor = where.anchor;

  kernels const m{program, count, board};
  auto const two_pass = [&] {
    m.template queue<typename kernels::reduce>(where.space, where.label + " (reduce)", tiles);
    m.template queue<typename kernels::spine>(where.space, where.label + " (spine)", 1);
    if constexpr (Program::shape != output_shape::none)
      m.template queue<typename kernels::scan>(where.space, where.label + " (scan)", tiles);
  };
  if constexpr (kernels::canonical) {
    require_two_passes(where);
    two_pass();
  } else if (takes_two_passes(where)) two_pass();
  else {
    require(where.chosen == schedule::chained || where.chosen == schedule::automatic, "run: the Kokkos backend has no ",
            name_of(where.chosen), " schedule; it has chained and two-pass");
    extent const resident = kernels::numbers.persistent ? where.space.concurrency() / kernels::threads : tiles;
    m.template queue<typename kernels::chained>(where.space, where.label, resident < tiles ? resident : tiles);
  }
}

}  // namespace onepass::ONEPASS_ABI::backends::kokkos
