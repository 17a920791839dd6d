// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/backends/cuda/device.hpp>
#include <onepass/backends/cuda/team.hpp>
#include <onepass/backends/cuda/tuning.hpp>
#include <onepass/engine/ranges.hpp>
#include <onepass/execution/place.hpp>

namespace onepass::ONEPASS_ABI::backends::cuda {

/// The shape of the kernels of a range program (engine/ranges.hpp).
template <class Program, class Tuning>
struct ranges {
  static constexpr team_tuning numbers = range_tuning_for<Tuning>(holds_positions<Program>);

  using team_type = block<range_sums, numbers>;

  static constexpr int items          = Program::positions(numbers);
  static constexpr std::size_t stage  = std::size_t(Program::stage_words(items)) * 4;
  static constexpr std::size_t shared = stage + sizeof(typename team_type::memory);
};

template <class Program, class Tuning>
__global__ void __launch_bounds__(ranges<Program, Tuning>::numbers.threads)
    onepass_seek(const __grid_constant__ Program program)
{
  begin_kernel();
  constexpr int items = ranges<Program, Tuning>::items;
  extent const tile   = extent(blockIdx.x) * ranges<Program, Tuning>::numbers.threads + threadIdx.x;
  if (tile * items < program.size()) program.seek(tile, tile * items);
}

/// One block takes one tile, without a loop over tiles where the program does not ask for turns: blocks that are short
/// and begin in order use memory better than persistent blocks.
template <class Program, class Tuning>
__global__ void __launch_bounds__(ranges<Program, Tuning>::numbers.threads, ranges<Program, Tuning>::numbers.min_teams)
    onepass_ranges(const __grid_constant__ Program program)
{
  using shape         = ranges<Program, Tuning>;
  constexpr int items = shape::items;
  extern __shared__ __align__(128) char memory[];
  typename shape::team_type const team(memory,
                                       reinterpret_cast<typename shape::team_type::memory*>(memory + shape::stage));

  begin_kernel();
  take_tiles<items>(program, team, blockIdx.x, gridDim.x);
}

/// The number of tiles, and so of calls of seek() before them.
template <class Program, class Tuning>
extent tiles_of_ranges(std::type_identity<Program>, place<Kokkos::Cuda, backend, Tuning> const&, extent limit)
{
  return div_up(limit, ranges<Program, Tuning>::items);
}

template <range_program Program, class Tuning>
void queue(place<Kokkos::Cuda, backend, Tuning> const& where, Program const& program, extent limit)
{
  using shape        = ranges<Program, Tuning>;
  extent const tiles = tiles_of_ranges(std::type_identity<Program>{}, where, limit);
  require_one_launch(where.label, tiles, limit, "positions");
  if (tiles == 0) return;
  if constexpr (seeks_tiles<Program>)
    launch(where.space, where.label + " (seek)", onepass_seek<Program, Tuning>,
           int(div_up(tiles, shape::numbers.threads)), shape::numbers.threads, 0, program);
  int const blocks = teams_for_tiles<Program>(
      tiles, [&] { return where.space.cuda_device_prop().multiProcessorCount * shape::numbers.min_teams; });
  launch(where.space, where.label, onepass_ranges<Program, Tuning>, blocks, shape::numbers.threads, shape::shared,
         program);
}

}  // namespace onepass::ONEPASS_ABI::backends::cuda
