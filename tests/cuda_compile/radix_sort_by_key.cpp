// SPDX-License-Identifier: Apache-2.0
// Values of more than 8 bytes: their places are sorted, and they are gathered.
#include <onepass/radix_sort.hpp>

struct record {
  float x, y, z;
};

void wide(Kokkos::Cuda const& exec, Kokkos::View<std::uint32_t*, Kokkos::CudaSpace> keys,
          Kokkos::View<record*, Kokkos::CudaSpace> values)
{
  onepass::radix_sort_by_key(exec, keys, values);
}
