// SPDX-License-Identifier: Apache-2.0
// The sorts' kernels of the CUDA backend; many keys of 16 bits are counted.
#include <onepass/radix_sort.hpp>

using keys_32 = Kokkos::View<std::uint32_t*, Kokkos::CudaSpace>;
using keys_64 = Kokkos::View<std::uint64_t*, Kokkos::CudaSpace>;

void sorts(Kokkos::Cuda const& exec, keys_32 in, keys_32 out, keys_64 wide, keys_32 values, keys_64 more)
{
  onepass::radix_sort(exec, in, out);
  onepass::radix_sort(exec, wide);
  onepass::radix_sort_by_key(exec, wide, values);
  onepass::radix_sort_by_key(exec, wide, more);
  onepass::radix_sort_by_key(exec, out, values);
}

void few(Kokkos::Cuda const& exec, Kokkos::View<std::uint16_t*, Kokkos::CudaSpace> keys)
{
  onepass::radix_sort(exec, keys);
}
