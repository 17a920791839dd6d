// SPDX-License-Identifier: Apache-2.0
// The stages of the classic summed-area table.
#include <onepass/classic/images.hpp>

using Kokkos::CudaSpace, Kokkos::LayoutRight;

void sums(Kokkos::Cuda const& exec, Kokkos::View<std::uint8_t***, LayoutRight, CudaSpace> const& image,
          Kokkos::View<std::uint32_t***, LayoutRight, CudaSpace> const& table)
{
  onepass::classic::summed_area_table(exec, image, table);
}
