// SPDX-License-Identifier: Apache-2.0
// The scans' kernels of the CUDA and the Kokkos backend, for the types whose speed is promised.
#include <onepass/scan.hpp>

template <class T>
void scans(Kokkos::Cuda const& exec, Kokkos::View<T const*, Kokkos::CudaSpace> in,
           Kokkos::View<T*, Kokkos::CudaSpace> out)
{
  onepass::exclusive_scan(exec, in, out);
  onepass::exclusive_scan(onepass::portably(exec), in, out);
}

template void scans(Kokkos::Cuda const&, Kokkos::View<std::uint8_t const*, Kokkos::CudaSpace>,
                    Kokkos::View<std::uint8_t*, Kokkos::CudaSpace>);
template void scans(Kokkos::Cuda const&, Kokkos::View<std::uint32_t const*, Kokkos::CudaSpace>,
                    Kokkos::View<std::uint32_t*, Kokkos::CudaSpace>);
template void scans(Kokkos::Cuda const&, Kokkos::View<double const*, Kokkos::CudaSpace>,
                    Kokkos::View<double*, Kokkos::CudaSpace>);
