// SPDX-License-Identifier: Apache-2.0
// The tables' kernels of the CUDA and the Kokkos backend.
#include <onepass/summed_area_table.hpp>

template <class In, class Out>
void tables(Kokkos::Cuda const& exec, In const& in, Out const& out)
{
  onepass::summed_area_table(exec, in, out);
  onepass::summed_area_table(onepass::portably(exec), in, out);
}

using Kokkos::CudaSpace, Kokkos::LayoutRight;

template void tables(Kokkos::Cuda const&, Kokkos::View<std::uint8_t**, LayoutRight, CudaSpace> const&,
                     Kokkos::View<std::uint32_t**, LayoutRight, CudaSpace> const&);
template void tables(Kokkos::Cuda const&, Kokkos::View<std::uint8_t** [3], LayoutRight, CudaSpace> const&,
                     Kokkos::View<std::uint32_t** [3], LayoutRight, CudaSpace> const&);
template void tables(Kokkos::Cuda const&, Kokkos::View<float**, LayoutRight, CudaSpace> const&,
                     Kokkos::View<double**, LayoutRight, CudaSpace> const&);
