// expect: onepass: scatter_add() of floats needs IEEE 754 arithmetic
// compiled with: -ffast-math
// SPDX-License-Identifier: Apache-2.0
#include <onepass/scatter.hpp>

void refused(Kokkos::View<float*> values, Kokkos::View<int*> indices, Kokkos::View<float*> out)
{
  onepass::scatter_add(Kokkos::DefaultExecutionSpace{}, values, indices, out);
}
