// SPDX-License-Identifier: Apache-2.0
// The stages of the classic summed-area table.
#include <onepass/classic/images.hpp>

using Kokkos::CudaSpace, Kokkos::LayoutRight;

template void onepass::classic::summed_area_table(Kokkos::Cuda const&,
                                                  Kokkos::View<std::uint8_t***, LayoutRight, CudaSpace> const&,
                                                  Kokkos::View<std::uint32_t***, LayoutRight, CudaSpace> const&);
