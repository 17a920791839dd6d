// SPDX-License-Identifier: Apache-2.0
// Huffman coding's kernels of the CUDA and the Kokkos backend, for bf16.
#include <onepass/huffman/batch.hpp>
#include <onepass/huffman/huffman.hpp>

using items  = Kokkos::View<std::uint16_t*, Kokkos::CudaSpace>;
using counts = Kokkos::View<std::uint64_t*, Kokkos::CudaSpace>;

void huffman(Kokkos::Cuda const& exec, items in, items out, counts found)
{
  using onepass::split::bf16;
  onepass::huffman::count<bf16>(exec, in, found);
  onepass::huffman::tables<Kokkos::Cuda> const book(exec);
  onepass::huffman::build(exec, found, book);
  auto const coded = onepass::huffman::make_coded<bf16>(exec, onepass::extent(in.extent(0)), 128);
  onepass::huffman::encode<bf16>(exec, book, in, coded);
  onepass::huffman::build(onepass::portably(exec), found, book);
  onepass::huffman::encode<bf16>(onepass::portably(exec), book, in, coded);
  onepass::huffman::decode<bf16>(exec, book, coded, out);
  onepass::huffman::decode<bf16>(onepass::portably(exec), book, coded, out);
}
