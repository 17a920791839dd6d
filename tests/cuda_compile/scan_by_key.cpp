// SPDX-License-Identifier: Apache-2.0
// The kernels of scans that begin anew with every key.
#include <onepass/scan_by_key.hpp>

using items  = Kokkos::View<std::uint32_t*, Kokkos::CudaSpace>;
using values = Kokkos::View<float*, Kokkos::CudaSpace>;
using counts = Kokkos::View<onepass::extent, Kokkos::CudaSpace>;

void scans(Kokkos::Cuda const& exec, items keys, values of, values out)
{
  onepass::inclusive_scan_by_key(exec, keys, of, out);
}
