// expect: onepass: counts of which a codebook is made must be contiguous
// SPDX-License-Identifier: Apache-2.0
#include <onepass/huffman/huffman.hpp>

using device = Kokkos::DefaultExecutionSpace;

void refused(Kokkos::View<std::uint64_t*, Kokkos::LayoutStride> counts, onepass::huffman::tables<device> const& book)
{
  onepass::huffman::build(device{}, counts, book);
}
