// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/backends/cuda/grids/tile.hpp>

namespace onepass::ONEPASS_ABI::backends::cuda {

/// Loads a strip's pixels into shared memory, with zeros where the image has none; by one warp.
template <class Tile>
__device__ __forceinline__ void load_strip(Tile const& t, int warp)
{
  using item      = typename Tile::item;
  auto const& in  = t.program.input();
  extent const y0 = t.first_row(), x0 = t.first_column(warp);
  extent const high = in.rows - y0;
  item* const stage = &t.m.stage[warp][0][0];
  if (t.way.wide) {
    constexpr int pieces = Tile::shape::strip_bytes / 16;
    int const width      = int(in.columns - x0 < 0             ? 0
                               : in.columns - x0 < Tile::strip ? in.columns - x0
                                                               : Tile::strip)
                      * int(sizeof(item));
    auto const* from   = reinterpret_cast<char const*>(in.at(t.at.plane, y0, 0)) + x0 * extent(sizeof(item));
    extent const pitch = in.row_stride * extent(sizeof(*in.data));
    auto const to      = shared_address(stage);
    if constexpr (32 % pieces == 0)
      if (high >= Tile::rows && x0 >= 0 && width == Tile::shape::strip_bytes) {  // whole: 32 / pieces rows at a time
        from += (t.lane / pieces) * pitch + t.lane % pieces * 16;
#pragma unroll 8
        for (int i = 0; i < Tile::rows * pieces / 32; ++i, from += 32 / pieces * pitch)
          copy_16(to + std::uint32_t(i * 32 + t.lane) * 16, from, 16);
        copies_arrive();
        __syncwarp();
        return;
      }
#pragma unroll 4
    for (int i = 0; i < Tile::rows * pieces / 32; ++i) {
      int const p = i * 32 + t.lane, r = p / pieces, b = p % pieces * 16;
      int bytes = width - b < 0 ? 0 : width - b < 16 ? width - b : 16;
      if (r >= high || x0 * extent(sizeof(item)) + b < 0) bytes = 0;
      copy_16(to + std::uint32_t(p) * 16, bytes ? from + r * pitch + b : reinterpret_cast<char const*>(in.data), bytes);
    }
    copies_arrive();
  } else {
#pragma unroll 4
    for (int r = 0; r < Tile::rows; ++r)
#pragma unroll
      for (int j = 0; j < Tile::N; ++j) {
        int const x                = j * 32 + t.lane;
        bool const inside          = r < high && x0 + x < in.columns;
        stage[r * Tile::strip + x] = inside ? in(t.at.plane, y0 + r, x0 + x) : item{};
      }
  }
  __syncwarp();
}

template <class Tile>
__device__ __forceinline__ void ask_for_pixels(Tile const& t, extent index)
{
  if (!t.way.wide || index >= t.tiles.number()) return;
  auto const later  = t.tiles[index];
  auto const& in    = t.program.input();
  extent const left = later.strip * Tile::shape::columns - t.tiles.lead, right = left + Tile::shape::columns;
  extent const begin = left < 0 ? 0 : left, end = right < in.columns ? right : in.columns;
  int const bytes = int((end - begin) * extent(sizeof(typename Tile::item)) / 16 * 16);
  if (bytes <= 0) return;
  extent const top = later.band * Tile::rows, bottom = top + Tile::rows < in.rows ? top + Tile::rows : in.rows;
  for (extent y = top + t.lane; y < bottom; y += 32) ask_l2_for(in.at(later.plane, y, begin), bytes);
}

}  // namespace onepass::ONEPASS_ABI::backends::cuda
