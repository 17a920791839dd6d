// expect: onepass: cells must be integers
// SPDX-License-Identifier: Apache-2.0
#include <onepass/sort_by_cell.hpp>

void refused(Kokkos::View<float*> cells, Kokkos::View<int*> offsets, Kokkos::View<int*> order)
{
  onepass::sort_by_cell(Kokkos::DefaultExecutionSpace{}, cells, offsets, order);
}
