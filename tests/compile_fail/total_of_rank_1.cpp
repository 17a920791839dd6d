// expect: onepass: a single value must be a View of rank 0
// SPDX-License-Identifier: Apache-2.0
#include <onepass/reduce.hpp>

void refused(Kokkos::View<int*> in, Kokkos::View<int*> total)
{
  onepass::reduce(Kokkos::DefaultExecutionSpace{}, in, total);
}
