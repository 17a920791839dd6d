// expect: onepass: the total must be a View of rank 0, or a variable, of the accumulator's type
// SPDX-License-Identifier: Apache-2.0
#include <onepass/scan.hpp>

void refused(Kokkos::View<int*> in, Kokkos::View<int*> out, Kokkos::View<long> total)
{
  onepass::exclusive_scan(Kokkos::DefaultExecutionSpace{}, in, out, onepass::plus{}, 0, total);
}
