// SPDX-License-Identifier: Apache-2.0
// The kernels of classic compaction and run-length encoding.
#include <onepass/classic/compaction.hpp>

using items  = Kokkos::View<std::uint32_t*, Kokkos::CudaSpace>;
using counts = Kokkos::View<onepass::extent, Kokkos::CudaSpace>;

struct below {
  std::uint32_t limit;
  ONEPASS_FUNCTION bool operator()(std::uint32_t x) const { return x < limit; }
};

void compact(Kokkos::Cuda const& exec, items in, items out, counts count)
{
  onepass::classic::compact_by_blocks(exec, in, out, count, below{7});
  onepass::classic::compact_by_scatter(exec, in, out, count, below{7});
  onepass::classic::compact_by_gather(exec, in, out, count, below{7});
}

void encode(Kokkos::Cuda const& exec, items in, items symbols, items lengths, counts runs)
{
  onepass::classic::encode_by_four_kernels(exec, in, symbols, lengths, runs);
  onepass::classic::encode_by_blocks(exec, in, symbols, lengths, runs);
}
