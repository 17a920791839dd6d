// SPDX-License-Identifier: Apache-2.0
// The kernels of partitions of the CUDA backend, into two columns and three.
#include <onepass/partition.hpp>

using items  = Kokkos::View<std::uint32_t*, Kokkos::CudaSpace>;
using counts = Kokkos::View<onepass::extent, Kokkos::CudaSpace>;

struct below {
  std::uint32_t limit;
  ONEPASS_FUNCTION bool operator()(std::uint32_t x) const { return x < limit; }
};

struct third_of {
  ONEPASS_FUNCTION int operator()(std::uint32_t x) const { return int(x % 3); }
};

void parts(Kokkos::Cuda const& exec, items in, items out, items rest, counts count)
{
  onepass::partition_if(exec, in, out, rest, count, below{7});
}

void parts(Kokkos::Cuda const& exec, items in, items a, items b, items c,
           Kokkos::View<onepass::extent*, Kokkos::CudaSpace> numbers)
{
  onepass::partition_three_way(exec, in, a, b, c, numbers, third_of{});
}
