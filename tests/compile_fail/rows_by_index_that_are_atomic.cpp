// expect: onepass: what has indices must not have the Atomic memory trait
// SPDX-License-Identifier: Apache-2.0
#include <onepass/scatter.hpp>

void refused(Kokkos::View<int*> in, Kokkos::View<int*, Kokkos::MemoryTraits<Kokkos::Atomic>> out)
{
  onepass::scatter(Kokkos::DefaultExecutionSpace{}, in, in, out);
}
