// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/backends/cuda/device.hpp>
#include <onepass/backends/cuda/tile.hpp>
#include <onepass/engine/chained.hpp>

namespace onepass::backends::cuda {

/// Shapes of the chained kernel for one program and one tuning.
template <class Program, class Tuning>
struct chained {
  static constexpr tuning numbers = Tuning::numbers;

  using team_type = block<Program, numbers>;

  static constexpr int N              = numbers.items_per_thread(bytes_per_item<Program>);
  static constexpr int items          = N * numbers.threads;
  static constexpr int words          = descriptor<typename Program::aggregate_type>::words;
  static constexpr std::size_t stage  = stage_bytes<Program>(items);
  static constexpr std::size_t shared = stage + sizeof(typename team_type::memory);
};

/// Tiles are numbered as blocks ask for them: every predecessor is in the hands of a running block. Persistent blocks
/// ask until no tile is left.
template <class Program, class Tuning>
__global__ void __launch_bounds__(Tuning::numbers.threads, Tuning::numbers.min_teams)
    onepass_chained(const __grid_constant__ Program program, item_count count, shared_board board)
{
  using shape = chained<Program, Tuning>;
  extern __shared__ __align__(128) char memory[];
  typename shape::team_type const team(memory,
                                       reinterpret_cast<typename shape::team_type::memory*>(memory + shape::stage));

  begin_kernel();
  extent const n = count(), tiles = tiles_of(n, shape::items), used = tiles * shape::words;
  if constexpr (shape::numbers.persistent) {
    for (;;) {
      auto const mine = team.draw(board, tiles + gridDim.x, used);
      if (mine.index >= tiles) return;
      chained_tile<shape::N>(program, n, team, board, mine);
      team.barrier();
    }
  } else {
    auto const mine = team.draw(board, gridDim.x, used);
    if (mine.index < tiles) chained_tile<shape::N>(program, n, team, board, mine);
  }
}

}  // namespace onepass::backends::cuda
