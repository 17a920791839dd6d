// expect: onepass: the lengths of runs must be integers
// SPDX-License-Identifier: Apache-2.0
#include <onepass/run_length.hpp>

void refused(Kokkos::View<int*> symbols, Kokkos::View<float*> lengths, Kokkos::View<int*> out, Kokkos::View<int> total)
{
  onepass::run_length_decode(Kokkos::DefaultExecutionSpace{}, symbols, lengths, out, total);
}
