// SPDX-License-Identifier: Apache-2.0
// A kernel with a team for each row, which scans it by a call of onepass, or by Kokkos' nested scan.
#include "problem.hpp"
#include "race.hpp"

#include <onepass/team.hpp>

namespace perf {

namespace {

using policy = Kokkos::TeamPolicy<space>;
using member = policy::member_type;

template <class T>
struct by_onepass {
  static constexpr std::size_t bytes = onepass::team_scratch_bytes<T>();
  row_view<T const> in;
  row_view<T> out;
  KOKKOS_FUNCTION void operator()(member const& team) const
  {
    auto const row = team.league_rank();
    onepass::inclusive_scan(onepass::in_team(team, bytes), Kokkos::subview(in, row, Kokkos::ALL),
                            Kokkos::subview(out, row, Kokkos::ALL));
  }
};

template <class T>
struct by_kokkos {
  static constexpr std::size_t bytes = 0;
  row_view<T const> in;
  row_view<T> out;
  KOKKOS_FUNCTION void operator()(member const& team) const
  {
    auto const row = team.league_rank();
    Kokkos::parallel_scan(Kokkos::TeamThreadRange(team, in.extent(1)), [&](std::size_t i, T& sum, bool known) {
      sum += in(row, i);
      if (known) out(row, i) = sum;
    });
  }
};

template <template <class> class Kernel>
call enter_teams(race const& r)
{
  return with_type(item_types{}, r.type, [&](auto zero) -> call {
    using T = decltype(zero);
    rows_of_race const all(r);
    if (!all.whole(r)) return {};
    int const threads = on_host ? 1 : all.length < 1024 ? 32 : 128;
    Kernel<T> const kernel{rows_in<T>(r), rows_out<T>(r)};
    policy teams(space(), int(all.number), threads);
    teams.set_scratch_size(0, Kokkos::PerTeam(Kernel<T>::bytes));
    return [=] { Kokkos::parallel_for("rows by teams", teams, kernel); };
  });
}

entry const in_team{"onepass.in_team", enter_teams<by_onepass>};
entry const nested{"kokkos.team_scan", enter_teams<by_kokkos>};

}  // namespace

}  // namespace perf
