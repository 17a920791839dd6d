// expect: onepass: a merge takes and gives Views of rank 1
// SPDX-License-Identifier: Apache-2.0
#include <onepass/merge.hpp>

void refused(Kokkos::View<int**> a, Kokkos::View<int*> b, Kokkos::View<int*> out)
{
  onepass::merge(Kokkos::DefaultExecutionSpace{}, a, b, out);
}
