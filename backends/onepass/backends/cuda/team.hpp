// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/backends/cuda/board.hpp>
#include <onepass/backends/cuda/warp.hpp>
#include <onepass/engine/items/tile.hpp>
#include <onepass/engine/raking.hpp>
#include <onepass/execution/tuning.hpp>

namespace onepass::ONEPASS_ABI::backends::cuda {

/// A thread block as the engine's team.
template <class Program, team_tuning Numbers>
class block {
  using aggregate            = typename Program::aggregate_type;
  static constexpr int warps = Numbers.threads / 32;
  template <class Algebra>
  using rake = raking<Numbers.threads, Numbers.radix, typename Algebra::aggregate_type>;

  /// Memory for a scan of the threads' sums.
  template <class Sum>
  union network {
    Sum sums[warps];
    typename std::conditional_t<Numbers.network == block_network::raking, raking<Numbers.threads, Numbers.radix, Sum>,
                                raking<1, 1, aggregate>>::memory raked;
  };

public:
  static constexpr int threads = Numbers.threads;

  struct memory {
    union {
      network<aggregate> sums;
      network<inside_of<Program>> inside;
    };
    aggregate prefix;
    std::uint64_t ticket;
  };

  ONEPASS_FUNCTION block(char* stage, memory* shared)
      : stage_(stage)
      , shared_(shared)
  {}

  ONEPASS_FUNCTION char* stage() const { return stage_; }
  ONEPASS_FUNCTION int rank() const
  {
#ifdef __CUDA_ARCH__
    return int(threadIdx.x);
#else
    return 0;
#endif
  }
  ONEPASS_FUNCTION whole_warp warp() const { return {rank() % 32}; }
  __device__ part_of_warp<8> part() const { return part_of_warp<8>(rank() % 32); }
  ONEPASS_FUNCTION void barrier() const
  {
#ifdef __CUDA_ARCH__
    __syncthreads();
#endif
  }

  __device__ shared_board::ticket draw(shared_board const& board, extent draws, extent used) const
  {
    if (rank() == 0) shared_->ticket = board.draw(draws, used).word();
    __syncthreads();
    return shared_board::ticket::of(shared_->ticket);
  }

  template <class Algebra>
  ONEPASS_FUNCTION auto exclusive_scan(Algebra const& algebra, typename Algebra::aggregate_type const& own,
                                       typename Algebra::aggregate_type& total) const
  {
#ifdef __CUDA_ARCH__
    if constexpr (Numbers.network == block_network::raking)
      return rake<Algebra>::exclusive_scan(*this, memory_for<Algebra>().raked, algebra, own, total);
    else {
      int const lane = rank() % 32, warp = rank() / 32;
      auto& sums         = memory_for<Algebra>().sums;
      auto const through = warp_inclusive_scan(algebra, own, lane);
      auto before        = shuffle_up(through, 1);
      if (lane == 0) before = Algebra::identity();
      if (lane == 31) sums[warp] = through;
      __syncthreads();
      auto const sum = combine_warps(algebra, sums, warp);
      total          = sum.all;
      return algebra.combine(sum.before, before);
    }
#else
    return own;
#endif
  }

  /// The first warp reads 32 tiles at once, the nearest in lane 0, and goes back until one of them has an inclusive
  /// prefix.
  ///
  /// Source: look-back by a warp, Merrill & Garland 2016; see docs/references.md.
  ONEPASS_FUNCTION aggregate look_back(Program const& program, shared_board const& board,
                                       shared_board::ticket const& mine) const
  {
#ifdef __CUDA_ARCH__
    if (rank() < 32) {
      __syncwarp();  // lane 0 publishes before others poll: they could starve it, and thereby every later tile
      auto prefix = Program::identity();
      for (extent last = mine.index - 1;; last -= 32) {
        extent const tile = last - rank();
        auto value        = Program::identity();
        bool ends         = true;
        if (tile >= 0) {
          auto const seen = board.template wait<aggregate>(tile, mine.epoch);
          value           = seen.value();
          ends            = seen.status(mine.epoch) == tile_status::inclusive_prefix;
        }
        __syncwarp();
        unsigned const inclusive = __ballot_sync(all_lanes, ends);
        int const used           = inclusive ? __ffs(int(inclusive)) : 32;
        if (rank() >= used) value = Program::identity();
        auto const older = warp_reduce<true>(program, value, rank());
        if (rank() == 0) prefix = program.combine(older, prefix);  // other lanes' results are not used
        if (inclusive) break;
      }
      if (rank() == 0) shared_->prefix = prefix;
    }
    __syncthreads();
    return shared_->prefix;
#else
    return Program::identity();
#endif
  }

private:
  template <class Algebra>
  ONEPASS_FUNCTION network<typename Algebra::aggregate_type>& memory_for() const
  {
    if constexpr (std::is_same_v<Algebra, Program>) return shared_->sums;
    else return shared_->inside;
  }

  char* stage_;
  memory* shared_;
};

}  // namespace onepass::ONEPASS_ABI::backends::cuda
