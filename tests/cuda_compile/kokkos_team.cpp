// SPDX-License-Identifier: Apache-2.0
// A team kernel of plain Kokkos: where this one fails to compile, the check itself is at fault and not onepass.
#include <Kokkos_Core.hpp>

void sum_rows(Kokkos::Cuda const& exec, Kokkos::View<double const**, Kokkos::CudaSpace> in,
              Kokkos::View<double*, Kokkos::CudaSpace> sums)
{
  using policy       = Kokkos::TeamPolicy<Kokkos::Cuda>;
  auto const rows    = static_cast<int>(in.extent(0));
  auto const columns = in.extent(1);
  Kokkos::parallel_for(
      "sum_rows", policy(exec, rows, 256), KOKKOS_LAMBDA(policy::member_type const& team) {
        auto const row = team.league_rank();
        double sum     = 0;
        Kokkos::parallel_reduce(
            Kokkos::TeamThreadRange(team, columns), [&](std::size_t i, double& partial) { partial += in(row, i); },
            sum);
        Kokkos::single(Kokkos::PerTeam(team), [&] { Kokkos::atomic_store(&sums(row), sum); });
      });
}
