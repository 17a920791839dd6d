// expect: onepass: a search takes and gives Views of rank 1
// SPDX-License-Identifier: Apache-2.0
#include <onepass/search.hpp>

void refused(Kokkos::View<int*> sorted, Kokkos::View<int**> needles, Kokkos::View<int*> positions)
{
  onepass::lower_bound(Kokkos::DefaultExecutionSpace{}, sorted, needles, positions);
}
