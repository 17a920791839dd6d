// expect: onepass: what is merged must be of one type
// SPDX-License-Identifier: Apache-2.0
#include <onepass/merge.hpp>

void refused(Kokkos::View<int*> a, Kokkos::View<long*> b, Kokkos::View<long*> out)
{
  onepass::merge(Kokkos::DefaultExecutionSpace{}, a, b, out);
}
