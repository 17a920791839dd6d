// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/backends/cuda/device.hpp>
#include <onepass/backends/cuda/team.hpp>
#include <onepass/backends/cuda/tuning.hpp>
#include <onepass/engine/ranges.hpp>
#include <onepass/execution/place.hpp>

namespace onepass::ONEPASS_ABI::backends::cuda {

/// The shape of the kernels of a range program (engine/ranges.hpp), of few positions or many.
template <class Program, class Tuning, bool Few>
struct ranges {
  static constexpr team_tuning numbers = range_tuning_for<Tuning>(holds_items<Program>        ? held_positions::items
                                                                  : !holds_positions<Program> ? held_positions::none
                                                                  : Few                       ? held_positions::few
                                                                                              : held_positions::many);

  using team_type = block<range_sums, numbers>;

  static constexpr int items          = Program::positions(numbers);
  static constexpr std::size_t stage  = (std::size_t(Program::stage_words(items)) * 4 + 15) / 16 * 16;
  static constexpr std::size_t shared = stage + sizeof(typename team_type::memory);
};

/// f(shape) with the shape for so many positions.
template <class Program, class Tuning, class F>
auto with_shape(extent limit, F const& f)
{
  if constexpr (holds_positions<Program>)
    if (limit <= few_positions<Tuning>()) return f(ranges<Program, Tuning, true>{});
  return f(ranges<Program, Tuning, false>{});
}

template <class Program, class Shape>
__global__ void __launch_bounds__(Shape::numbers.threads) onepass_seek(const __grid_constant__ Program program)
{
  begin_kernel();
  constexpr int items = Shape::items;
  extent const tile   = extent(blockIdx.x) * Shape::numbers.threads + threadIdx.x;
  if (tile * items < program.size()) program.seek(tile, tile * items);
}

/// One block takes one tile, without a loop over tiles where the program does not ask for turns: blocks that are short
/// and begin in order use memory better than persistent blocks.
template <class Program, class Shape>
__global__ void __launch_bounds__(Shape::numbers.threads, Shape::numbers.min_teams)
    onepass_ranges(const __grid_constant__ Program program)
{
  constexpr int items = Shape::items;
  extern __shared__ __align__(128) char memory[];
  typename Shape::team_type const team(memory,
                                       reinterpret_cast<typename Shape::team_type::memory*>(memory + Shape::stage));

  begin_kernel();
  take_tiles<items>(program, team, blockIdx.x, gridDim.x);
}

/// The number of tiles, and so of calls of seek() before them.
template <class Program, class Tuning>
extent tiles_of_ranges(std::type_identity<Program>, place<Kokkos::Cuda, backend, Tuning> const&, extent limit)
{
  return with_shape<Program, Tuning>(limit, [&](auto shape) { return div_up(limit, decltype(shape)::items); });
}

template <range_program Program, class Tuning>
void queue_program(place<Kokkos::Cuda, backend, Tuning> const& where, Program const& program, extent limit)
{
  extent const tiles = tiles_of_ranges(std::type_identity<Program>{}, where, limit);
  require_one_launch(where.label, tiles, limit, "positions");
  if (tiles == 0) return;
  with_shape<Program, Tuning>(limit, [&]<class Shape>(Shape) {
    if constexpr (seeks_tiles<Program>)
      launch(where.space, where.label + " (seek)", onepass_seek<Program, Shape>,
             int(div_up(tiles, Shape::numbers.threads)), Shape::numbers.threads, 0, program);
    int const blocks = teams_for_tiles<Program>(
        tiles, [&] { return card_of(where.space).multiprocessors * Shape::numbers.min_teams; });
    launch(where.space, where.label, onepass_ranges<Program, Shape>, blocks, Shape::numbers.threads, Shape::shared,
           program);
  });
}

}  // namespace onepass::ONEPASS_ABI::backends::cuda
