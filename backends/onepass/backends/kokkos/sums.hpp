// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/backends/kokkos/bins.hpp>
#include <onepass/backends/stretches.hpp>
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
    if (program.is_idle()) return;
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

/// The same of parts: each team has a stretch of the items.
template <class Exec, class Program, class Tuning>
struct part_adding {
  static constexpr bin_tuning numbers = bin_tuning_for<Exec, Tuning>();
  static constexpr int threads        = numbers.threads;

  using policy = Kokkos::TeamPolicy<Exec, Kokkos::LaunchBounds<threads, numbers.min_teams>>;

  part_sums<Program> parts;

  ONEPASS_FUNCTION std::size_t bytes_of_team() const { return bytes_of_counters(parts.held()); }

  template <class Member>
  ONEPASS_FUNCTION void operator()(Member const& member) const
  {
    auto* const memory = static_cast<std::uint32_t*>(member.team_scratch(0).get_shmem_aligned(bytes_of_team(), 16));
    parts.add(sum_team<Member, threads>{{member}}, extent(member.league_rank()), memory);
  }
};

template <class Exec, class Tuning>
extent most_private_sums(place<Exec, backend, Tuning> const&, int words)
{
  return bin_tuning_for<Exec, Tuning>().table_bins / words;
}
template <class Exec, class Tuning>
extent most_bins_of_part(place<Exec, backend, Tuning> const& where, int words)
{
  return most_private_sums(where, words);
}
template <class Program, class Where>
std::size_t bytes_of_sums(std::type_identity<Program>, Where const&, extent, extent)
{
  return 0;
}

/// As many teams as are wanted and fit.
template <class Exec, class Program, class Tuning>
extent teams_that_add(place<Exec, backend, Tuning> const& where, Program const& program)
{
  constexpr auto numbers = bin_tuning_for<Exec, Tuning>();
  extent const each      = sum_unit<Program>::items * extent(numbers.units) * numbers.threads;
  return std::max<extent>(1, std::min(div_up(program.size(), each), teams_of_launch(where.space, numbers.most_teams,
                                                                                    numbers.threads, numbers.share)));
}
template <class Exec, class Tuning, class Adding>
void queue_teams(place<Exec, backend, Tuning> const& where, extent teams, Adding const& adding)
{
  launch_teams<typename Adding::policy>(where.label, where.space, teams, Adding::threads, adding.bytes_of_team() + 64,
                                        adding);
}

template <class Exec, sum_program Program, class Tuning>
void queue_program(place<Exec, backend, Tuning> const& where, Program const& program)
{
  using shape             = sum_adding<Exec, Program, Tuning>;
  constexpr auto& numbers = shape::numbers;
  if (program.size() == 0) return;
  auto const table = shape::table_type::of(program.bins(), numbers.table_bins, unsigned(numbers.copies));
  queue_teams(where, teams_that_add(where, program), shape{program, table});
}
template <class Exec, parted_sum_program Program, class Tuning>
void queue_program(place<Exec, backend, Tuning> const& where, Program const& program)
{
  using shape             = part_adding<Exec, Program, Tuning>;
  constexpr auto& numbers = shape::numbers;
  if (program.size() == 0) return;
  add_stretches(where, program, teams_that_add(where, program), shape::threads, [&](auto const& all) {
    auto const parts = part_sums<Program>::of(all, numbers.table_bins, unsigned(numbers.copies));
    queue_teams(where, all.number(), shape{parts});
  });
}

}  // namespace onepass::ONEPASS_ABI::backends::kokkos
