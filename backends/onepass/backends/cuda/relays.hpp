// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/backends/cuda/board.hpp>
#include <onepass/backends/cuda/device.hpp>
#include <onepass/backends/cuda/team.hpp>
#include <onepass/backends/cuda/tuning.hpp>
#include <onepass/engine/ranges.hpp>
#include <onepass/engine/relays.hpp>
#include <onepass/execution/place.hpp>

namespace onepass::ONEPASS_ABI::backends::cuda {

/// The notes of a launch, on its board: first all marks, then all sums.
template <class Sum>
class board_notes {
  using mark_word = std::uint32_t;

public:
  static constexpr int words = 1 + descriptor<Sum>::words;  ///< of a mark and a sum

  __device__ board_notes(shared_board const& marks, extent number, std::uint32_t epoch)
      : marks_(marks)
      , sums_(marks)
      , epoch_(epoch)
  {
    static_assert(descriptor<mark_word>::words == 1);
    sums_.words += number;
  }

  __device__ void leave_mark(extent k, mark_word x) const { marks_.publish({k, epoch_}, tile_status::aggregate, x); }
  __device__ mark_word mark(extent k) const { return marks_.template wait<mark_word>(k, epoch_).value(); }
  __device__ void leave_sum(extent k, Sum const& x) const { sums_.publish({k, epoch_}, tile_status::aggregate, x); }
  template <int N>
  __device__ void sums(extent k, extent end, Sum (&x)[N]) const
  {
    descriptor<Sum> seen[N];
#pragma unroll
    for (int j = 0; j < N; ++j) seen[j] = sums_.template read<Sum>(k + j < end ? k + j : k);  // all are on their way
#pragma unroll
    for (int j = 0; j < N; ++j) {
      bool const is_there = seen[j].status(epoch_) != tile_status::invalid;
      x[j] = is_there ? seen[j].value() : sums_.template wait<Sum>(k + j < end ? k + j : k, epoch_).value();
    }
  }

private:
  shared_board marks_, sums_;
  std::uint32_t epoch_;
};

/// Shapes of the kernels of a relay program (engine/relays.hpp).
template <class Program, class Tuning>
struct relays {
  static constexpr team_tuning numbers = relay_tuning_for<Tuning>(sizeof(typename Program::aggregate_type));

  using team_type = block<range_sums, numbers>;
  using notes     = board_notes<typename Program::aggregate_type>;
};

/// A turn a block, and no loop over turns, as of ranges.
template <class Program, class Tuning>
__global__ void __launch_bounds__(relays<Program, Tuning>::numbers.threads, relays<Program, Tuning>::numbers.min_teams)
    onepass_relay(const __grid_constant__ Program program, const __grid_constant__ shared_board board)
{
  using shape = relays<Program, Tuning>;
  extern __shared__ __align__(16) char relay_stage[];
  __shared__ typename shape::team_type::memory memory;
  typename shape::team_type const team(relay_stage, &memory);

  begin_kernel();
  extent const number = program.notes();
  auto const mine     = team.draw(board, gridDim.x, number * shape::notes::words);
  program.take(team, mine.index, typename shape::notes(board, number, mine.epoch));
}

template <relay_program Program, class Tuning>
void queue(place<Kokkos::Cuda, backend, Tuning> const& where, Program const& program, workspace<Kokkos::Cuda>& scratch)
{
  using shape        = relays<Program, Tuning>;
  extent const turns = program.turns();
  require_one_launch(where.label, turns, turns, "turns");
  auto const board = scratch.make_board<shared_words>(program.notes() * shape::notes::words);
  launch(where.space, where.label, onepass_relay<Program, Tuning>, int(turns), shape::numbers.threads,
         program.stage_bytes(shape::numbers.threads), program, board);
}

}  // namespace onepass::ONEPASS_ABI::backends::cuda
