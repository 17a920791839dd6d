// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/backends/cuda/grids/tile.hpp>

namespace onepass::ONEPASS_ABI::backends::cuda {

/// Computes the sums of a strip, and publishes each as soon as it is known.
template <class Tile>
__device__ __forceinline__ void sum_rows(Tile const& t, int warp)
{
  using value = typename Tile::value;
  using lanes = typename Tile::lanes;
#pragma unroll
  for (int h = 0; h < Tile::rows; h += 32) {  // one row per lane; staggered to avoid bank conflicts
    using piece          = typename lanes::piece;
    constexpr int pieces = Tile::shape::strip_bytes / int(sizeof(piece));
    auto const* row      = reinterpret_cast<piece const*>(t.m.stage[warp][h + t.lane]);
    value across{};
#pragma unroll 8
    for (int i = 0; i < pieces; ++i) across = across + lanes::total(t.program, row[(i + t.lane) % pieces]);
    t.m.row_sums[warp][h + t.lane] = across;
  }
  squad_barrier<Tile::summing>(1);
  for (int r = int(threadIdx.x); r < Tile::rows; r += Tile::summing) {
    value across = t.m.row_sums[0][r];
#pragma unroll
    for (int w = 1; w < Tile::warps; ++w) across = across + t.m.row_sums[w][r];
    t.publish(t.tiles.row(t.at.index, r), tile_status::aggregate, across);
  }
  squad_barrier<Tile::summing>(1);        // racecheck does not treat bar.arrive as ordering
  squad_arrive<Tile::all_but_corner>(2);  // prefixes may be published in the same slots only after this
}

template <class Tile>
__device__ __forceinline__ void sum_columns(Tile const& t, int warp)
{
  using lanes = typename Tile::lanes;
  typename lanes::column_sums down;
#pragma unroll 8
  for (int r = 0; r < Tile::rows; ++r) down.add(t.program, t.pack(warp, r, t.lane));
#pragma unroll
  for (int j = 0; j < Tile::N; ++j) t.m.column_sums[warp * Tile::strip + t.lane * Tile::N + j] = down[j];
  __syncwarp();
#pragma unroll
  for (int j = 0; j < Tile::N; ++j) {
    int const x = warp * Tile::strip + j * 32 + t.lane;
    t.publish(t.tiles.column(t.at.index, x), tile_status::aggregate, t.m.column_sums[x]);
  }
}

}  // namespace onepass::ONEPASS_ABI::backends::cuda
