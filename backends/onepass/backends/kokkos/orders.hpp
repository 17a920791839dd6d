// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/backends/kokkos/launch.hpp>
#include <onepass/backends/kokkos/local_order.hpp>
#include <onepass/backends/kokkos/tuning.hpp>
#include <onepass/engine/places.hpp>
#include <onepass/execution/place.hpp>

namespace onepass::ONEPASS_ABI::backends::kokkos {

/// A pass of a radix sort by three kernels: every team counts the bins of its part of the items; for every bin one team
/// adds up the counts of all teams; every team moves its part. No team waits for another. On host spaces a team is one
/// thread.
///
/// Source: Satish, Harris & Garland 2009; see docs/references.md.
template <class Exec, class Program, class Tuning, class From, class To>
struct digit_pass {
  static constexpr pass_tuning numbers = order_tuning_for<Exec, Tuning>();
  static constexpr int threads = numbers.threads, N = numbers.items;
  static constexpr int items = threads * N;  ///< items that a team moves at a time
  static constexpr int bins  = 1 << one_digit;

  using ranking = local_order<threads, on_host<Exec> ? 1 : N, 16>;
  using adding  = raking<threads, 16, extent>;

  struct count {};
  struct add_up {};
  struct scatter {};
  struct copy {};

  template <class Tag>
  using policy = Kokkos::TeamPolicy<Exec, Tag, Kokkos::LaunchBounds<threads, 1>>;

  template <class Member>
  struct team_of {
    Member const& member;
    static constexpr int threads = digit_pass::threads;
    ONEPASS_FUNCTION int rank() const { return threads == 1 ? 0 : member.team_rank(); }
    ONEPASS_FUNCTION void barrier() const
    {
      if constexpr (threads > 1) member.team_barrier();
    }
  };

  struct scattering {
    extent place[bins];  ///< position of the next item of each bin
    int first[bins], last[bins];
    typename ranking::memory rank;
  };

  Program program;
  From from;
  To to;
  extent n, stretch;  ///< number of items, and of a team's part of them
  int teams;
  digit_bits digit;
  extent* counts;  ///< by bin, then by team: number of items, then that of items of earlier teams
  extent* totals;  ///< by bin

  ONEPASS_FUNCTION int digit_of(extent i) const { return int(program.digit(from.items(i), digit.at, digit.width)); }
  ONEPASS_FUNCTION extent end_of(extent first) const { return first + stretch < n ? first + stretch : n; }

  template <class Member>
  ONEPASS_FUNCTION void operator()(count, Member const& member) const
  {
    team_of<Member> const team{member};
    auto* const seen =
        static_cast<std::uint32_t*>(member.team_scratch(0).get_shmem_aligned(bins * sizeof(std::uint32_t), 16));
    extent const first = extent(member.league_rank()) * stretch, last = end_of(first);
    for (int b = team.rank(); b < digit.bins(); b += threads) seen[b] = 0;
    team.barrier();
    for (extent i = first + team.rank(); i < last; i += threads) {
      if constexpr (threads == 1) ++seen[digit_of(i)];
      else Kokkos::atomic_inc(seen + digit_of(i));
    }
    team.barrier();
    for (int b = team.rank(); b < digit.bins(); b += threads)
      counts[extent(b) * teams + member.league_rank()] = seen[b];
  }

  /// One team for each bin.
  template <class Member>
  ONEPASS_FUNCTION void operator()(add_up, Member const& member) const
  {
    team_of<Member> const team{member};
    auto* const sums = static_cast<typename adding::memory*>(
        member.team_scratch(0).get_shmem_aligned(sizeof(typename adding::memory), 16));
    extent* const mine = counts + extent(member.league_rank()) * teams;
    extent older       = 0;
    for (int t = 0; t < teams; t += threads) {
      int const at = t + team.rank();
      extent own = at < teams ? mine[at] : 0, all = own, before = 0;
      if constexpr (threads > 1) before = adding::exclusive_scan(team, *sums, sum_of<extent>{}, own, all);
      if (at < teams) mine[at] = older + before;
      older += all;
      team.barrier();
    }
    if (team.rank() == 0) {
      totals[member.league_rank()] = older;
      if (program.bits() == digit.width) program.counted(member.league_rank(), older);
    }
  }

  template <class Member>
  ONEPASS_FUNCTION void operator()(scatter, Member const& member) const
  {
    team_of<Member> const team{member};
    auto& s            = *static_cast<scattering*>(member.team_scratch(0).get_shmem_aligned(sizeof(scattering), 16));
    extent const first = extent(member.league_rank()) * stretch, last = end_of(first);
    if (team.rank() == 0) {
      extent before = 0;
      for (int b = 0; b < digit.bins(); ++b) {
        s.place[b] = before + counts[extent(b) * teams + member.league_rank()];
        before += totals[b];
      }
    }
    team.barrier();
    if constexpr (threads == 1)
      for (extent i = first; i < last; ++i) move_one(from, i, to, s.place[digit_of(i)]++);
    else
      for (extent i = first; i < last; i += items) move_some(team, s, i, int(last - i < items ? last - i : items));
  }

