// expect: onepass: a team takes Views of rank 1
// SPDX-License-Identifier: Apache-2.0
#include <onepass/team.hpp>

void refused(Kokkos::TeamPolicy<>::member_type const& team, Kokkos::View<int**> matrix)
{
  onepass::inclusive_scan(onepass::in_team(team, 8192), matrix, matrix);
}
