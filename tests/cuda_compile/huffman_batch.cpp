// SPDX-License-Identifier: Apache-2.0
// The kernel that decodes many tensors at once.
#include <onepass/huffman/batch.hpp>

using onepass::split::bf16;

void decode(Kokkos::Cuda const& exec, onepass::huffman::tables<Kokkos::Cuda> const& book,
            onepass::huffman::coded<Kokkos::Cuda> const& coded, Kokkos::View<std::uint16_t*, Kokkos::CudaSpace> out)
{
  onepass::huffman::decode(exec, onepass::huffman::batch<bf16, Kokkos::Cuda>(exec, {{book, coded, out}}));
}
