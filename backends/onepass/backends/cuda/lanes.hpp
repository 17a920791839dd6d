// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/backends/cuda/bulk.hpp>
#include <onepass/backends/cuda/device.hpp>
#include <onepass/backends/cuda/tuning.hpp>
#include <onepass/engine/lanes.hpp>
#include <onepass/engine/registers.hpp>
#include <onepass/execution/place.hpp>

namespace onepass::ONEPASS_ABI::backends::cuda {

/// One warp takes one tile, without a loop over tiles: blocks that are short and begin in order keep neighbouring tiles
/// together in time, which uses memory better than persistent blocks. The table and each warp's words arrive by bulk
/// copies while the lanes load what else they need.
template <class Program>
inline constexpr lane_tuning lane_numbers = lane_tuning_for(sizeof(typename Program::item));

template <class Program>
__global__ void __launch_bounds__(lane_numbers<Program>.warps * 32, lane_numbers<Program>.min_blocks)
    onepass_lanes(const __grid_constant__ Program program, extent tiles, std::uint32_t stage_words)
{
  begin_kernel();
  constexpr int warps = lane_numbers<Program>.warps;
  static_assert(table_group % warps == 0);
  extern __shared__ __align__(128) std::uint32_t lane_stages[];
  __shared__ __align__(128) std::uint32_t table[Program::table_words];
  int const warp = int(threadIdx.x / 32), lane = int(threadIdx.x % 32);
  extent const tile          = extent(blockIdx.x) * warps + warp;
  bool const live            = tile < tiles;
  std::uint32_t* const stage = lane_stages + warp * stage_words;
  bounded_words words{nullptr, 0};
  if (live) words = program.words(tile);
  std::uint32_t const* const tables = program.table(extent(blockIdx.x) * warps);

#if __CUDA_ARCH__ >= 900
  __shared__ transfer_barrier arrived[warps + 1];
  if (lane == 0) {
    arrived[warp].init(1);
    if (warp == 0) arrived[warps].init(1);
    fence_barriers();
    if (warp == 0) {
      arrived[warps].arrive_and_expect(Program::table_words * 4);
      bulk_load(table, tables, Program::table_words * 4, arrived[warps]);
    }
    if (Program::stages && words.size) {
      arrived[warp].arrive_and_expect(int(words.size) * 4);
      bulk_load(stage, words.data, int(words.size) * 4, arrived[warp]);
    }
  }
#else
  for (int p = int(threadIdx.x); p < Program::table_words / 4; p += warps * 32)
    reinterpret_cast<pack*>(table)[p] = reinterpret_cast<pack const*>(tables)[p];
  if (Program::stages)
    for (std::uint32_t p = std::uint32_t(lane); p < words.size / 4; p += 32)
      reinterpret_cast<pack*>(stage)[p] = reinterpret_cast<pack const*>(words.data)[p];
#endif
  if (Program::stages && live)
    for (std::uint32_t w = std::uint32_t(lane); w < program.slack_words(); w += 32) stage[words.size + w] = 0;

  auto held = program.fetch(live ? tile : 0, lane);  // a load under a condition would cost registers
  __syncthreads();
  if (!live) return;
#if __CUDA_ARCH__ >= 900
  if (Program::stages && words.size) arrived[warp].wait(0);
  arrived[warps].wait(0);
#endif
  if constexpr (Program::stages) program.run(tile, lane, held, table, padded_words{stage, words.size});
  else program.run(tile, lane, held, table, words);
}

template <lane_program Program, class Tuning>
void queue_program(place<Kokkos::Cuda, backend, Tuning> const& where, Program const& program)
{
  constexpr int warps = lane_numbers<Program>.warps;
  extent const tiles = program.tiles(), blocks = div_up(tiles, warps);
  require_one_launch(where.label, blocks, tiles, "tiles of lanes");
  if (tiles == 0) return;
  std::uint32_t const stage_words = Program::stages ? program.staged_words() + program.slack_words() : 0;
  launch(where.space, where.label, onepass_lanes<Program>, int(blocks), warps * 32,
         std::size_t(warps) * stage_words * 4, program, tiles, stage_words);
}

}  // namespace onepass::ONEPASS_ABI::backends::cuda
