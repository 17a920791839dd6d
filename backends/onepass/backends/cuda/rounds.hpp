// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/backends/cuda/device.hpp>
#include <onepass/backends/cuda/each.hpp>
#include <onepass/backends/cuda/team.hpp>
#include <onepass/backends/cuda/tuning.hpp>
#include <onepass/engine/rounds.hpp>
#include <onepass/execution/place.hpp>

#include <algorithm>

namespace onepass::ONEPASS_ABI::backends::cuda {

/// The shape of the kernels of a round program (engine/rounds.hpp). Few tiles have kernels of their own.
template <class Program, class Tuning, round_kind Kind>
struct rounds {
  static constexpr team_tuning numbers = round_tuning_for<Tuning>(sizeof(typename Program::item), Kind);

  using team_type = block<range_sums, numbers>;

  static constexpr int each           = Program::each(numbers);
  static constexpr int positions      = positions_of_round<Program>(numbers);
  static constexpr std::size_t stage  = (std::size_t(Program::stage_words(numbers)) * 4 + 15) / 16 * 16;
  static constexpr std::size_t shared = stage + sizeof(typename team_type::memory);

  /// The team of a block that has so much shared memory.
  static __device__ team_type team(char* memory)
  {
    return team_type(memory, reinterpret_cast<typename team_type::memory*>(memory + stage));
  }
};

/// Whether the progress of rounds is cleared by a kernel before the first one. Of few tiles each block of the later
/// ones rather looks at what all of them have told.
template <round_kind Kind>
inline constexpr bool clears_progress = Kind == round_kind::any;

/// The first round: a tile a block.
template <class Program, class Tuning, round_kind Kind>
__global__ void __launch_bounds__(round_tuning_for<Tuning>(sizeof(typename Program::item), Kind).threads,
                                  round_tuning_for<Tuning>(sizeof(typename Program::item), Kind).min_teams)
    onepass_first_round(const __grid_constant__ Program program)
{
  using shape = rounds<Program, Tuning, Kind>;
  extern __shared__ __align__(128) char memory[];
  auto const team = shape::team(memory);
  begin_kernel();
  [[maybe_unused]] int const more = begin_rounds<Program, shape::each>(program, team, blockIdx.x);
  if constexpr (!Program::knows_rounds)
    if (gridDim.x > 1 && team.rank() == 0) {
      if constexpr (clears_progress<Kind>) {
        if (more > 0) atomicMax(&program.progress->rounds, unsigned(more));
      } else if (blockIdx.x == 0) program.progress->drawn = program.progress->done = 0;
    }
}

/// A later round that is known: a tile a block.
template <class Program, class Tuning, round_kind First, round_kind Later>
__global__ void __launch_bounds__(round_tuning_for<Tuning>(sizeof(typename Program::item), Later).threads,
                                  round_tuning_for<Tuning>(sizeof(typename Program::item), Later).min_teams)
    onepass_later_round(const __grid_constant__ Program program, int round)
{
  using shape          = rounds<Program, Tuning, Later>;
  constexpr int before = rounds<Program, Tuning, First>::positions;
  static_assert(before % shape::positions == 0);
  extern __shared__ __align__(128) char memory[];
  auto const team = shape::team(memory);
  begin_kernel();
  go_on_with_rounds<Program, shape::each>(program, team, before, round, blockIdx.x);
}

/// The shape of the kernel that finds what tiles of such a round want to know.
template <class Program, class Tuning>
struct round_seeks {
  static constexpr int threads = tile_tuning_for<Tuning>().threads;
  static constexpr int stage   = Program::seek_words(threads) * 4;
  static constexpr int tiles   = threads / Program::seekers;  ///< of a block
  using team_type              = block<range_sums, team_tuning{.threads = threads}>;
};
template <class Program, class Tuning>
__global__ void __launch_bounds__(tile_tuning_for<Tuning>().threads)
    onepass_seek_for_round(const __grid_constant__ Program program, int round)
{
  using shape = round_seeks<Program, Tuning>;
  __shared__ __align__(16) char stage[shape::stage];
  typename shape::team_type const team(stage, nullptr);
  begin_kernel();
  program.seek(team, rounds<Program, Tuning, round_kind::later>::positions,
               rounds<Program, Tuning, round_kind::first>::positions, round, blockIdx.x);
}

/// How many rounds have to follow a first one that tells.
template <round_kind Kind, class Program, class Team>
__device__ unsigned told_rounds(Program const& program, Team const& team, extent tiles)
{
  if constexpr (clears_progress<Kind>) return program.progress->rounds;
  else {
    __shared__ unsigned most;
    if (team.rank() == 0) most = 0;
    __syncthreads();
    unsigned own = 0;
    for (extent tile = 1 + team.rank(); tile < tiles; tile += Team::threads)
      own = max(own, unsigned(program.told_rounds(tile)));
    if (own > 0) atomicMax(&most, own);
    __syncthreads();
    return most;
  }
}

/// All others: blocks draw tickets, round by round. A tile waits until every tile of the rounds before is done; these
/// have been drawn by blocks that run, and none of them waits for a tile drawn later.
template <class Program, class Tuning, round_kind Kind>
__global__ void __launch_bounds__(round_tuning_for<Tuning>(sizeof(typename Program::item), Kind).threads,
                                  round_tuning_for<Tuning>(sizeof(typename Program::item), Kind).min_teams)
    onepass_next_rounds(const __grid_constant__ Program program, extent tiles)
{
  using shape = rounds<Program, Tuning, Kind>;
  extern __shared__ __align__(128) char memory[];
  __shared__ std::uint64_t drawn;
  auto const team = shape::team(memory);
  begin_kernel();
  auto& progress           = *program.progress;
  std::uint64_t const last = told_rounds<Kind>(program, team, tiles) * std::uint64_t(tiles);
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
    go_on_with_rounds<Program, shape::each>(program, team, shape::positions, 1 + int(mine / std::uint64_t(tiles)),
                                            extent(mine % std::uint64_t(tiles)));
    __syncthreads();  // all have written and have read their ticket
    if (team.rank() == 0) {
      __threadfence();
      shared_words::fetch_add(&progress.done, 1);
    }
  }
}

