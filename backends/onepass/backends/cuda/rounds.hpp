// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/backends/cuda/device.hpp>
#include <onepass/backends/cuda/team.hpp>
#include <onepass/backends/cuda/tuning.hpp>
#include <onepass/engine/rounds.hpp>
#include <onepass/execution/place.hpp>

#include <algorithm>

namespace onepass::backends::cuda {

/// The shape of the kernels of a round program (engine/rounds.hpp). What fits a small tile is one: its threads have
/// fewer positions each, which they take one after another.
template <class Program, class Tuning, bool Small = false>
struct rounds {
  static constexpr team_tuning numbers = round_tuning_for<Tuning>(sizeof(typename Program::item), Small);

  using team_type = block<range_sums, numbers>;

  static constexpr int each           = Program::each(numbers);
  static constexpr int positions      = positions_of_round<Program>(numbers);
  static constexpr std::size_t stage  = (std::size_t(Program::stage_words(numbers)) * 4 + 15) / 16 * 16;
  static constexpr std::size_t shared = stage + sizeof(typename team_type::memory);
};

/// The first round: a tile a block.
template <class Program, class Tuning, bool Small>
__global__ void __launch_bounds__(round_tuning_for<Tuning>(sizeof(typename Program::item), Small).threads,
                                  round_tuning_for<Tuning>(sizeof(typename Program::item), Small).min_teams)
    onepass_first_round(const __grid_constant__ Program program)
{
  using shape = rounds<Program, Tuning, Small>;
  extern __shared__ __align__(128) char memory[];
  typename shape::team_type const team(memory,
                                       reinterpret_cast<typename shape::team_type::memory*>(memory + shape::stage));
  begin_kernel();
  int const more = begin_rounds<Program, shape::each>(program, team, blockIdx.x);
  if (gridDim.x > 1 && more > 0 && team.rank() == 0) atomicMax(&program.progress->rounds, unsigned(more));
}

/// All others: blocks draw tickets, round by round. A tile waits until every tile of the rounds before is done; these
/// have been drawn by blocks that run, and none of them waits for a tile drawn later.
template <class Program, class Tuning>
__global__ void __launch_bounds__(round_tuning_for<Tuning>(sizeof(typename Program::item)).threads,
                                  round_tuning_for<Tuning>(sizeof(typename Program::item)).min_teams)
    onepass_next_rounds(const __grid_constant__ Program program, extent tiles)
{
  using shape = rounds<Program, Tuning>;
  extern __shared__ __align__(128) char memory[];
  __shared__ std::uint64_t drawn;
  typename shape::team_type const team(memory,
                                       reinterpret_cast<typename shape::team_type::memory*>(memory + shape::stage));
  begin_kernel();
  auto& progress           = *program.progress;
  std::uint64_t const last = std::uint64_t(progress.rounds) * std::uint64_t(tiles);
  std::uint64_t next       = team.rank() == 0 && last > 0 ? shared_words::fetch_add(&progress.drawn, 1) : last;
  for (;;) {
    if (team.rank() == 0) {
      drawn = next;
      if (drawn < last) {
        next              = shared_words::fetch_add(&progress.drawn, 1);  // it is there when it is needed
        auto const before = drawn / std::uint64_t(tiles) * std::uint64_t(tiles);
        while (shared_words::load(&progress.done) < before) shared_words::pause(0);
        __threadfence();  // what those tiles have written is seen from here on
      }
    }
    __syncthreads();
    std::uint64_t const mine = drawn;
    if (mine >= last) return;
    go_on_with_rounds<Program, shape::each>(program, team, 1 + int(mine / std::uint64_t(tiles)),
                                            extent(mine % std::uint64_t(tiles)));
    __syncthreads();  // all have written and have read their ticket
    if (team.rank() == 0) {
      __threadfence();
      shared_words::fetch_add(&progress.done, 1);
    }
  }
}

template <class Tuning>
extent digits_from_of(place<Kokkos::Cuda, backend, Tuning> const&)
{
  return digits_from<Tuning>();
}

/// The number of tiles of so many positions.
template <class Program, class Tuning>
extent tiles_of_rounds(std::type_identity<Program>, place<Kokkos::Cuda, backend, Tuning> const&, extent n)
{
  return tiles_of_round<Program>(rounds<Program, Tuning>::numbers, n);
}

template <round_program Program, class Tuning>
void queue(place<Kokkos::Cuda, backend, Tuning> const& where, Program const& program)
{
  using shape        = rounds<Program, Tuning>;
  auto const& exec   = where.space;
  extent const tiles = tiles_of_rounds(std::type_identity<Program>{}, where, program.size());
  require_one_launch(where.label, tiles, program.size(), "positions");
  if (tiles == 0) return;
  if constexpr (!takes_more_alone<Program>) {
    using small = rounds<Program, Tuning, true>;
    if (program.size() <= small::positions)
      return launch(exec, where.label, onepass_first_round<Program, Tuning, true>, 1, small::numbers.threads,
                    small::shared, program);
  }
  if (tiles > 1) {
    check(cudaSetDevice(exec.cuda_device()), where.label + ": selecting the device");
    check(cudaMemsetAsync(program.progress, 0, sizeof(round_progress), exec.cuda_stream()),
          where.label + ": clearing the progress of rounds");
  }
  launch(exec, where.label, onepass_first_round<Program, Tuning, false>, int(tiles), shape::numbers.threads,
         shape::shared, program);
  if (tiles > 1)
    launch(exec, where.label + " (rounds)", onepass_next_rounds<Program, Tuning>,
           int(std::min<extent>(tiles, exec.cuda_device_prop().multiProcessorCount * shape::numbers.min_teams)),
           shape::numbers.threads, shape::shared, program, tiles);
}

}  // namespace onepass::backends::cuda
