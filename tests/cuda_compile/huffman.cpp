// SPDX-License-Identifier: Apache-2.0
// Huffman coding's kernels of the CUDA and the Kokkos backend, for bf16, and a kernel of the user's that decodes.
#include <onepass/huffman/batch.hpp>
#include <onepass/huffman/tile.hpp>

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
  onepass::huffman::decode<bf16>(exec, book, coded, out);
  onepass::huffman::decode<bf16>(onepass::portably(exec), book, coded, out);
  onepass::huffman::decode(exec, onepass::huffman::batch<bf16, Kokkos::Cuda>(exec, {{book, coded, out}}));
}

/// A warp a tile, the table where it lies.
__global__ void largest(onepass::huffman::tile_decoder<onepass::split::bf16> coded, int* found)
{
  auto const tile = onepass::extent(blockIdx.x);
  int most        = 0;
  coded.decode_tile(tile, int(threadIdx.x), coded.table(),
                    [&](onepass::extent, std::uint16_t bits) { most = max(most, int(bits & 0x7fffu)); });
  atomicMax(found, most);
}
