// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "parts.hpp"

#include <onepass/team.hpp>

#include <numeric>

// A row for a kernel of the user's own, each of whose teams scans, selects and sorts a stretch of the items.
namespace tools {

template <class Exec, class T>
struct work_in_teams {
  using member                        = typename Kokkos::TeamPolicy<Exec>::member_type;
  static constexpr std::size_t length = 1500;

  static constexpr std::size_t bytes =
      std::max(onepass::team_scratch_bytes<T>(), onepass::team_sort_scratch_bytes<T>(length));

  Kokkos::View<T const*, Exec> in;
  Kokkos::View<T*, Exec> scanned, kept, sorted;
  keep_percent keep;

  KOKKOS_FUNCTION void operator()(member const& team) const
  {
    auto const here         = onepass::in_team(team, bytes);
    std::size_t const first = std::size_t(team.league_rank()) * length, n = in.extent(0);
    Kokkos::pair<std::size_t, std::size_t> const own(first, first + length < n ? first + length : n);
    auto const items = Kokkos::subview(in, own);
    T total{};
    int count = 0;
    onepass::exclusive_scan(here, items, Kokkos::subview(scanned, own), onepass::plus{}, T(1), total);
    onepass::select_if(here, items, Kokkos::subview(kept, own), count, keep);
    onepass::radix_sort(here, items, Kokkos::subview(sorted, own));
  }
};

template <class T>
void team_rows(session& s)
{
  auto const items            = s.items<T>();
  constexpr std::size_t piece = work_in_teams<Kokkos::DefaultHostExecutionSpace, T>::length;
  keep_percent const keep{50};
  std::vector<T> scanned(items.size()), kept(items.size(), poison<T>()), sorted = items;
  for (std::size_t first = 0; first < items.size(); first += piece) {
    std::size_t const last = std::min(first + piece, items.size());
    std::exclusive_scan(items.begin() + long(first), items.begin() + long(last), scanned.begin() + long(first), T(1));
    std::copy_if(items.begin() + long(first), items.begin() + long(last), kept.begin() + long(first), keep);
    std::sort(sorted.begin() + long(first), sorted.begin() + long(last));
  }
  auto const call = [=](auto const& place, auto const& in, auto const& sums, auto const& some, auto const& ordered,
                        auto const&) {
    using exec        = typename std::decay_t<decltype(place)>::execution_space;
    using kernel      = work_in_teams<exec, T>;
    int const threads = std::is_same_v<exec, Kokkos::DefaultHostExecutionSpace> ? 1 : 128;
    Kokkos::TeamPolicy<exec> policy(place.space, int(onepass::div_up(onepass::extent(in.extent(0)), piece)), threads);
    Kokkos::parallel_for("onepass check", policy.set_scratch_size(0, Kokkos::PerTeam(kernel::bytes)),
                         kernel{in, sums, some, ordered, keep});
  };
  rows_of(s, {"", "scan, select, sort", type_name<T>}, "in_team", inputs(items),
          parts(part(scanned, items), part(kept, items), part(sorted, items)), call, all_spaces);
}

}  // namespace tools
