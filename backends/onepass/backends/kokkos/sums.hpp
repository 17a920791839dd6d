// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/backends/kokkos/bins.hpp>
#include <onepass/engine/sums.hpp>

namespace onepass::ONEPASS_ABI::backends::kokkos {

/// A Kokkos team as the one that adds (engine/sums.hpp).
template <class Member, int Threads>
struct sum_team : bin_team<Member, Threads> {
  ONEPASS_FUNCTION std::uint32_t fetch_add(std::uint32_t* word, std::uint32_t x) const
  {
    if constexpr (Threads > 1) return Kokkos::atomic_fetch_add(word, x);
    std::uint32_t const was = *word;
    *word                   = was + x;
    return was;
  }
  ONEPASS_FUNCTION void add(std::uint32_t* word, std::uint32_t x) const
  {
    if constexpr (Threads > 1) Kokkos::atomic_add(word, x);
    else *word += x;
  }
  ONEPASS_FUNCTION std::uint32_t compare_exchange(std::uint32_t* word, std::uint32_t expected, std::uint32_t x) const
  {
    if constexpr (Threads > 1) return Kokkos::atomic_compare_exchange(word, expected, x);
    std::uint32_t const was = *word;
    if (was == expected) *word = x;
    return was;
  }
};

/// Each team adds its part of the items in its memory, and then what it has to the bins. On devices teams take units in
/// turn, on hosts each has a stretch of its own.
template <class Exec, class Program, class Tuning>
struct sum_adding {
  static constexpr bin_tuning numbers = bin_tuning_for<Exec, Tuning>();
  static constexpr int threads        = numbers.threads;

  using table_type = sum_table<Program>;
  using policy     = Kokkos::TeamPolicy<Exec, Kokkos::LaunchBounds<threads, numbers.min_teams>>;

  static constexpr extent items = table_type::unit::items;

  Program program;
  table_type table;

  ONEPASS_FUNCTION std::size_t bytes_of_team() const { return bytes_of_counters(table.held()); }

  template <class Member>
  ONEPASS_FUNCTION void operator()(Member const& member) const
  {
    sum_team<Member, threads> const team{{member}};
    auto* const memory = static_cast<std::uint32_t*>(member.team_scratch(0).get_shmem_aligned(bytes_of_team(), 16));
    extent const mine = member.league_rank(), teams = member.league_size(), n = program.size(), units = n / items;
    bool const last = mine == teams - 1;
    if constexpr (on_host<Exec>)
      table.add(team, program, units * mine / teams, units * (mine + 1) / teams, 1, last ? units * items : n, n,
                memory);
    else
      table.add(team, program, mine * threads + team.rank(), units, teams * threads, last ? units * items : n, n,
                memory);
  }
};

template <class Exec, class Tuning>
extent most_private_sums(place<Exec, backend, Tuning> const&, int words)
{
  return bin_tuning_for<Exec, Tuning>().table_bins / words;
}
template <class Program, class Where>
std::size_t bytes_of_sums(std::type_identity<Program>, Where const&, extent, extent)
{
  return 0;
}

template <class Exec, sum_program Program, class Tuning>
void queue(place<Exec, backend, Tuning> const& where, Program const& program)
{
  using shape    = sum_adding<Exec, Program, Tuning>;
  extent const n = program.size();
  if (n == 0) return;
  extent const wanted =
      std::min(div_up(n, shape::items * extent(shape::numbers.units) * shape::threads),
               teams_of_launch(where.space, shape::numbers.most_teams, shape::threads, shape::numbers.share));
  shape const s{program, shape::table_type::of(program.bins(), shape::numbers.table_bins,
                                               unsigned(shape::numbers.copies), false)};
  auto p = typename shape::policy(where.space, int(std::max<extent>(wanted, 1)), shape::threads);
  p.set_scratch_size(0, Kokkos::PerTeam(s.bytes_of_team() + 64));
  Kokkos::parallel_for(where.label, p, s);
}

}  // namespace onepass::ONEPASS_ABI::backends::kokkos
