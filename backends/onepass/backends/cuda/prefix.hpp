// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/backends/cuda/board.hpp>
#include <onepass/backends/cuda/warp.hpp>

namespace onepass::backends::cuda {

/// What one warp knows of everything before a tile: it grows from tile to tile by the aggregates of those between, so
/// no inclusive prefix is ever published.
template <class Program>
class growing_prefix {
  using aggregate = typename Program::aggregate_type;
  using algebra   = algebra_for<Program>;
  using inside    = inside_of<Program>;  ///< what a tile publishes

  static constexpr bool tallies = std::is_same_v<inside, flag_tally>;
  static constexpr bool parts   = std::is_same_v<inside, part_tally>;
  static constexpr bool sums    = []() -> bool {  ///< of which the operands may be swapped
    if constexpr (sums_by_flags<algebra>) return algebra::commutes;
    else return false;
  }();

  /// Descriptors a lane asks for at once: side by side with the other lanes, or neighbours, where the order counts.
  static constexpr int in_flight     = descriptor<inside>::words <= 2 ? 5 : descriptor<inside>::words <= 4 ? 3 : 1;
  static constexpr bool side_by_side = tallies || parts || sums || Program::commutes;
  static constexpr int window        = 32 * in_flight;

  __device__ static int which(int j, int lane) { return side_by_side ? 32 * j + lane : lane * in_flight + j; }

public:
  /// Nothing is before yet; tiles have `items` items.
  __device__ growing_prefix(Program const& program, shared_board const& board, int items)
      : program_(program)
      , board_(board)
      , items_(items)
      , prefix_(program.initial())
  {}

  /// Goes on to the beginning of tile `mine`; by the whole warp.
  __device__ void grow(extent mine, std::uint32_t epoch, int lane)
  {
    for (; seen_ < mine; seen_ += window) {
      int const left = mine - seen_ < window ? int(mine - seen_) : window;
      auto const tag = descriptor<inside>::tag(epoch, tile_status::aggregate);
      descriptor<inside> found[in_flight];  // where there is no tile, what changes nothing
      auto const ask = [&](int j) { found[j] = board_.template read<inside>(seen_ + which(j, lane)); };
      bool all       = true;
#pragma unroll
      for (int j = 0; j < in_flight; ++j) {
        found[j] = descriptor<inside>::make(epoch, tile_status::aggregate, algebra::identity());
        if (which(j, lane) < left) ask(j);
      }
#pragma unroll
      for (int j = 0; j < in_flight; ++j) all = all & found[j].is(tag);
      if (!all)
#pragma unroll
        for (int j = 0; j < in_flight; ++j)
          while (!found[j].is(tag)) ask(j);  // one after the other: who asks more slows the others down
      __syncwarp();
      combine(found, left, lane);
    }
    seen_ = mine;
  }

  /// Of use in lane 0 alone.
  __device__ aggregate const& prefix() const { return prefix_; }

private:
  __device__ void combine(descriptor<inside> const (&found)[in_flight], int left, int lane)
  {
    if constexpr (tallies) {
      unsigned count = 0, latest = 0;  // the last flag: of which tile, and its position + 1
#pragma unroll
      for (int j = 0; j < in_flight; ++j) {
        flag_tally const flags = found[j].value();
        count += unsigned(flags.count());
        if (flags.latest() >= 0) latest = unsigned(which(j, lane)) << 16 | unsigned(flags.latest() + 1);
      }
      count   = __reduce_add_sync(all_lanes, count);
      latest  = __reduce_max_sync(all_lanes, latest);
      prefix_ = program_.after(prefix_, extent(count), (seen_ + (latest >> 16)) * items_ + extent(latest & 0xffff) - 1);
    } else if constexpr (parts) {
      unsigned first = 0, second = 0;
#pragma unroll
      for (int j = 0; j < in_flight; ++j)
        first += unsigned(found[j].value().first()), second += unsigned(found[j].value().second());
      prefix_ = program_.after(prefix_, __reduce_add_sync(all_lanes, first), __reduce_add_sync(all_lanes, second));
    } else if constexpr (sums) {
      auto const local = algebra_of(program_);
      unsigned flags = 0, latest = 0;  // the last tile with a flag
#pragma unroll
      for (int j = 0; j < in_flight; ++j) {
        auto const here = found[j].value().flags;
        flags += here;
        if (here) latest = unsigned(which(j, lane));
      }
      flags    = __reduce_add_sync(all_lanes, flags);
      latest   = __reduce_max_sync(all_lanes, latest);
      auto sum = local.identity().sum;
#pragma unroll
      for (int j = 0; j < in_flight; ++j)
        if (unsigned(which(j, lane)) >= latest) sum = local.sums.combine(sum, found[j].value().sum);
      sum = warp_reduce(local.sums, sum, lane);
      if (lane == 0) prefix_ = program_.through(prefix_, {flags, sum});
    } else {
      auto sum = Program::identity();
#pragma unroll
      for (int j = 0; j < in_flight; ++j)
        if (which(j, lane) < left) sum = through(program_, sum, (seen_ + which(j, lane)) * items_, found[j].value());
      __syncwarp();
      prefix_ = program_.combine(prefix_, broadcast(warp_reduce(program_, sum, lane), 0));
    }
  }

  Program const& program_;
  shared_board const& board_;
  int items_;
  aggregate prefix_;
  extent seen_ = 0;
};

}  // namespace onepass::backends::cuda
