// expect: onepass: inside of a kernel scan_each(in_team(team, bytes), ...) of onepass/team.hpp scans
// SPDX-License-Identifier: Apache-2.0
#include <onepass/parallel_scan.hpp>

struct body {
  Kokkos::View<int*> out;

  KOKKOS_FUNCTION void operator()(Kokkos::TeamPolicy<>::member_type const& team) const
  {
    onepass::parallel_scan(Kokkos::TeamThreadRange(team, 100), [&](int i, int& update, bool is_final) {
      if (is_final) out(i) = update;
      ++update;
    });
  }
};

void refused(Kokkos::View<int*> out) { Kokkos::parallel_for(Kokkos::TeamPolicy<>(1, 1), body{out}); }
