// SPDX-License-Identifier: Apache-2.0
// The kernels that sort segments, whose numbers travel as part of the keys.
#include <onepass/segmented_sort.hpp>

using keys = Kokkos::View<std::uint32_t*, Kokkos::CudaSpace>;

void sort(Kokkos::Cuda const& exec, keys in, keys out, Kokkos::View<onepass::extent*, Kokkos::CudaSpace> offsets)
{
  onepass::segmented_sort(exec, in, out, offsets);
}
