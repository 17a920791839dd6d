// expect: onepass: an output must be a View of rank 1 (or 2, by rows)
// SPDX-License-Identifier: Apache-2.0
#include <onepass/scan.hpp>

void refused(Kokkos::View<int*> in, Kokkos::View<int> out)
{
  onepass::inclusive_scan(Kokkos::DefaultExecutionSpace{}, in, out);
}