template <class Tuning>
digits_tuning digits_of(place<Kokkos::Cuda, backend, Tuning> const&, std::size_t bytes)
{
  return digits_tuning_for<Tuning>(bytes);
}

/// The tiles of so many keys are few: a thread takes three items at least.
template <class Tuning>
merges_tuning merges_of(place<Kokkos::Cuda, backend, Tuning> const& where, int bits, bool values)
{
  merges_tuning wanted = merges_tuning_for<Tuning>(bits, values);
  if (!is_tiny<Tuning>) {
    extent const blocks = card_of(where.space).multiprocessors;
    wanted.to           = std::min(wanted.to, blocks * 3 * round_tuning_for<Tuning>(8, round_kind::few).threads);
  }
  return wanted;
}

/// Which rounds n positions begin with: first or few, or the only one; if what follows is not known, any, or of few
/// tiles few_later; of segments that are long on average few. Without the mean there are no fewer tiles than with it.
template <class Program, class Tuning>
round_kind kind_of_rounds(place<Kokkos::Cuda, backend, Tuning> const& where, extent n, extent mean = 0)
{
  auto const& device = card_of(where.space);
  auto const numbers = few_tiles_for<Tuning>(sizeof(typename Program::item), device.multiprocessors);
  if constexpr (has_few_tiles<Program>) return round_kind::few;
  else if constexpr (Program::knows_rounds) {
    using few          = rounds<Program, Tuning, round_kind::few>;
    extent const tiles = tiles_of_round<Program>(few::numbers, n);
    bool const fits    = few::shared <= device.most_shared;
    if (n <= rounds<Program, Tuning, round_kind::only>::positions) return round_kind::only;
    extent const large = div_up(n, rounds<Program, Tuning, round_kind::first>::positions);
    bool const spares  = Program::most_rounds(large) < Program::most_rounds(tiles);
    return fits && numbers.known(n, tiles, spares) ? round_kind::few : round_kind::first;
  } else {
    using some         = rounds<Program, Tuning, round_kind::few_later>;
    extent const tiles = tiles_of_round<Program>(some::numbers, n);
    if constexpr (Program::sorts_by_lanes) {
      using large     = rounds<Program, Tuning, round_kind::few>;
      bool const fits = large::shared <= device.most_shared;
      if (fits && numbers.large(tiles_of_round<Program>(large::numbers, n), tiles, mean)) return round_kind::few;
    }
    if (n <= some::numbers.threads) return round_kind::any;
    return tiles <= numbers.most_told ? round_kind::few_later : round_kind::any;
  }
}

