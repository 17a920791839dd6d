// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/backends/cuda/device.hpp>
#include <onepass/backends/cuda/team.hpp>
#include <onepass/backends/cuda/tuning.hpp>
#include <onepass/engine/tiles.hpp>
#include <onepass/execution/place.hpp>

namespace onepass::ONEPASS_ABI::backends::cuda {

/// Shapes of the kernels of a tile program (engine/tiles.hpp). Its stage is dynamic shared memory.
template <class Program, class Tuning>
struct tiles_by_blocks {
  static constexpr team_tuning numbers = tile_tuning_for<Tuning>();
  static constexpr int words           = descriptor<typename Program::aggregate_type>::words;

  using team_type = block<Program, numbers>;

  /// The block as a team. Its memory is raw, since aggregates may have no default constructor.
  __device__ static team_type team_in(char* stage)
  {
    __shared__ __align__(16) char memory[sizeof(typename team_type::memory)];
    return team_type(stage, reinterpret_cast<typename team_type::memory*>(memory));
  }

  template <class... Arguments>
  static void launch(Kokkos::Cuda const& exec, std::string const& label, void (*kernel)(Program, Arguments...),
                     extent blocks, Program const& program, Arguments const&... arguments)
  {
    cuda::launch(exec, label, kernel, int(blocks), numbers.threads, program.stage_bytes(numbers.threads), program,
                 arguments...);
  }
};

/// A tile a block, and no loop over tiles, as of ranges.
template <class Program, class Tuning>
__global__ void __launch_bounds__(tile_tuning_for<Tuning>().threads, tile_tuning_for<Tuning>().min_teams)
    onepass_tiles(const __grid_constant__ Program program, const __grid_constant__ shared_board board)
{
  using shape = tiles_by_blocks<Program, Tuning>;
  extern __shared__ __align__(16) char tile_stage[];
  auto const team = shape::team_in(tile_stage);

  begin_kernel();
  extent const tiles = gridDim.x;
  auto const mine    = team.draw(board, tiles, tiles * shape::words);
  program_tile const t(program, team, mine.index);
  take_turn(program, t, team, board, mine, tiles, [&](auto const& all) { program.finish(all); });
}

template <class Program, class Tuning>
__global__ void __launch_bounds__(tile_tuning_for<Tuning>().threads)
    onepass_single_tile(const __grid_constant__ Program program)
{
  using shape = tiles_by_blocks<Program, Tuning>;
  extern __shared__ __align__(16) char tile_stage[];
  begin_kernel();
  take_single_tile(program, shape::team_in(tile_stage));
}

template <tile_program Program, class Tuning>
void queue_program(place<Kokkos::Cuda, backend, Tuning> const& where, Program const& program,
                   workspace<Kokkos::Cuda>& scratch)
{
  using shape = tiles_by_blocks<Program, Tuning>;
  require(where.chosen != schedule::two_pass, where.label,
          ": the CUDA backend runs tile programs in one kernel; portably(exec) has two-pass");
  extent const tiles = program.tiles(shape::numbers.threads);
  require_one_launch(where.label, tiles, tiles, "tiles");
  auto board   = scratch.make_board<shared_words>(tiles * shape::words);
  board.anchor = where.anchor;
  shape::launch(where.space, where.label, onepass_tiles<Program, Tuning>, tiles, program, board);
}

template <single_tile_program Program, class Tuning>
void queue_program(place<Kokkos::Cuda, backend, Tuning> const& where, Program const& program)
{
  tiles_by_blocks<Program, Tuning>::launch(where.space, where.label, onepass_single_tile<Program, Tuning>, 1, program);
}

}  // namespace onepass::ONEPASS_ABI::backends::cuda
