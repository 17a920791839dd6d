// expect: onepass: adjacent_difference takes and gives Views of rank 1
// SPDX-License-Identifier: Apache-2.0
#include <onepass/adjacent_difference.hpp>

void refused(Kokkos::View<int**> in, Kokkos::View<int*> out)
{
  onepass::adjacent_difference(Kokkos::DefaultExecutionSpace{}, in, out);
}
