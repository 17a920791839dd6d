// SPDX-License-Identifier: Apache-2.0
// The kernels of adjacent differences.
#include <onepass/adjacent_difference.hpp>

template <class T>
void differences(Kokkos::Cuda const& exec, Kokkos::View<T const*, Kokkos::CudaSpace> in,
                 Kokkos::View<T*, Kokkos::CudaSpace> out)
{
  onepass::adjacent_difference(exec, in, out);
}

template void differences(Kokkos::Cuda const&, Kokkos::View<std::uint8_t const*, Kokkos::CudaSpace>,
                          Kokkos::View<std::uint8_t*, Kokkos::CudaSpace>);
template void differences(Kokkos::Cuda const&, Kokkos::View<std::uint32_t const*, Kokkos::CudaSpace>,
                          Kokkos::View<std::uint32_t*, Kokkos::CudaSpace>);
template void differences(Kokkos::Cuda const&, Kokkos::View<double const*, Kokkos::CudaSpace>,
                          Kokkos::View<double*, Kokkos::CudaSpace>);
