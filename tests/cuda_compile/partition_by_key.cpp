// SPDX-License-Identifier: Apache-2.0
// The kernels that count parts and move items into them.
#include <onepass/partition_by_key.hpp>

struct lowest_byte {
  ONEPASS_FUNCTION int operator()(std::uint32_t x) const { return int(x & 0xffu); }
};

void parts(Kokkos::Cuda const& exec, Kokkos::View<std::uint32_t*, Kokkos::CudaSpace> in,
           Kokkos::View<std::uint32_t*, Kokkos::CudaSpace> out,
           Kokkos::View<onepass::extent*, Kokkos::CudaSpace> counts)
{
  onepass::partition_by_key(exec, in, out, counts, lowest_byte{});
}
