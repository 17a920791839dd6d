// SPDX-License-Identifier: Apache-2.0
// The kernels of sorts and histograms on the CUDA backend.
#include <onepass/histogram.hpp>
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

void counts(Kokkos::Cuda const& exec, Kokkos::View<std::uint16_t*, Kokkos::CudaSpace> keys,
            Kokkos::View<float*, Kokkos::CudaSpace> items, keys_32 bins)
{
  onepass::radix_sort(exec, keys);
  onepass::histogram_even(exec, items, bins, 0.f, 1.f);
}
