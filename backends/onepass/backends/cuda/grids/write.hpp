// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/backends/cuda/grids/tile.hpp>

namespace onepass::ONEPASS_ABI::backends::cuda {

/// Gives one row of results after another to `put`. What several rows need is read and shuffled together before the
/// first of them is written, since the compiler moves no load past a store.
template <class Tile, class Put>
__device__ __forceinline__ void write_rows(Tile const& t, int warp, int high, typename Tile::value (&down)[Tile::N],
                                           Put put)
{
  using value = typename Tile::value;
  using lanes = typename Tile::lanes;
  value across{};  // the sum of everything to the left of the lane, in the tile's rows so far
  auto const some = [&]<int Rows>(std::integral_constant<int, Rows>, int first) {
    typename lanes::items x[Rows];
    value before[Rows];
#pragma unroll
    for (int k = 0; k < Rows; ++k) x[k] = t.pack(warp, first + k, t.lane);
    if constexpr (Rows == 1) before[0] = warp_exclusive_sum(lanes::total(t.program, x[0]), t.lane);
#pragma unroll
    for (int k = 0; k + 2 <= Rows; k += 2)
      lanes::before_lane(t.program, x[k], x[k + 1], t.lane, before[k], before[k + 1]);
#pragma unroll
    for (int k = 0; k < Rows; ++k) before[k] = before[k] + t.m.left[warp][first + k];
#pragma unroll
    for (int k = 0; k < Rows; ++k) {
      across = across + before[k];
      lanes::add_through(t.program, x[k], down);
      grid_result<value, Tile::N> result;
#pragma unroll
      for (int j = 0; j < Tile::N; ++j) result.of[j] = down[j] + across;
      put(first + k, result);
    }
  };
  constexpr int together = Tile::shape::words == 1 ? 4 : 2;
  int r                  = 0;
  for (; r + together <= high; r += together) some(std::integral_constant<int, together>{}, r);
  for (; r < high; ++r) some(std::integral_constant<int, 1>{}, r);
}

template <class Tile>
__device__ __forceinline__ void write_strip(Tile const& t, int warp)
{
  using value     = typename Tile::value;
  auto const& out = t.program.output();
  extent const y0 = t.first_row(), x = t.first_column(warp) + t.lane * Tile::N;
  int const high = int(out.rows - y0 < Tile::rows ? out.rows - y0 : Tile::rows);
  value down[Tile::N];  // the sum of each column and all to its left: above the row at first, then including it
  {
    value through{};
#pragma unroll
    for (int j = 0; j < Tile::N; ++j)
      down[j] = through = through + t.m.above[warp * Tile::strip + t.lane * Tile::N + j];
    value before = t.m.corner;
    for (int w = 0; w < warp; ++w) before = before + t.m.above_strip[w];
    before = before + warp_exclusive_sum(through, t.lane);
#pragma unroll
    for (int j = 0; j < Tile::N; ++j) down[j] = down[j] + before;
  }
  bool const whole = t.way.wide && x >= 0 && x + Tile::N <= out.columns, none = x + Tile::N <= 0 || x >= out.columns;
  if (__all_sync(all_lanes, whole || none))
    write_rows(t, warp, high, down,
               [whole, to = out.at(t.at.plane, y0, x),
                pitch = out.row_stride](int, grid_result<value, Tile::N> const& result) mutable {
                 if (whole) store_past(to, result);
                 to += pitch;
               });
  else
    write_rows(t, warp, high, down, [&](int r, grid_result<value, Tile::N> const& result) {
#pragma unroll
      for (int j = 0; j < Tile::N; ++j)
        if (x + j >= 0 && x + j < out.columns) out.set(t.at.plane, y0 + r, x + j, result.of[j]);
    });
}

}  // namespace onepass::ONEPASS_ABI::backends::cuda
