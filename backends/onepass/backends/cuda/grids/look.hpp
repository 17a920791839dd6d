// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/backends/cuda/grids/tile.hpp>

namespace onepass::ONEPASS_ABI::backends::cuda {

/// The number of slots that are read at a time: few, since slots beyond the first prefix are read in vain
/// (docs/decisions/0012-grid-programs.md).
template <class Tile, int Chains>
constexpr int grid_window = std::max(1, 4 / (Chains * Tile::shape::words));

template <class Tile>
__device__ __forceinline__ void look_up(Tile const& t, int warp)
{
  using value       = typename Tile::value;
  int const x       = warp * Tile::strip + t.lane;
  extent const slot = t.tiles.column(t.at.index, x);
  value v[Tile::N], all{};
  if (t.way.late) squad_barrier<Tile::all_but_corner>(2);
  else squad_arrive<Tile::all_but_corner>(2);
  sum_back<grid_window<Tile, Tile::N>>(t.board, t.epoch, slot, 32, t.tiles.step_of_columns(), t.at.band, v);
#pragma unroll
  for (int j = 0; j < Tile::N; ++j) {
    t.m.above[x + j * 32] = v[j];
    all                   = all + v[j];
    if (t.at.band > 0) t.publish(slot + j * 32, tile_status::inclusive_prefix, v[j] + t.m.column_sums[x + j * 32]);
  }
  all = warp_reduce(typename Tile::sum{}, all, t.lane);
  if (t.lane == 0) t.m.above_strip[warp] = all;
}

template <class Tile>
__device__ __forceinline__ void look_left(Tile const& t)
{
  using value       = typename Tile::value;
  constexpr int K   = Tile::rows / 32;
  extent const slot = t.tiles.row(t.at.index, t.lane);
  value v[K], all{};
  sum_back<grid_window<Tile, K>>(t.board, t.epoch, slot, 32, t.tiles.step_of_rows(), t.at.strip, v);
#pragma unroll
  for (int k = 0; k < K; ++k) all = all + v[k];
  all = warp_reduce(typename Tile::sum{}, all, t.lane);
  if (t.lane == 0) {
    t.m.left_of_tile = all;
    t.publish(t.tiles.corner(t.at.index), tile_status::aggregate, all);
  }
  squad_barrier<Tile::all_but_corner>(2);
#pragma unroll
  for (int k = 0; k < K; ++k) {
    int const r = k * 32 + t.lane;
#pragma unroll
    for (int w = 0; w < Tile::warps; ++w) {
      t.m.left[w][r] = v[k];
      v[k]           = v[k] + t.m.row_sums[w][r];
    }
    if (t.at.strip > 0) t.publish(slot + k * 32, tile_status::inclusive_prefix, v[k]);
  }
}

/// Reads the corners of 32 bands at a time, one in each lane, back to the first that holds a prefix.
template <class Tile>
__device__ __forceinline__ void look_at_corner(Tile const& t)
{
  using value = typename Tile::value;
  value corner{};
  for (extent bands = t.at.band; bands > 0; bands -= 32) {
    value x{};
    bool last = t.lane >= bands;
    if (!last) {
      auto const seen = t.board.template wait<value>(
          t.tiles.corner(t.at.index) - (t.at.band - bands + 1 + t.lane) * t.tiles.step_of_corners(), t.epoch);
      x    = seen.value();
      last = seen.status(t.epoch) == tile_status::inclusive_prefix;
    }
    unsigned const lasts = __ballot_sync(all_lanes, last);
    if (lasts && t.lane >= __ffs(int(lasts))) x = value{};
    corner = corner + warp_reduce(typename Tile::sum{}, x, t.lane);
    if (lasts) break;
  }
  if (t.lane == 0) t.m.corner = corner;
}

}  // namespace onepass::ONEPASS_ABI::backends::cuda
