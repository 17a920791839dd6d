// SPDX-License-Identifier: Apache-2.0
// The kernels of binary searches.
#include <onepass/search.hpp>

/// An item that can be copied and not assigned.
struct fixed {
  int const k;
};
struct before {
  KOKKOS_FUNCTION bool operator()(fixed const& a, int b) const { return a.k < b; }
};
void search(Kokkos::Cuda const& exec, Kokkos::View<fixed const*, Kokkos::CudaSpace> sorted,
            Kokkos::View<int const*, Kokkos::CudaSpace> needles, Kokkos::View<int*, Kokkos::CudaSpace> positions)
{
  onepass::lower_bound(exec, sorted, needles, positions, before{});
}

void search(Kokkos::Cuda const& exec, Kokkos::View<double const*, Kokkos::CudaSpace> sorted,
            Kokkos::View<double const*, Kokkos::CudaSpace> needles, Kokkos::View<int*, Kokkos::CudaSpace> positions)
{
  onepass::lower_bound(exec, sorted, needles, positions);
  onepass::upper_bound(exec, sorted, needles, positions);
}
