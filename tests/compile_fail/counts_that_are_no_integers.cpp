// expect: onepass: counts, ids, columns and offsets must be integers
// SPDX-License-Identifier: Apache-2.0
#include <onepass/csr.hpp>

void refused(Kokkos::View<double*> counts, Kokkos::View<int*> offsets)
{
  onepass::counts_to_offsets(Kokkos::DefaultExecutionSpace{}, counts, offsets);
}