  /// Moves items [first, first + valid) in the order of their digits, so that neighbouring threads write to
  /// neighbouring positions.
  template <class Team>
  ONEPASS_FUNCTION void move_some(Team const& team, scattering& s, extent first, int valid) const
  {
    auto const at = [&](int j) { return int(s.rank.digit[s.rank.order[0][j]]); };
    for (int b = team.rank(); b < digit.bins(); b += threads) s.first[b] = s.last[b] = 0;
    for (int j = team.rank(); j < valid; j += threads) s.rank.digit[j] = std::uint8_t(digit_of(first + j));
    team.barrier();
    ranking::find(team, s.rank, valid);
    for (int j = team.rank(); j < valid; j += threads) {
      int const b = at(j);
      if (j == 0 || at(j - 1) != b) s.first[b] = j;
      if (j == valid - 1 || at(j + 1) != b) s.last[b] = j + 1;
    }
    team.barrier();
    for (int j = team.rank(); j < valid; j += threads) {
      int const b = at(j);
      move_one(from, first + s.rank.order[0][j], to, s.place[b] + j - s.first[b]);
    }
    team.barrier();
    for (int b = team.rank(); b < digit.bins(); b += threads) s.place[b] += s.last[b] - s.first[b];
    team.barrier();
  }

  template <class Tag>
  void queue(Exec const& exec, std::string const& label, int league, std::size_t scratch) const
  {
    launch_teams<policy<Tag>>(label, exec, league, threads, scratch + 64, *this);
  }

  void queue_all(Exec const& exec, std::string const& label) const
  {
    queue<count>(exec, label + " (count)", teams, bins * sizeof(std::uint32_t));
    queue<add_up>(exec, label + " (add up)", digit.bins(), sizeof(typename adding::memory));
    queue<scatter>(exec, label + " (scatter)", teams, sizeof(scattering));
  }
};

/// How a sort of n items is shared out, and the plain memory that it takes.
template <class Exec, class Program, class Tuning>
struct pass_plan {
  using target = decltype(target_of(std::declval<Program const&>()));
  using shape  = digit_pass<Exec, Program, Tuning, nothing, nothing>;

  digit_plan digits;
  extent tiles;
  int teams;
  extent stretch;  ///< number of items of a team's part, which it counts in 32 bits
  std::size_t spares, tables;

  pass_plan(Exec const& exec, Program const& program, extent n)
      : digits{program.bits(), one_digit}
      , tiles(n > shape::items ? div_up(n, shape::items) : 1)
      , teams(int(std::max(std::min(tiles, teams_of_launch(exec, shape::numbers.most_teams, shape::threads)),
                           div_up(n, extent(1) << 31))))
      , stretch(div_up(tiles, teams) * shape::items)
      , spares(std::size_t(spares_for<Program, target>(digits, program.in_place())) * spare_memory<Program>::bytes(n))
      , tables(std::size_t(shape::bins) * std::size_t(teams + 1) * sizeof(extent))
  {}
};

/// Bytes of the workspace's plain memory that a sort of n items takes, whose values are moved with them.
template <class Exec, order_program Program, class Tuning>
  requires(!values_wait<Program>)
std::size_t bytes_of_order(place<Exec, backend, Tuning> const& where, Program const& program, extent n)
{
  pass_plan<Exec, Program, Tuning> const plan(where.space, program, n);
  return plan.spares + plan.tables;
}

/// The same where values wait.
template <class Exec, order_program Program, class Tuning>
  requires values_wait<Program> std::size_t bytes_of_order(place<Exec, backend, Tuning> const& where,
                                                           Program const& program, extent n)
  {
    return bytes_before_values(program, n, [&](auto const& places) { return bytes_of_order(where, places, n); });
  }

/// Reduce, then scan, once for each digit. A place's schedule concerns item programs; here there is only one.
template <class Exec, order_program Program, class Tuning>
void queue_program(place<Exec, backend, Tuning> const& where, Program const& program, item_count count,
                   workspace<Exec>& scratch)
{
  extent const n = count();
  if constexpr (values_wait<Program>) {
    auto const each = [&](char const* what, extent items, auto const& body) {
      Kokkos::parallel_for(where.label + what,
                           Kokkos::RangePolicy<Exec, Kokkos::IndexType<extent>>(where.space, 0, items), body);
    };
    auto const bytes = [&](auto const& places) { return bytes_of_order(where, places, n); };
    sort_before_values(each, program, n, scratch, bytes,
                       [&](auto const& places) { queue_program(where, places, count, scratch); });
  } else {
    using sort = pass_plan<Exec, Program, Tuning>;
    sort const plan(where.space, program, n);
    int const teams = plan.teams;

    std::byte* const memory = scratch.plain(plan.spares + plan.tables);
    auto* const counts      = reinterpret_cast<extent*>(memory + plan.spares);

    auto const copy = [&](auto const& a, auto const& b) {
      Kokkos::parallel_for(where.label + " (copy)",
                           Kokkos::RangePolicy<Exec, Kokkos::IndexType<extent>>(where.space, 0, n),
                           copy_item<std::decay_t<decltype(a)>, std::decay_t<decltype(b)>>{a, b});
    };
    auto const pass = [&](auto const& a, auto const& b, digit_bits d) {
      using passing = digit_pass<Exec, Program, Tuning, std::decay_t<decltype(a)>, std::decay_t<decltype(b)>>;
      passing{program, a, b, n, plan.stretch, teams, d, counts, counts + extent(passing::bins) * teams}.queue_all(
          where.space, where.label);
    };
    by_digits<Program>(plan.digits, source_of(program), target_of(program), program.in_place(), memory, n, copy, pass);
  }
}

}  // namespace onepass::ONEPASS_ABI::backends::kokkos
