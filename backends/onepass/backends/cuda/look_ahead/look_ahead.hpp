// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/backends/cuda/device.hpp>
#include <onepass/backends/cuda/look_ahead/reduce.hpp>
#include <onepass/backends/cuda/look_ahead/write_listed.hpp>
#include <onepass/backends/cuda/look_ahead/write_mapped.hpp>

namespace onepass::ONEPASS_ABI::backends::cuda {

/// The look-ahead schedule: one persistent block on each multiprocessor. Its warps are specialised, and tiles pass
/// through a ring of slots in shared memory.
///
///   load        one thread draws a ticket once a slot is free, and has the copy engine load the tile
///   reduce      a squad of warps combines the tile's items and publishes the aggregate
///   look ahead  one warp keeps the prefix of everything before the block's next tile: it adds the aggregates of all
///               tiles between the block's last and its next, so no inclusive prefix is ever published
///   write       one or two squads, which take tiles in turn: they turn items into results in place, which the copy
///               engine writes out; or, for compacting programs, list what the tile keeps and write it from the list
///
/// Every tile that is drawn is reduced without waiting for another tile, so every wait ends.
///
/// Source: docs/decisions/0006-look-ahead.md; tickets and aggregates, Merrill & Garland 2016 (docs/references.md).
template <class Program, class Tuning, class Board = shared_board>
struct look_ahead {
  using shape = look_ahead_shape<Program, Tuning, Board>;
  using list  = list_for<shape>;
  using ring  = look_ahead_ring<shape, list::bytes, Board>;

  static constexpr int items = shape::items, words = shape::words, threads = shape::threads;
  static constexpr std::size_t shared = ring::shared;

  __device__ static void run(ring const& tiles)
  {
    constexpr int warps = shape::numbers.warps, squad = shape::squad;
    int const rank = int(threadIdx.x), warp = rank / 32, lane = rank % 32;
    constexpr int loader = (shape::reducers + shape::writers) * warps;
    if (rank < ring::slots) tiles.open(rank);
    auto const epoch = shape::writes ? 0 : tiles.board.current_epoch();
    // Read before this block draws a tile, and so before the last one is finished: the total may go where init is.
    auto beginning = Program::identity();
    if (warp > loader) beginning = tiles.program.initial();
    __syncthreads();
    if (rank < shape::reducers * squad)
      reduce_tiles(tiles, shape::reducers > 1 ? rank / squad : 0, shape::reducers > 1 ? rank % squad : rank);
    else if (warp == loader) {
      if (lane == 0) tiles.load();
    } else if (warp > loader) {
      if constexpr (shape::writes) look_ahead_of_tiles(tiles, lane, beginning);
      else if (blockIdx.x == 0) look_at_all_tiles(tiles, epoch, lane, beginning);
    } else if constexpr (shape::compacts) write_listed<list>(tiles, rank / squad - 1, rank % squad);
    else if constexpr (shape::writes) write_mapped(tiles, rank / squad - 1, rank % squad);
  }
};

template <class Program, class Tuning>
__global__ void __launch_bounds__(look_ahead<Program, Tuning>::threads, 1)
    onepass_look_ahead(const __grid_constant__ Program program, item_count count, int lead, shared_board board)
{
  extern __shared__ __align__(128) char memory[];
  begin_kernel();
#if __CUDA_ARCH__ >= 900
  using machine = look_ahead<Program, Tuning>;
  machine::run(typename machine::ring(program, count(), lead, board, memory));
#endif
}

namespace detail {
template <class Sequence>
constexpr bool fits = has_packs<Sequence>;
template <class First, class Second>
constexpr bool fits<zipped<First, Second>> = fits<First> ? fits<Second> : false;

template <class P, int... C>
constexpr bool columns_fit(std::integer_sequence<int, C...>)
{
  return (fits<decltype(std::declval<P const&>().template column<C>())> && ...);
}
}  // namespace detail

/// Whether a program can run by look-ahead: its items are contiguous and fill 16-byte words, and it is pure or its
/// memos are one bit or the number of one of three columns. Without output it does so only for the canonical tree.
template <class Program, class Tuning>
constexpr bool looks_ahead()
{
  using memo = typename Program::memo_type;
  if constexpr (!detail::fits<input_of<Program>>) return false;
  else if constexpr (Program::shape == output_shape::none) return is_canonical<Tuning>;
  else if constexpr (!(std::is_same_v<memo, bool> || pure_program<Program> || counts_parts<Program>)) return false;
  else if constexpr (Program::shape == output_shape::mapped)
    return detail::fits<decltype(std::declval<Program const&>().output())>;
  else
    return !std::is_same_v<
               inside_kind<Program>,
               own_aggregates> && detail::columns_fit<Program>(std::make_integer_sequence<int, Program::columns>{});
}

}  // namespace onepass::ONEPASS_ABI::backends::cuda
