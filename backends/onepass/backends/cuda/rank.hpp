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
    std::uint32_t seen[warps][most_bins];  ///< of a bin in a warp; then the next place of the bin in the warp
    std::uint32_t sums[warps];
  };

  memory& m;

  __device__ __forceinline__ static int first_bin() { return int(threadIdx.x) * bins_each; }

  __device__ __forceinline__ void clear() const
  {
    for (int i = threadIdx.x; i < warps * most_bins; i += Threads) m.seen[i / most_bins][i % most_bins] = 0;
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

  /// After a barrier: the place of every item of this thread. Items are taken four at a time, whose waits overlap.
  template <class Digit>
  __device__ __forceinline__ void rank(Digit const& digit, std::uint32_t (&place)[N]) const
  {
    constexpr int  together    = 4;
    const unsigned lanes_below = (1u << threadIdx.x % 32) - 1u;
    std::uint32_t* seen        = m.seen[threadIdx.x / 32];
#pragma unroll
    for (int first = 0; first < N; first += together) {
      unsigned peers[together];  // the lanes whose digit is this lane's
#pragma unroll
      for (int g = 0; g < together; ++g) peers[g] = all_lanes;
#pragma unroll
      for (int b = 0; b < one_digit; ++b) {
#pragma unroll
        for (int g = 0; g < together; ++g)
          if (first + g < N) {
            const bool     bit   = digit(first + g) & 1u << b;
            const unsigned votes = __ballot_sync(all_lanes, bit);
            peers[g] &= bit ? votes : ~votes;
          }
      }
      std::uint32_t next[together] = {};
#pragma unroll
      for (int g = 0; g < together; ++g)
        if (first + g < N && (peers[g] & lanes_below) == 0) next[g] = atomicAdd(seen + digit(first + g), std::uint32_t(__popc(peers[g])));
#pragma unroll
      for (int g = 0; g < together; ++g)
        if (first + g < N) place[first + g] = __shfl_sync(all_lanes, next[g], __ffs(int(peers[g])) - 1) + __popc(peers[g] & lanes_below);
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
