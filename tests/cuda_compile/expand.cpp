// SPDX-License-Identifier: Apache-2.0
// The kernels of run-length decoding.
#include <onepass/expand.hpp>

using items  = Kokkos::View<std::uint32_t*, Kokkos::CudaSpace>;
using counts = Kokkos::View<onepass::extent, Kokkos::CudaSpace>;

void decode(Kokkos::Cuda const& exec, items symbols, items lengths, items out, counts total)
{
  onepass::run_length_decode(exec, symbols, lengths, out, total);
}
