// SPDX-License-Identifier: Apache-2.0
// Calls inside a user's kernel.
#include <onepass/team.hpp>

using policy = Kokkos::TeamPolicy<Kokkos::Cuda>;
using matrix = Kokkos::View<float**, Kokkos::LayoutRight, Kokkos::CudaSpace>;
using counts = Kokkos::View<int*, Kokkos::CudaSpace>;

void in_rows(Kokkos::Cuda const& exec, matrix in, matrix out, counts kept, int most)
{
  auto const bytes = std::max(onepass::team_scratch_bytes<float>(), onepass::team_sort_scratch_bytes<float, int>(most));
  auto p           = policy(exec, int(in.extent(0)), 128);
  Kokkos::parallel_for(
      "in_rows", p.set_scratch_size(0, Kokkos::PerTeam(bytes)), KOKKOS_LAMBDA(policy::member_type const& team) {
        auto const here = onepass::in_team(team, bytes);
        auto const from = Kokkos::subview(in, team.league_rank(), Kokkos::ALL);
        auto const to   = Kokkos::subview(out, team.league_rank(), Kokkos::ALL);
        float total;
        onepass::inclusive_scan(here, from, to, onepass::plus{}, 1.f, total);
        onepass::select_if(here, to, to, Kokkos::subview(kept, team.league_rank()),
                           [&](float x) { return x < total / 2; });
        onepass::radix_sort(here, from);
      });
}
