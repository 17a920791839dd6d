// SPDX-License-Identifier: Apache-2.0
// Compaction's kernels of the CUDA backend.
#include <onepass/select.hpp>

using items  = Kokkos::View<std::uint32_t*, Kokkos::CudaSpace>;
using counts = Kokkos::View<onepass::extent, Kokkos::CudaSpace>;

struct below {
  std::uint32_t limit;
  ONEPASS_FUNCTION bool operator()(std::uint32_t x) const { return x < limit; }
};

void selections(Kokkos::Cuda const& exec, items in, items out, counts count)
{
  onepass::select_if(exec, in, out, count, below{7});
}
