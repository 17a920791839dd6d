// expect: onepass: an output must not have the Atomic memory trait
// SPDX-License-Identifier: Apache-2.0
#include <onepass/scan.hpp>

void refused(Kokkos::View<int*> in, Kokkos::View<int*, Kokkos::MemoryTraits<Kokkos::Atomic>> out)
{
  onepass::exclusive_scan(Kokkos::DefaultExecutionSpace{}, in, out);
}
