// SPDX-License-Identifier: Apache-2.0
// The kernels of binary searches.
#include <onepass/search.hpp>

void search(Kokkos::Cuda const& exec, Kokkos::View<double const*, Kokkos::CudaSpace> sorted,
            Kokkos::View<double const*, Kokkos::CudaSpace> needles, Kokkos::View<int*, Kokkos::CudaSpace> positions)
{
  onepass::lower_bound(exec, sorted, needles, positions);
  onepass::upper_bound(exec, sorted, needles, positions);
}
