// SPDX-License-Identifier: Apache-2.0
// The kernels of sums of runs.
#include <onepass/reduce_by_key.hpp>

using items  = Kokkos::View<std::uint32_t*, Kokkos::CudaSpace>;
using values = Kokkos::View<float*, Kokkos::CudaSpace>;
using counts = Kokkos::View<onepass::extent, Kokkos::CudaSpace>;

void sums(Kokkos::Cuda const& exec, items keys, items keys_out, values of, values sums, counts runs)
{
  onepass::reduce_by_key(exec, keys, of, keys_out, sums, runs);
  onepass::reduce_by_key<onepass::run_key::last>(exec, keys, of, keys_out, sums, runs);
}
