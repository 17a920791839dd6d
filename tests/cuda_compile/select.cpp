// SPDX-License-Identifier: Apache-2.0
// Compaction's kernels of the CUDA backend.
#include <onepass/partition.hpp>
#include <onepass/select.hpp>
#include <onepass/unique.hpp>

using items  = Kokkos::View<std::uint32_t*, Kokkos::CudaSpace>;
using counts = Kokkos::View<onepass::extent, Kokkos::CudaSpace>;

struct below {
  std::uint32_t limit;
  ONEPASS_FUNCTION bool operator()(std::uint32_t x) const { return x < limit; }
};

struct third_of {
  ONEPASS_FUNCTION int operator()(std::uint32_t x) const { return int(x % 3); }
};

void selections(Kokkos::Cuda const& exec, items in, items out, items rest, counts count)
{
  onepass::select_if(exec, in, out, count, below{7});
  onepass::unique(exec, in, out, count);
  onepass::partition_if(exec, in, out, rest, count, below{7});
}

void parts(Kokkos::Cuda const& exec, items in, items a, items b, items c,
           Kokkos::View<onepass::extent*, Kokkos::CudaSpace> numbers)
{
  onepass::partition_three_way(exec, in, a, b, c, numbers, third_of{});
}
