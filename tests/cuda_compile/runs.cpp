// SPDX-License-Identifier: Apache-2.0
// The kernels over runs of the CUDA backend.
#include <onepass/reduce_by_key.hpp>
#include <onepass/run_length.hpp>
#include <onepass/scan_by_key.hpp>

using items  = Kokkos::View<std::uint32_t*, Kokkos::CudaSpace>;
using counts = Kokkos::View<onepass::extent, Kokkos::CudaSpace>;
using values = Kokkos::View<float*, Kokkos::CudaSpace>;

void runs(Kokkos::Cuda const& exec, items in, items out, items lengths, values of, values sums, counts count)
{
  onepass::run_length_encode(exec, in, out, lengths, count);
  onepass::reduce_by_key(exec, in, of, out, sums, count);
  onepass::inclusive_scan_by_key(exec, in, of, sums);
}
