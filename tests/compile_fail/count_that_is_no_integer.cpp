// expect: onepass: a count must be a View of rank 0, or a variable, of an integral type
// SPDX-License-Identifier: Apache-2.0
#include <onepass/unique.hpp>

void refused(Kokkos::View<int*> in, Kokkos::View<int*> out, Kokkos::View<double> count)
{
  onepass::unique(Kokkos::DefaultExecutionSpace{}, in, out, count);
}
