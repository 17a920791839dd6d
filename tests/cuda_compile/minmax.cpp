// SPDX-License-Identifier: Apache-2.0
// The kernels that look for the smallest and the largest item.
#include <onepass/minmax.hpp>

template <class T>
void extremes(Kokkos::Cuda const& exec, Kokkos::View<T const*, Kokkos::CudaSpace> in,
              Kokkos::View<onepass::extent, Kokkos::CudaSpace> low,
              Kokkos::View<onepass::extent, Kokkos::CudaSpace> high)
{
  onepass::min_element(exec, in, low);
  onepass::minmax_element(exec, in, low, high);
}

template void extremes(Kokkos::Cuda const&, Kokkos::View<std::uint8_t const*, Kokkos::CudaSpace>,
                       Kokkos::View<onepass::extent, Kokkos::CudaSpace>,
                       Kokkos::View<onepass::extent, Kokkos::CudaSpace>);
template void extremes(Kokkos::Cuda const&, Kokkos::View<double const*, Kokkos::CudaSpace>,
                       Kokkos::View<onepass::extent, Kokkos::CudaSpace>,
                       Kokkos::View<onepass::extent, Kokkos::CudaSpace>);
