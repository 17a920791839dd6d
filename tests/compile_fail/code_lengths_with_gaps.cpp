// expect: onepass: counts and code lengths must be contiguous
// SPDX-License-Identifier: Apache-2.0
#include <onepass/huffman/huffman.hpp>

void refused(Kokkos::View<std::uint64_t*> counts, Kokkos::View<std::uint8_t*, Kokkos::LayoutStride> lengths)
{
  onepass::huffman::find_lengths(Kokkos::DefaultExecutionSpace{}, counts, lengths);
}
