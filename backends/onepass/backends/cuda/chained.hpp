// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/backends/cuda/device.hpp>
#include <onepass/backends/cuda/team.hpp>
#include <onepass/backends/cuda/tuning.hpp>
#include <onepass/engine/items/chained.hpp>

namespace onepass::ONEPASS_ABI::backends::cuda {

/// Whether every item goes to one of several columns.
template <class Program>
constexpr bool splits_items = []() -> bool {
  if constexpr (Program::shape == output_shape::compacted) return onepass::parts_items<Program> && Program::columns > 1;
  else return false;
}();

/// Bytes that user code reads for an item, where it makes the items and uses the results.
template <class Program>
inline constexpr int bytes_called = 0;
template <class Program>
  requires requires { Program::bytes_read; }
inline constexpr int bytes_called<Program> = Program::bytes_read;

/// Whether the memos of a program that writes every item are flags alone, and its items pairs.
template <class Program>
constexpr bool by_keys = []() -> bool {
  if constexpr (Program::shape == output_shape::mapped && sums_by_flags<Program>) return is_zipped<input_of<Program>>;
  else return false;
}();

template <class Program>
inline constexpr item_load item_load_of{.splits  = splits_items<Program>,
                                        .carries = !pure_program<Program> || looks_behind<Program>,
                                        .by_key  = by_keys<Program>,
                                        .sum     = 4 * word_form<inside_of<Program>>::words,
                                        .called  = bytes_called<Program>,
                                        .bytes   = int(bytes_per_item<Program>)};

/// The shape of the chained kernel for one program.
template <class Program, class Tuning, tile_size Size>
struct chained {
  static_assert(std::is_default_constructible_v<typename Program::item_type>,
                "onepass: items must be default constructible");
  static constexpr team_tuning wanted = chained_tuning_for<Tuning>(Size, item_load_of<Program>);

  static constexpr int N =
      items_without_conflicts(wanted.items_per_thread(bytes_per_item<Program>), bytes_per_item<Program>);

  /// As many threads as the tuning says, or as the memory of a block allows.
  static constexpr team_tuning fitted()
  {
    auto t = wanted;
    while (t.threads > 32
           && stage_bytes<Program>(N * t.threads) + sizeof(typename block<Program, wanted>::memory) > most_shared)
      t.threads /= 2;
    return t;
  }
  static constexpr team_tuning numbers = fitted();

  using team_type = block<Program, numbers>;

  static constexpr int items          = N * numbers.threads;
  static constexpr int words          = descriptor<typename Program::aggregate_type>::words;
  static constexpr std::size_t stage  = stage_bytes<Program>(items);
  static constexpr std::size_t shared = stage + sizeof(typename team_type::memory);
};

/// The chained schedule: tiles are numbered in the order in which blocks draw them, so every earlier tile belongs to a
/// running block. Persistent blocks draw tickets until no tile is left.
template <class Program, class Tuning, tile_size Size>
__global__ void __launch_bounds__(chained<Program, Tuning, Size>::numbers.threads,
                                  chained<Program, Tuning, Size>::numbers.min_teams)
    onepass_chained(const __grid_constant__ Program program, item_count count, shared_board board)
{
  using shape = chained<Program, Tuning, Size>;
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

}  // namespace onepass::ONEPASS_ABI::backends::cuda
