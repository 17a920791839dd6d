// SPDX-License-Identifier: Apache-2.0
// A kernel of the user's that decodes.
#include <onepass/huffman/tile.hpp>

/// A warp a tile, the table where it lies.
__global__ void largest(onepass::huffman::tile_decoder<onepass::split::bf16> coded, int* found)
{
  auto const tile = onepass::extent(blockIdx.x);
  int most        = 0;
  coded.decode_tile(tile, int(threadIdx.x), coded.table(),
                    [&](onepass::extent, std::uint16_t bits) { most = max(most, int(bits & 0x7fffu)); });
  atomicMax(found, most);
}
