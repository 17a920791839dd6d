// SPDX-License-Identifier: Apache-2.0
// The kernels of means over boxes: one radius for all pixels, a radius a pixel.
#include <onepass/box_filter.hpp>

using Kokkos::CudaSpace, Kokkos::LayoutRight;
using image = Kokkos::View<std::uint8_t** [3], LayoutRight, CudaSpace>;
using table = Kokkos::View<std::uint32_t** [3], LayoutRight, CudaSpace>;

void filters(Kokkos::Cuda const& exec, table const& sums, Kokkos::View<int**, LayoutRight, CudaSpace> const& radii,
             image const& out)
{
  onepass::box_filter(exec, sums, 7, out);
  onepass::variable_box_filter(exec, sums, radii, out);
}
