// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/backends/cuda/board.hpp>
#include <onepass/backends/cuda/bulk.hpp>
#include <onepass/backends/cuda/grids/lane.hpp>
#include <onepass/backends/cuda/tuning.hpp>
#include <onepass/engine/grids.hpp>

#include <algorithm>

namespace onepass::ONEPASS_ABI::backends::cuda {

/// The shape of a tile for one program: `warps` strips, each as wide as the columns of a warp's lanes.
template <class Program, class Tuning, bool Large>
struct grid_shape {
  static constexpr grid_tuning numbers = grid_tuning_for<Tuning>(Large);

  using item  = typename Program::item_type;
  using value = typename Program::value_type;
  using lane  = grid_lane<Program>;

  static constexpr int strip       = 32 * lane::N;
  static constexpr int strip_bytes = strip * int(sizeof(item));
  static_assert(strip_bytes % 16 == 0);

  static constexpr int fitted_rows()
  {
    int r = numbers.rows;
    while (r > 32 && r * numbers.warps * strip_bytes > numbers.stage) r /= 2;
    return r;
  }
  static constexpr int rows = fitted_rows();
  static constexpr int fitted_warps()
  {
    int w = numbers.warps;
    while (w > 1 && w * rows * strip_bytes > numbers.stage) w /= 2;
    return w;
  }
  static constexpr int warps   = fitted_warps();
  static constexpr int ahead   = numbers.ahead;
  static constexpr int columns = warps * strip;
  static constexpr int threads = (2 * warps + 2) * 32;
  static constexpr int words   = descriptor<value>::words;

  struct memory {
    alignas(128) item stage[warps][rows][strip];
    value row_sums[warps][rows], left[warps][rows];  ///< sum of a strip's row; everything to its left
    value column_sums[columns], above[columns];      ///< sum of a strip's column; everything above it
    value above_strip[warps], left_of_tile, corner;
    std::uint64_t ticket;
  };

  /// As many blocks per multiprocessor as memory allows, and registers where pixels have several channels.
  static constexpr int blocks =
      std::clamp(int(most_shared / (sizeof(memory) + 1024)), 1, lane::N* words > 8 ? 2 : numbers.blocks);
};

/// Which variants of the kernel an image allows.
struct grid_way {
  bool wide;  ///< its rows are aligned to 16 bytes and its pixels are contiguous
  bool late;  ///< columns are looked up after rows are published: tiles above began earlier, and have published by then
};

/// One tile of a grid, as the warps of its block see it.
template <class Program, class Shape>
struct grid_tile {
  using shape = Shape;
  using item  = typename Shape::item;
  using value = typename Shape::value;
  using lanes = typename Shape::lane;
  using sum   = sum_of<value>;

  static constexpr int N = lanes::N, rows = Shape::rows, strip = Shape::strip, warps = Shape::warps;
  static constexpr int summing = warps * 32, all_but_corner = 2 * summing + 32;  ///< numbers of threads of two barriers

  Program const& program;
  grid_tiles const& tiles;
  shared_board const& board;
  grid_way way;
  typename Shape::memory& m;
  int lane;
  std::uint32_t epoch;
  grid_tiles::coordinates at;

  __device__ extent first_row() const { return at.band * rows; }
  __device__ extent first_column(int warp) const { return at.strip * Shape::columns + warp * strip - tiles.lead; }

  __device__ void publish(extent slot, tile_status status, value const& v) const
  {
    board.publish({slot, epoch}, status, v);
  }
  __device__ __forceinline__ auto pack(int warp, int row, int of_lane) const
  {
    return reinterpret_cast<typename lanes::items const*>(m.stage[warp][row])[of_lane];
  }
};

}  // namespace onepass::ONEPASS_ABI::backends::cuda
