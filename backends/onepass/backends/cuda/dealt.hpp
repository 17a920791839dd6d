// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/backends/cuda/items.hpp>
#include <onepass/backends/cuda/words_of_devices.hpp>

namespace onepass::ONEPASS_ABI::backends::cuda {

// One look-ahead over the tiles of several devices. Runs of tiles go round the devices; each device's kernel draws the
// tiles of its own items, publishes their sums on the boards of all devices, and looks at the own board alone.
//
// Why waits end: each device draws its own tiles in their order, which is also their order among all tiles. Of those
// that are not reduced yet take the first of all. Those before it are reduced and published everywhere, so that their
// blocks write them and free their slots, and it is drawn; and no tile that is drawn waits before it is reduced.

/// Where the boards are, whose first words are of the first tile of all, and which tiles are here.
struct dealt_tiles {
  places_of_words boards;
  std::uint32_t run;  ///< tiles of a run

  /// The number among the tiles of all devices of one of this device's.
  __device__ extent place(extent tile) const
  {
    std::uint32_t const turn = std::uint32_t(tile) / run;
    return (extent(turn) * boards.ranks + boards.rank) * run + (std::uint32_t(tile) - turn * run);
  }
};

/// The boards of all devices as one board: tickets are drawn here, tiles are published everywhere.
struct dealt_board {
  shared_board own;  ///< whose control word gives tickets
  dealt_tiles const* tiles;

  __device__ std::uint32_t current_epoch() const { return tiles->boards.call; }
  __device__ shared_board::ticket draw(extent draws, extent) const
  {
    return {own.draw(draws, 0).index, tiles->boards.call};  // it writes no words of its own
  }
  template <class Value>
  __device__ void publish(shared_board::ticket const& mine, tile_status status, Value const& value) const
  {
    auto const made    = descriptor<Value>::make(mine.epoch, status, value);
    extent const first = tiles->place(mine.index) * descriptor<Value>::words;
    tiles->boards.each([&](std::uint64_t* board) { words_of_devices::store(board + first, made); });
  }
  /// Of a tile among those of all devices.
  template <class Value>
  __device__ descriptor<Value> read(extent tile) const
  {
    auto const& boards = tiles->boards;
    return words_of_devices::load_all<Value>(boards.of[boards.rank] + tile * descriptor<Value>::words);
  }
};

/// What is before a tile of this device grows by the tiles of all devices.
template <class Program>
struct dealt_prefix : growing_prefix<Program, dealt_board> {
  using all_tiles = growing_prefix<Program, dealt_board>;

  __device__ dealt_prefix(Program const& program, dealt_board const& board, int items, extent begin,
                          typename Program::aggregate_type const& beginning)
      : all_tiles(program, board, items, begin, beginning)
      , tiles(*board.tiles)
  {}
  __device__ void grow(extent mine, std::uint32_t epoch, int lane) { all_tiles::grow(tiles.place(mine), epoch, lane); }

  dealt_tiles const& tiles;
};
template <class Program>
struct prefix_on<dealt_board, Program> {
  using type = dealt_prefix<Program>;
};

template <class Program, class Tuning>
__global__ void __launch_bounds__(look_ahead<Program, Tuning, dealt_board>::threads, 1)
    onepass_dealt(const __grid_constant__ Program program, extent n, shared_board tickets,
                  const __grid_constant__ dealt_tiles tiles)
{
  extern __shared__ __align__(128) char memory[];
  begin_kernel();
#if __CUDA_ARCH__ >= 900
  using machine = look_ahead<Program, Tuning, dealt_board>;
  machine::run(typename machine::ring(program, n, 0, {tickets, &tiles}, memory));
#endif
}

/// How many items a tile has; 0 where the program does not run in this way. What it publishes depends on no position.
template <class Program, class Tuning>
constexpr extent dealt_tile()
{
  if constexpr (is_canonical<Tuning>) return 0;
  else if constexpr (Program::shape != output_shape::mapped) return 0;
  else if constexpr (!std::is_same_v<inside_kind<Program>, own_aggregates>) return 0;
  else if constexpr (!looks_ahead<Program, Tuning>()) return 0;
  else return look_ahead_shape<Program, Tuning, dealt_board>::items;
}

/// Whether a place takes part. The boards lie on the device that Kokkos uses where it is not told another one.
template <class Place, class Program>
bool takes_dealt(Place const& where, Program const& program, extent run, int ranks)
{
  using tuning          = typename Place::tuning;
  constexpr extent tile = dealt_tile<Program, tuning>();
  return (where.chosen == schedule::automatic || where.chosen == schedule::look_ahead) && run % tile == 0
         && run / tile < extent(1) << 31 && ranks <= places_of_words::most_ranks
         && fits_look_ahead<tuning, dealt_board>(where.space, program) && lead_of<Program, tuning>(program) == 0
         && where.space.cuda_device() == Kokkos::Cuda().cuda_device();
}

/// The board from which its blocks take tiles.
inline auto dealt_work(workspace<Kokkos::Cuda>& scratch) { return scratch.make_board<shared_words>(1); }
inline void reserve_dealt(workspace<Kokkos::Cuda>& scratch) { dealt_work(scratch); }

/// Queues the kernel of this device, whose n items are not none. All others queue theirs.
template <class Place, class Program>
void queue_dealt(Place const& where, Program const& program, extent n, std::vector<std::uint64_t*> const& boards,
                 std::uint32_t call, int rank, extent run, workspace<Kokkos::Cuda>& scratch)
{
  using tuning       = typename Place::tuning;
  using shape        = look_ahead<Program, tuning, dealt_board>;
  extent const tiles = tiles_of(n, shape::items), blocks = card_of(where.space).multiprocessors;
  dealt_tiles const all{{boards, rank, call}, std::uint32_t(run / shape::items)};
  launch(where.space, where.label, onepass_dealt<Program, tuning>, int(blocks < tiles ? blocks : tiles), shape::threads,
         shape::shared, program, n, dealt_work(scratch), all);
}

}  // namespace onepass::ONEPASS_ABI::backends::cuda
