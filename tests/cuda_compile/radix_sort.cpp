// SPDX-License-Identifier: Apache-2.0
// The kernels of sorts on the CUDA backend.
#include <onepass/radix_sort.hpp>

using keys_32  = Kokkos::View<std::uint32_t*, Kokkos::CudaSpace>;
using keys_64  = Kokkos::View<std::uint64_t*, Kokkos::CudaSpace>;

void sorts(Kokkos::Cuda const& exec, keys_32 in, keys_32 out, keys_64 wide, keys_32 values)
{
  onepass::radix_sort(exec, in, out);
  onepass::radix_sort(exec, wide);
  onepass::radix_sort_by_key(exec, wide, values);
}
