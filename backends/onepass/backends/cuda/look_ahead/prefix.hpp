// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/backends/cuda/board.hpp>
#include <onepass/backends/cuda/warp.hpp>

namespace onepass::ONEPASS_ABI::backends::cuda {

/// The prefix of everything before a tile, kept by one warp: from tile to tile it grows by the aggregates of the tiles
/// between, so no inclusive prefix is ever published.
template <class Program, class Board = shared_board>
class growing_prefix {
  using aggregate = typename Program::aggregate_type;
  using algebra   = algebra_for<Program>;
  using inside    = inside_of<Program>;  ///< what a tile publishes

  /// Descriptors that a lane reads at once: 32 apart (coalesced), or neighbours if the operator does not commute.
  static constexpr int words         = descriptor<inside>::words;
  static constexpr int in_flight     = words <= 3 ? 5 : words <= 5 ? 3 : words <= 8 ? 2 : 1;
  static constexpr bool side_by_side = algebra::in_any_order;
  static constexpr int window        = 32 * in_flight;

  /// The tiles of one lane. Of all lanes' tiles the first `left` exist; number 0 begins with item `begin`.
  struct some_tiles {
    static constexpr int count = in_flight;
    descriptor<inside> found[count];
    int lane, left, items;
    extent begin;

    __device__ int number(int j) const { return side_by_side ? 32 * j + lane : lane * count + j; }
    __device__ bool real(int j) const { return number(j) < left; }
    __device__ extent first(extent tile) const { return begin + tile * items; }
    __device__ inside value(int j) const { return found[j].value(); }
  };

public:
  /// Begins with what precedes all items; tiles have `items` items, the first of all from item `begin` on.
  __device__ growing_prefix(Program const& program, Board const& board, int items, extent begin,
                            aggregate const& beginning)
      : program_(program)
      , board_(board)
      , items_(items)
      , begin_(begin)
      , prefix_(beginning)
  {}

  /// Extends the prefix to the beginning of tile `mine`; by the whole warp.
  __device__ void grow(extent mine, std::uint32_t epoch, int lane)
  {
    for (; seen_ < mine; seen_ += window) {
      int const left = mine - seen_ < window ? int(mine - seen_) : window;
      some_tiles tiles{.lane = lane, .left = left, .items = items_, .begin = begin_ + seen_ * items_};
      auto const tag = descriptor<inside>::tag(epoch, tile_status::aggregate);
      auto const ask = [&](int j) { tiles.found[j] = board_.template read<inside>(seen_ + tiles.number(j)); };
      bool all       = true;
#pragma unroll
      for (int j = 0; j < in_flight; ++j) {
        tiles.found[j] = descriptor<inside>::make(epoch, tile_status::aggregate, algebra::identity());
        if (tiles.real(j)) ask(j);
      }
#pragma unroll
      for (int j = 0; j < in_flight; ++j) all = all & tiles.found[j].is(tag);
      if (!all)
#pragma unroll
        for (int j = 0; j < in_flight; ++j)
          while (!tiles.found[j].is(tag)) ask(j);  // polls one word at a time: polling delays the writers
      __syncwarp();
      prefix_ = algebra_of(program_).grown(whole_warp{lane}, prefix_, tiles);
    }
    seen_ = mine;
  }

  /// Valid in lane 0 only.
  __device__ aggregate const& prefix() const { return prefix_; }

private:
  Program const& program_;
  Board const& board_;
  int items_;
  extent begin_;
  aggregate prefix_;
  extent seen_ = 0;
};

}  // namespace onepass::ONEPASS_ABI::backends::cuda
