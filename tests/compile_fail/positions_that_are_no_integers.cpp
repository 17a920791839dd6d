// expect: onepass: positions must be integers
// SPDX-License-Identifier: Apache-2.0
#include <onepass/search.hpp>

void refused(Kokkos::View<int*> sorted, Kokkos::View<int*> needles, Kokkos::View<float*> positions)
{
  onepass::upper_bound(Kokkos::DefaultExecutionSpace{}, sorted, needles, positions);
}
