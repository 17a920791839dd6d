// SPDX-License-Identifier: Apache-2.0
// The kernels over segments: offsets become heads, then scans and sums.
#include <onepass/segmented.hpp>

using items = Kokkos::View<std::uint32_t*, Kokkos::CudaSpace>;
using sums  = Kokkos::View<double*, Kokkos::CudaSpace>;

void segments(Kokkos::Cuda const& exec, items in, items offsets, items totals, items out)
{
  onepass::segmented_reduce(exec, in, offsets, totals);
  onepass::inclusive_segmented_scan(exec, in, offsets, out);
}

void rows(Kokkos::Cuda const& exec, Kokkos::View<double**, Kokkos::LayoutRight, Kokkos::CudaSpace> in, sums totals)
{
  onepass::reduce_rows(exec, in, totals);
}
