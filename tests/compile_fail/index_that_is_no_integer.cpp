// expect: onepass: an index must be a View of rank 0, or a variable, of an integral type
// SPDX-License-Identifier: Apache-2.0
#include <onepass/minmax.hpp>

void refused(Kokkos::View<int*> in, Kokkos::View<double> index)
{
  onepass::min_element(Kokkos::DefaultExecutionSpace{}, in, index);
}
