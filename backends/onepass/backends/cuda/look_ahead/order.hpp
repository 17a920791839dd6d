// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/backends/cuda/look_ahead/prefix.hpp>
#include <onepass/backends/cuda/tuning.hpp>
#include <onepass/engine/items/canonical.hpp>

namespace onepass::ONEPASS_ABI::backends::cuda {

// What the look-ahead schedule combines between leaves and tiles, and in which order: the fastest one, or that of the
// canonical tree.

/// What is before a lane in its group of lanes, and what is up to and including it.
template <class T>
struct lane_sums {
  T before, through;
};

/// Sums of the lanes of a group, which are a whole warp here.
template <class Tuning>
struct lane_network {
  static constexpr int lanes = 32;

  template <class Algebra, class T>
  __device__ static lane_sums<T> scan(Algebra const& algebra, T const& own, int lane)
  {
    auto const through = warp_inclusive_scan(algebra, own, lane);
    auto const before  = shuffle_up(through, 1);
    return {lane == 0 ? algebra.identity() : before, through};
  }
  /// All of them, for the first lane.
  template <class Algebra, class T>
  __device__ static T reduce(Algebra const& algebra, T const& own, int lane)
  {
    return warp_reduce(algebra, own, lane);
  }
};

/// Groups of the canonical tree: folded from the left, by each of their lanes.
template <>
struct lane_network<canonical_tuning> {
  static constexpr int lanes = canonical_teams_for(1).radix;

  template <class Algebra, class T>
  __device__ static T reduce(Algebra const& algebra, T const& own, int)
  {
    auto all = algebra.identity();
#pragma unroll
    for (int k = 0; k < lanes; ++k) all = algebra.combine(all, broadcast<lanes>(own, k));
    return all;
  }
  template <class Algebra, class T>
  __device__ static lane_sums<T> scan(Algebra const& algebra, T const& own, int lane)
  {
    auto before = algebra.identity();
#pragma unroll
    for (int k = 0; k < lanes - 1; ++k) {
      auto const older = broadcast<lanes>(own, k);
      if (k < lane % lanes) before = algebra.combine(before, older);
    }
    return {before, algebra.combine(before, own)};
  }
};

/// What is before a tile of the canonical tree, kept by one warp: a lane folds neighbouring tiles, the lanes of a
/// cluster one after another, and all clusters side by side. A cluster that the tile cuts is read again next time.
template <class Program>
class cluster_prefix {
  using tree      = canonical_tree<Program>;
  using aggregate = typename Program::aggregate_type;
  using algebra   = algebra_for<Program>;
  using inside    = inside_of<Program>;  ///< what a tile publishes

  /// Neighbouring descriptors that a lane reads at once.
  static constexpr int words     = descriptor<inside>::words;
  static constexpr int in_flight = words <= 2 ? 8 : words <= 4 ? 4 : words <= 8 ? 2 : 1;
  static constexpr int window = 32 * in_flight, clusters = window / tree::radix;
  static constexpr int relay = tree::radix / in_flight;  ///< lanes of a cluster

public:
  /// Begins before the first tile; tiles have `items` items, the first of all from item 0 on.
  __device__ cluster_prefix(Program const& program, shared_board const& board, int items, extent,
                            aggregate const& beginning)
      : program_(program)
      , board_(board)
      , items_(items)
      , blocks_(beginning)
      , clusters_(Program::identity())
      , tiles_(Program::identity())
  {}

  /// Extends the prefix to the beginning of tile `mine`; by the whole warp.
  __device__ void grow(extent mine, std::uint32_t epoch, int lane)
  {
    tiles_ = Program::identity();
    for (extent first = seen_; first < mine; first += window)
      add(first, mine - first < window ? int(mine - first) : window, epoch, lane);
    seen_ = mine / tree::radix * tree::radix;
  }

  __device__ aggregate prefix() const { return program_.combine(blocks_, program_.combine(clusters_, tiles_)); }

private:
  /// Adds tiles [first, first + count), where `first` begins a cluster.
  __device__ void add(extent first, int count, std::uint32_t epoch, int lane)
  {
    descriptor<inside> found[in_flight];
    auto const tag  = descriptor<inside>::tag(epoch, tile_status::aggregate);
    auto const real = [&](int j) { return lane * in_flight + j < count; };
    auto const ask  = [&](int j) { found[j] = board_.template read<inside>(first + lane * in_flight + j); };
    bool all        = true;
#pragma unroll
    for (int j = 0; j < in_flight; ++j) {
      found[j] = descriptor<inside>::make(epoch, tile_status::aggregate, algebra::identity());
      if (real(j)) ask(j);
    }
#pragma unroll
    for (int j = 0; j < in_flight; ++j) all = all & found[j].is(tag);
    if (!all)
#pragma unroll
      for (int j = 0; j < in_flight; ++j)
        while (!found[j].is(tag)) ask(j);  // polls one word at a time: polling delays the writers
    __syncwarp();

    auto sum = Program::identity();
#pragma unroll
    for (int r = 0; r < relay; ++r) {
      auto const before = shuffle_up(sum, 1);
      if (lane % relay != r) continue;
      if (r > 0) sum = before;
#pragma unroll
      for (int j = 0; j < in_flight; ++j)
        if (real(j)) sum = algebra_of(program_).after(sum, (first + lane * in_flight + j) * items_, found[j].value());
    }
    aggregate cluster[clusters];
#pragma unroll
    for (int c = 0; c < clusters; ++c) cluster[c] = broadcast(sum, (c + 1) * relay - 1);
#pragma unroll
    for (int c = 0; c < clusters; ++c) {
      int const end = (c + 1) * tree::radix;
      if (end <= count) {
        clusters_ = program_.combine(clusters_, cluster[c]);
        if ((first + end) % tree::leaves == 0) {
          blocks_   = program_.combine(blocks_, clusters_);
          clusters_ = Program::identity();
        }
      } else if (end - tree::radix < count) tiles_ = cluster[c];
    }
  }

  Program const& program_;
  shared_board const& board_;
  int items_;
  aggregate blocks_, clusters_, tiles_;
  extent seen_ = 0;  ///< tiles of whole clusters
};

/// The numbers of the look-ahead schedule for a program: those of the tuning, or the tree's.
template <class Program, class Tuning>
constexpr pipeline_tuning pipeline_of(pipeline_load load)
{
  if constexpr (is_canonical<Tuning>) {
    constexpr int in_turn = Program::shape == output_shape::none ? 2 : 1;  // squads that write, or reduce
    return {canonical_tree<Program>::numbers.threads / 32, canonical_tree<Program>::numbers.packs, 8, in_turn};
  } else return pipeline_tuning_for<Tuning>(load);
}

/// What warps keep that look ahead on a kind of board.
template <class Board, class Program>
struct prefix_on {
  using type = growing_prefix<Program, Board>;
};

template <class Program, class Tuning, class Board>
using tile_prefix =
    std::conditional_t<is_canonical<Tuning>, cluster_prefix<Program>, typename prefix_on<Board, Program>::type>;

}  // namespace onepass::ONEPASS_ABI::backends::cuda
