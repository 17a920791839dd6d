// expect: onepass: the counts of a histogram must not have the Atomic memory trait
// SPDX-License-Identifier: Apache-2.0
#include <onepass/histogram.hpp>

void refused(Kokkos::View<int*> in, Kokkos::View<int*, Kokkos::MemoryTraits<Kokkos::Atomic>> out)
{
  onepass::histogram(Kokkos::DefaultExecutionSpace{}, in, out, onepass::unchanged{});
}
