// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/backends/cuda/board.hpp>
#include <onepass/backends/cuda/device.hpp>
#include <onepass/backends/cuda/team.hpp>
#include <onepass/backends/cuda/tuning.hpp>
#include <onepass/engine/ranges.hpp>
#include <onepass/engine/relays.hpp>
#include <onepass/execution/place.hpp>

#include <algorithm>

namespace onepass::ONEPASS_ABI::backends::cuda {

/// Shapes of the kernels of a relay program (engine/relays.hpp).
template <class Program, class Tuning>
struct relays {
  static constexpr std::size_t sum_bytes = [] {
    if constexpr (sharing_program<Program>) return sizeof(typename Program::aggregate_type);
    else return 0;
  }();
  static constexpr relay_weight weight = [] {
    if constexpr (requires { Program::weight; }) return Program::weight;
    else return relay_weight::full;
  }();
  static constexpr team_tuning numbers = relay_tuning_for<Tuning>(sum_bytes, weight);

  using team_type = block<range_sums, numbers>;
};

/// A turn a block, and no loop over turns, as of ranges.
template <class Program, class Tuning>
__global__ void __launch_bounds__(relays<Program, Tuning>::numbers.threads, relays<Program, Tuning>::numbers.min_teams)
    onepass_relay(const __grid_constant__ Program program)
{
  using team_type = typename relays<Program, Tuning>::team_type;
  extern __shared__ __align__(16) char relay_stage[];
  __shared__ typename team_type::memory memory;

  begin_kernel();
  program.take(team_type(relay_stage, &memory), extent(blockIdx.x));
}

template <relay_program Program, class Tuning>
  requires(!sharing_program<Program>)
void queue_program(place<Kokkos::Cuda, backend, Tuning> const& where, Program const& program)
{
  using shape        = relays<Program, Tuning>;
  extent const turns = program.turns();
  require_one_launch(where.label, turns, turns, "turns");
  launch(where.space, where.label, onepass_relay<Program, Tuning>, int(turns), shape::numbers.threads,
         program.stage_bytes(shape::numbers.threads), program);
}

/// What the sharers of a launch leave each other, on its board: first a count each, {tag, how many came}, then sums.
/// The tag is that of an aggregate, as words of all launches have one: no older word is mistaken for a count. Whoever
/// comes first in a launch begins its count anew; the last one clears it, so that it is not met when its epoch comes
/// round.
template <class Sum>
class board_notes {
public:
  static constexpr int words = 1 + descriptor<Sum>::words;  ///< of a count and a sum

  __device__ board_notes(shared_board const& board, extent number, std::uint32_t epoch)
      : counts_(board.words)
      , sums_(board)
      , epoch_(epoch)
  {
    sums_.words += number;
  }

  __device__ void leave_sum(extent k, Sum const& x) const { sums_.publish({k, epoch_}, tile_status::aggregate, x); }
  __device__ bool last_of(extent k, extent all) const
  {
    auto* const count = reinterpret_cast<unsigned long long*>(counts_ + k);
    auto const seen   = shared_words::load(counts_ + k);
    auto const tag    = descriptor<Sum>::tag(epoch_, tile_status::aggregate);
    if (std::uint32_t(seen >> 32) != tag) atomicCAS(count, seen, std::uint64_t(tag) << 32);  // or another did
    __threadfence();
    bool const is_last = extent(std::uint32_t(atomicAdd(count, 1))) == all - 1;
    __threadfence();
    if (is_last) shared_words{}.store(counts_ + k, 0);
    return is_last;
  }
  template <int N>
  __device__ void sums(extent k, extent end, Sum (&x)[N]) const
  {
#pragma unroll
    for (int j = 0; j < N; ++j) x[j] = sums_.template read<Sum>(k + j < end ? k + j : k).value();
  }

private:
  std::uint64_t* counts_;
  shared_board sums_;
  std::uint32_t epoch_;
};

/// The same, and behind the turns those who share. These draw tickets for the sake of the epoch alone, which
/// thread 0 knows.
template <class Program, class Tuning>
__global__ void __launch_bounds__(relays<Program, Tuning>::numbers.threads, relays<Program, Tuning>::numbers.min_teams)
    onepass_shared_relay(const __grid_constant__ Program program, const __grid_constant__ shared_board board)
{
  using team_type = typename relays<Program, Tuning>::team_type;
  using notes     = board_notes<typename Program::aggregate_type>;
  extern __shared__ __align__(16) char relay_stage[];
  __shared__ typename team_type::memory memory;
  team_type const team(relay_stage, &memory);

  begin_kernel();
  extent const turns = program.turns(), turn = extent(blockIdx.x);
  if (turn < turns) return program.take(team, turn);
  extent const sharers = program.sharers();
  shared_board::ticket mine{};
  if (threadIdx.x == 0) mine = shared_board::ticket::of(shared_words::fetch_add(board.control, 1));
  auto const found = program.look(team, turn - turns);  // meanwhile the ticket comes
  if (threadIdx.x == 0 && mine.index == sharers - 1) board.close(mine.epoch, sharers * notes::words);
  program.share(team, turn - turns, found, notes(board, sharers, mine.epoch));
}

template <sharing_program Program, class Tuning>
void queue_program(place<Kokkos::Cuda, backend, Tuning> const& where, Program const& program,
                   workspace<Kokkos::Cuda>& scratch)
{
  using shape        = relays<Program, Tuning>;
  extent const turns = program.turns() + program.sharers();
  require_one_launch(where.label, turns, turns, "turns");
  auto const board = scratch.make_board<shared_words>(
      std::max<extent>(program.sharers() * board_notes<typename Program::aggregate_type>::words, 1));
  launch(where.space, where.label, onepass_shared_relay<Program, Tuning>, int(turns), shape::numbers.threads,
         program.stage_bytes(shape::numbers.threads), program, board);
}

}  // namespace onepass::ONEPASS_ABI::backends::cuda
