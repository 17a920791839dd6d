// expect: onepass: a device-resident size must be a View of rank 0 of onepass::extent
// SPDX-License-Identifier: Apache-2.0
#include <onepass/unique.hpp>

void refused(Kokkos::View<int*> in, Kokkos::View<int> count, Kokkos::View<int*> out)
{
  onepass::unique(Kokkos::DefaultExecutionSpace{}, onepass::first(in, count), out, count);
}
