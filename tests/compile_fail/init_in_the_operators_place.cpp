// expect: onepass: an init stands in the operator's place
// SPDX-License-Identifier: Apache-2.0
#include <onepass/scan.hpp>

void refused(Kokkos::View<int*> in, Kokkos::View<int*> out)
{
  onepass::exclusive_scan(Kokkos::DefaultExecutionSpace{}, in, out, 0);
}
