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

// Bools are items of a byte, and no flags.
using bools = Kokkos::View<bool*, Kokkos::CudaSpace>;

struct is_set {
  ONEPASS_FUNCTION bool operator()(bool x) const { return x; }
};

void selections_of_bools(Kokkos::Cuda const& exec, bools in, bools out, counts count)
{
  onepass::select_if(exec, in, out, count, is_set{});
  onepass::select_if(onepass::portably(exec), in, out, count, is_set{});
}
