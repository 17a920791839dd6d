// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/backends/cuda/warp.hpp>
#include <onepass/engine/local_order.hpp>
#include <onepass/engine/order.hpp>

namespace onepass::backends::cuda {

/// The places of a block's items in order of their digits, equal digits as they came. Item k of a lane is item
/// k * 32 + lane of its warp's stretch, and a warp's stretch follows that of the warp before.
template <int Threads, int N>
struct block_ranking {
  static constexpr int warps      = Threads / 32;
  static constexpr int items      = Threads * N;
  static constexpr int most_bins  = 1 << one_digit;
  static constexpr int bins_each  = (most_bins + Threads - 1) / Threads;  ///< bins that one thread looks after, side by side
  ONEPASS_FUNCTION static constexpr int first_item(int thread) { return thread / 32 * 32 * N + thread % 32; }

  struct memory {
    std::uint32_t seen[warps][most_bins];   ///< of a bin in a warp; then the next place of the bin in the warp
    std::uint32_t peers[warps][most_bins];  ///< lanes whose items are of the bin, while these are ranked; else 0
    std::uint32_t sums[warps];
  };

  memory& m;

  __device__ __forceinline__ static int first_bin() { return int(threadIdx.x) * bins_each; }

  __device__ __forceinline__ void clear() const
  {
    for (int i = threadIdx.x; i < warps * most_bins; i += Threads) m.seen[i / most_bins][i % most_bins] = m.peers[i / most_bins][i % most_bins] = 0;
  }

  /// After a barrier: how often every bin occurs, counted by all.
  template <class Digit>
  __device__ __forceinline__ void count(Digit const& digit) const
  {
#pragma unroll
    for (int k = 0; k < N; ++k) atomicAdd(&m.seen[threadIdx.x / 32][digit(k)], 1u);
  }

  /// After a barrier: the items of bin first_bin() + j go to `own`, and the places of all bins are made. `tell(own)` is
  /// called as soon as own is known.
  template <class Tell>
  __device__ __forceinline__ void place_bins(int bins, std::uint32_t (&own)[bins_each], std::uint32_t (&first)[bins_each], Tell const& tell) const
  {
    std::uint32_t sum = 0;
#pragma unroll
    for (int j = 0; j < bins_each; ++j) {
      const int b = first_bin() + j;
      own[j]      = 0;
      if (b < bins) {
#pragma unroll
        for (int w = 0; w < warps; ++w) {
          const auto seen = m.seen[w][b];
          m.seen[w][b]    = own[j];
          own[j] += seen;
        }
      }
      sum += own[j];
    }
    tell(own);
    auto before = bins_before(sum);
#pragma unroll
    for (int j = 0; j < bins_each; ++j) {
      const int b = first_bin() + j;
      first[j]    = before;
      if (b < bins) {
#pragma unroll
        for (int w = 0; w < warps; ++w) m.seen[w][b] += before;
      }
      before += own[j];
    }
  }

  /// After a barrier: put(k, place) for every item of this thread. Lanes find those with their digit through a word of
  /// the warp's memory; the last of them draws places for all: what it has counted up to itself is their number.
  template <class Digit, class Put>
  __device__ __forceinline__ void rank(Digit const& digit, Put const& put) const
  {
    const unsigned       own = 1u << threadIdx.x % 32, lanes_through = own | (own - 1u);
    std::uint32_t* const seen  = m.seen[threadIdx.x / 32];
    std::uint32_t* const peers = m.peers[threadIdx.x / 32];
#pragma unroll
    for (int k = 0; k < N; ++k) {
      const auto bin = digit(k);
      atomicOr(&peers[bin], own);
      __syncwarp();
      const unsigned same    = peers[bin];
      const auto     through = std::uint32_t(__popc(same & lanes_through));
      const bool     draws   = same <= lanes_through;
      std::uint32_t  next    = draws ? atomicAdd(&seen[bin], through) : 0;
      next                   = __shfl_sync(all_lanes, next, 31 - __clz(int(same)));  // all have read: the word can be cleared
      if (draws) peers[bin] = 0;
      put(k, next + through - 1);
      __syncwarp();
    }
  }

private:
  /// The sum over all threads before this one.
  __device__ __forceinline__ std::uint32_t bins_before(std::uint32_t own) const
  {
    const int  lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const auto through = warp_inclusive_scan(sum_of<std::uint32_t>{}, own, lane);
    if (lane == 31) m.sums[warp] = through;
    __syncthreads();
    auto before = through - own;
    for (int w = 0; w < warp; ++w) before += m.sums[w];
    return before;
  }
};

}  // namespace onepass::backends::cuda
