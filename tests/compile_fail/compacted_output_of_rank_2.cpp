// expect: onepass: a compacted output must be a View of rank 1
// SPDX-License-Identifier: Apache-2.0
#include <onepass/run_length.hpp>

void refused(Kokkos::View<int*> in, Kokkos::View<int*> symbols, Kokkos::View<int**> lengths, Kokkos::View<int> runs)
{
  onepass::run_length_encode(Kokkos::DefaultExecutionSpace{}, in, symbols, lengths, runs);
}
