// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/backends/kokkos/launch.hpp>
#include <onepass/backends/kokkos/tuning.hpp>
#include <onepass/engine/bins.hpp>
#include <onepass/execution/place.hpp>

#include <algorithm>

namespace onepass::ONEPASS_ABI::backends::kokkos {

/// A Kokkos team as the one that counts (engine/bins.hpp).
template <class Member, int Threads>
struct bin_team {
  static constexpr int threads = Threads;
  Member const& member;
  ONEPASS_FUNCTION int rank() const { return threads == 1 ? 0 : member.team_rank(); }
  ONEPASS_FUNCTION void barrier() const
  {
    if constexpr (threads > 1) member.team_barrier();
  }
};

/// Each team counts its part of the items in a table in its memory and adds it to the counts. On devices teams take
/// units in turn, on hosts each has a stretch of its own.
template <class Exec, class Program, class Tuning>
struct bin_counting {
  static constexpr bin_tuning numbers = bin_tuning_for<Exec, Tuning>();
  static constexpr int threads        = numbers.threads;

  using table_type = bin_table<Program>;
  using cache_type = bin_cache<int(std::bit_floor(unsigned(numbers.table_bins)))>;

  static constexpr extent most_counters = numbers.table_bins;
  static_assert(!table_type::by_value || table_type::values <= most_counters);

  struct clear {};
  struct count {};

  using policy = Kokkos::TeamPolicy<Exec, count, Kokkos::LaunchBounds<threads, numbers.min_teams>>;

  bin_items<Program> items;
  table_type table;  ///< of all bins; has no counters if there are too many

  ONEPASS_FUNCTION std::size_t bytes_of_team() const
  {
    return bytes_of_counters(table.counters > 0 ? table.held() : cache_type::slots);
  }

  ONEPASS_FUNCTION void operator()(clear, extent b) const { items.program.counts()(b) = 0; }

  // Not a choice between two expressions: CUDA 13.0's cudafe++ crashes at that.
  ONEPASS_FUNCTION unit_range units_of(extent team, extent teams, extent rank) const
  {
    if constexpr (on_host<Exec>) return {items.units * team / teams, items.units * (team + 1) / teams, 1};
    else return {team * threads + rank, items.units, teams * threads};
  }

  template <class Member>
  ONEPASS_FUNCTION void operator()(count, Member const& member) const
  {
    bin_team<Member, threads> const team{member};
    auto* const memory = static_cast<std::uint32_t*>(member.team_scratch(0).get_shmem_aligned(bytes_of_team(), 16));
    extent const mine = member.league_rank(), teams = member.league_size();
    bin_share const share{units_of(mine, teams, team.rank()), mine == 0};
    if (table_type::by_value || table.counters > 0)
      table.template count<numbers.reads>(team, items, share, memory, false);
    else cache_type::template count<numbers.reads>(team, items, share, memory);
  }
};

template <class Exec, class Tuning>
extent most_private_bins(place<Exec, backend, Tuning> const&)
{
  return bin_tuning_for<Exec, Tuning>().table_bins;
}
template <class Where>
std::size_t bytes_of_bins(Where const&, extent, extent)
{
  return 0;
}

template <class Exec, bin_program Program, class Tuning>
void queue_program(place<Exec, backend, Tuning> const& where, Program const& program, item_count count)
{
  using shape         = bin_counting<Exec, Program, Tuning>;
  constexpr auto most = shape::most_counters;
  extent const n = count(), bins = program.bins();
  extent const counters = shape::table_type::by_value ? shape::table_type::values : bins;
  bool const fits       = counters <= most;
  auto const copies     = shape::table_type::copies_of(counters, most, unsigned(shape::numbers.copies));
  shape const s{{program, n}, {0, fits ? unsigned(counters) : 0, copies}};
  Kokkos::parallel_for(
      where.label + " (clear)",
      Kokkos::RangePolicy<Exec, typename shape::clear, Kokkos::IndexType<extent>>(where.space, 0, bins), s);

  extent const wanted =
      std::min(div_up(s.items.units, extent(shape::numbers.units) * shape::threads),
               teams_of_launch(where.space, shape::numbers.most_teams, shape::threads, shape::numbers.share));
  extent const least = div_up(n, fits ? extent(1) << 31 : shape::cache_type::most_of_team);
  launch_teams<typename shape::policy>(where.label, where.space, std::max({wanted, least, extent(1)}), shape::threads,
                                       s.bytes_of_team() + 64, s);
}

}  // namespace onepass::ONEPASS_ABI::backends::kokkos
