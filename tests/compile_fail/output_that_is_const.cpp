// expect: onepass: an output must not be const
// SPDX-License-Identifier: Apache-2.0
#include <onepass/scan.hpp>

void refused(Kokkos::View<int*> in, Kokkos::View<int const*> out)
{
  onepass::exclusive_scan(Kokkos::DefaultExecutionSpace{}, in, out);
}
