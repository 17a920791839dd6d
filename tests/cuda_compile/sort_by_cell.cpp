// SPDX-License-Identifier: Apache-2.0
// The kernels that order items by their cells.
#include <onepass/sort_by_cell.hpp>

void order(Kokkos::Cuda const& exec, Kokkos::View<int const*, Kokkos::CudaSpace> cells,
           Kokkos::View<int*, Kokkos::CudaSpace> offsets, Kokkos::View<std::uint32_t*, Kokkos::CudaSpace> permutation)
{
  onepass::sort_by_cell(exec, cells, offsets, permutation);
}
