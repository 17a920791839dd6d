// expect: onepass: the comparator must be callable with two items and give a bool
// SPDX-License-Identifier: Apache-2.0
#include <onepass/search.hpp>

void refused(Kokkos::View<int*> sorted, Kokkos::View<double*> needles, Kokkos::View<int*> positions)
{
  onepass::lower_bound(Kokkos::DefaultExecutionSpace{}, sorted, needles, positions);  // less compares two of one type
}