/// The tiles of so many positions.
template <class Program, class Tuning>
round_tiles tiles_of_rounds(std::type_identity<Program>, place<Kokkos::Cuda, backend, Tuning> const& where, extent n,
                            extent mean = 0)
{
  auto const kind = kind_of_rounds<Program>(where, n, mean);
  if (kind == round_kind::few)
    return {tiles_of_round<Program>(rounds<Program, Tuning, round_kind::few>::numbers, n), 0};
  if constexpr (Program::knows_rounds) {
    if (kind == round_kind::only) return {n > 0, 0};
    extent const first = div_up(n, rounds<Program, Tuning, round_kind::first>::positions),
                 later = div_up(n, rounds<Program, Tuning, round_kind::later>::positions);
    return {first, first > 1 && later >= round_seek_from<Tuning>() ? later : 0};
  } else if (kind == round_kind::few_later)
    return {tiles_of_round<Program>(rounds<Program, Tuning, round_kind::few_later>::numbers, n), 0};
  else return {tiles_of_round<Program>(rounds<Program, Tuning, round_kind::any>::numbers, n), 0};
}

/// Queues the first round, or the only one.
template <round_kind Kind, round_program Program, class Tuning>
void queue_first_round(place<Kokkos::Cuda, backend, Tuning> const& where, Program const& program, extent tiles)
{
  using shape = rounds<Program, Tuning, Kind>;
  launch(where.space, where.label, onepass_first_round<Program, Tuning, Kind>, int(tiles), shape::numbers.threads,
         shape::shared, program);
}

/// Queues rounds that are known: a kernel each, or two.
template <round_kind First, round_kind Later, round_program Program, class Tuning>
void queue_known_rounds(place<Kokkos::Cuda, backend, Tuning> const& where, Program const& program, extent runs)
{
  using later        = rounds<Program, Tuning, Later>;
  using seeks        = round_seeks<Program, Tuning>;
  extent const tiles = div_up(program.size(), later::positions);
  require_one_launch(where.label, tiles, program.size(), "positions");
  queue_first_round<First>(where, program, runs);
  for (int round = 1; round <= Program::most_rounds(runs); ++round) {
    if constexpr (First != round_kind::few)
      if (program.splits)
        launch(where.space, where.label + " (splits)", onepass_seek_for_round<Program, Tuning>,
               int(div_up(tiles, seeks::tiles)), seeks::threads, 0, program, round);
    launch(where.space, where.label + " (round)", onepass_later_round<Program, Tuning, First, Later>, int(tiles),
           later::numbers.threads, later::shared, program, round);
  }
}

/// Queues rounds that the first one tells: a kernel for one tile, two for few ones, else three.
template <round_kind Kind, round_program Program, class Tuning>
void queue_told_rounds(place<Kokkos::Cuda, backend, Tuning> const& where, Program const& program, extent tiles)
{
  using shape      = rounds<Program, Tuning, Kind>;
  auto const& exec = where.space;
  if (clears_progress<Kind> && tiles > 1)
    queue_each(exec, where.label + " (clear)", sizeof(round_progress) / sizeof(std::uint32_t),
               clear_words{reinterpret_cast<std::uint32_t*>(program.progress)});
  queue_first_round<Kind>(where, program, tiles);
  if (tiles > 1)
    launch(exec, where.label + " (rounds)", onepass_next_rounds<Program, Tuning, Kind>,
           int(std::min<extent>(tiles, card_of(exec).multiprocessors * shape::numbers.min_teams)),
           shape::numbers.threads, shape::shared, program, tiles);
}

template <round_program Program, class Tuning>
void queue_program(place<Kokkos::Cuda, backend, Tuning> const& where, Program const& program)
{
  extent mean = 0;
  if constexpr (!Program::knows_rounds) mean = program.mean();
  extent const tiles = tiles_of_rounds(std::type_identity<Program>{}, where, program.size(), mean).first;
  require_one_launch(where.label, tiles, program.size(), "positions");
  if (tiles == 0) return;
  auto const kind = kind_of_rounds<Program>(where, program.size(), mean);
  if constexpr (has_few_tiles<Program>) {
    queue_known_rounds<round_kind::few, round_kind::few_later>(where, program, tiles);
  } else if constexpr (Program::knows_rounds) {
    if (kind == round_kind::only) return queue_first_round<round_kind::only>(where, program, tiles);
    if constexpr (few_tiles_for<Tuning>(sizeof(typename Program::item), 1).most_known > 0)
      if (kind == round_kind::few)
        return queue_known_rounds<round_kind::few, round_kind::few_later>(where, program, tiles);
    queue_known_rounds<round_kind::first, round_kind::later>(where, program, tiles);
  } else if (kind == round_kind::few) {
    if constexpr (Program::sorts_by_lanes) queue_told_rounds<round_kind::few>(where, program, tiles);
  } else if (kind == round_kind::few_later) queue_told_rounds<round_kind::few_later>(where, program, tiles);
  else queue_told_rounds<round_kind::any>(where, program, tiles);
}

}  // namespace onepass::ONEPASS_ABI::backends::cuda
