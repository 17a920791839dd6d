// expect: onepass: the offsets of segments must be integers
// SPDX-License-Identifier: Apache-2.0
#include <onepass/segmented.hpp>

void refused(Kokkos::View<int*> in, Kokkos::View<float*> offsets, Kokkos::View<int*> out)
{
  onepass::inclusive_segmented_scan(Kokkos::DefaultExecutionSpace{}, in, offsets, out);
}
