// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/backends/cuda/device.hpp>
#include <onepass/backends/cuda/grids/load.hpp>
#include <onepass/backends/cuda/grids/look.hpp>
#include <onepass/backends/cuda/grids/sums.hpp>
#include <onepass/backends/cuda/grids/write.hpp>
#include <onepass/execution/place.hpp>

namespace onepass::ONEPASS_ABI::backends::cuda {

/// One block takes one tile. Each strip of the tile has two warps: one reads it, sums its rows and writes; the other
/// sums its columns and looks back upwards. Two more warps look back from the start, since what they read does not
/// depend on the tile: one to the left, and one for the corner. The latter first prefetches into the L2 cache the
/// pixels of a tile that begins later, because a tile waits for the slowest of the tiles before it to read its pixels.
template <class Tile, class Program>
__device__ void take_grid_tile(Program const& program, grid_tiles const& tiles, grid_way way, shared_board const& board,
                               typename Tile::shape::memory& m)
{
  constexpr int warps = Tile::warps;
  if (threadIdx.x == 0) m.ticket = board.draw(tiles.number(), tiles.slots() * Tile::shape::words).word();
  __syncthreads();
  auto const mine = shared_board::ticket::of(m.ticket);
  int const warp  = int(threadIdx.x / 32);
  Tile const t{program, tiles, board, way, m, int(threadIdx.x % 32), mine.epoch, tiles[mine.index]};
  auto const strip_is_read = [](int strip) { squad_barrier<64>(3 + strip); };  // its two warps wait for each other
  if (warp < warps) {
    load_strip(t, warp);
    strip_is_read(warp);
    sum_rows(t, warp);
  } else if (warp < 2 * warps) {
    strip_is_read(warp - warps);
    sum_columns(t, warp - warps);
    look_up(t, warp - warps);
  } else if (warp == 2 * warps) look_left(t);
  else {
    ask_for_pixels(t, mine.index + Tile::shape::ahead);
    look_at_corner(t);
  }
  __syncthreads();
  if (warp < warps) write_strip(t, warp);
  else if (warp == 2 * warps + 1 && t.lane == 0 && t.at.band > 0)
    t.publish(tiles.corner(t.at.index), tile_status::inclusive_prefix, m.corner + m.left_of_tile);
}

template <class Program, class Shape>
__global__ void __launch_bounds__(Shape::threads, Shape::blocks)
    onepass_grid(const __grid_constant__ Program program, const __grid_constant__ grid_tiles tiles, grid_way way,
                 const __grid_constant__ shared_board board)
{
  extern __shared__ __align__(128) char memory[];
  begin_kernel();
  take_grid_tile<grid_tile<Program, Shape>>(program, tiles, way, board,
                                            *reinterpret_cast<typename Shape::memory*>(memory));
}

template <class Raster>
bool in_wide_words(Raster const& r)
{
  auto const whole = [](extent numbers) { return numbers * extent(sizeof(*Raster::data)) % 16 == 0; };
  return r.dense() && reinterpret_cast<std::uintptr_t>(r.data) % 16 == 0 && whole(r.row_stride)
         && whole(r.plane_stride);
}

/// The number of columns by which tiles begin before the image, so that warps write whole pieces of 256 bytes: memory
/// is a tenth slower where two warps share such a piece, and Kokkos allocates at odd multiples of 128 bytes.
template <class Program>
int lead_of(Program const& program)
{
  extent const pixel = sizeof(typename Program::value_type);
  auto const past    = extent(reinterpret_cast<std::uintptr_t>(program.output().data) % 256);
  if (program.output().row_stride * extent(sizeof(*program.output().data)) % 256 != 0)
    return 0;  // each row is aligned differently
  for (int lead = 0; lead < 64; ++lead)
    if ((past - lead * pixel) % 256 == 0 && lead * sizeof(typename Program::item_type) % 16 == 0) return lead;
  return 0;
}

template <class Shape, class Program, class Tuning>
void queue_grid(place<Kokkos::Cuda, backend, Tuning> const& where, Program const& program, grid_way way, int lead,
                workspace<Kokkos::Cuda>& scratch)
{
  auto const tiles = grid_tiles::of(program.input(), Shape::rows, Shape::columns, lead);
  require_one_launch(where.label, tiles.number(), program.input().rows * program.input().columns, "pixels");
  auto board   = scratch.make_board<shared_words>(tiles.slots() * Shape::words);
  board.anchor = where.anchor;
  launch(where.space, where.label, onepass_grid<Program, Shape>, int(tiles.number()), Shape::threads,
         sizeof(typename Shape::memory), program, tiles, way, board);
}

template <grid_program Program, class Tuning>
void queue_program(place<Kokkos::Cuda, backend, Tuning> const& where, Program const& program,
                   workspace<Kokkos::Cuda>& scratch)
{
  using small      = grid_shape<Program, Tuning, false>;
  bool const wide  = in_wide_words(program.input()) && in_wide_words(program.output());
  int const lead   = wide ? lead_of(program) : 0;
  auto const queue = [&]<class Shape>(std::type_identity<Shape>, bool late) {
    queue_grid<Shape>(where, program, {wide, late}, late ? lead : 0, scratch);
  };
  if constexpr (!grids_are_small<Tuning>) {
    using large                  = grid_shape<Program, Tuning, true>;
    bool const fits              = sizeof(typename large::memory) <= card_of(where.space).most_shared;
    extent const tiles           = grid_tiles::of(program.input(), large::rows, large::columns).number();
    extent const multiprocessors = card_of(where.space).multiprocessors;
    // If all tiles run at once, the additional strip that a lead can cause costs more than it gains.
    if (fits && tiles >= multiprocessors)
      return queue(std::type_identity<large>{}, large::numbers.late && tiles > multiprocessors * large::blocks);
  }
  require_shared(where.space, where.label, sizeof(typename small::memory), sizeof(typename Program::item_type),
                 "give the channels as planes, by planar()");
  queue(std::type_identity<small>{}, small::numbers.late);
}

}  // namespace onepass::ONEPASS_ABI::backends::cuda
