// expect: onepass: apply_permutation takes Views of rank 1 to 3
// SPDX-License-Identifier: Apache-2.0
#include <onepass/apply_permutation.hpp>

void refused(Kokkos::View<int*> order, Kokkos::View<int****> view)
{
  onepass::apply_permutation(Kokkos::DefaultExecutionSpace{}, order, view);
}
