// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/backends/cuda/warp.hpp>
#include <onepass/engine/orders.hpp>
#include <onepass/operators.hpp>

namespace onepass::ONEPASS_ABI::backends::cuda {

/// The positions of a block's items in the order of their digits, equal digits in input order. Half a warp ranks its
/// items together: item k of a lane is item k * 16 + lane of theirs, and theirs follow those of the half warps before.
///
/// These lanes share one word for each bin. Its lower half is the bin's next position. In its upper half every lane
/// whose item belongs to the bin sets a bit while one item of each lane is ranked. One addition does both, and one load
/// gives each lane its position.
template <int Threads, int N>
struct block_ranking {
  static constexpr int sharing   = 16;  ///< lanes that share a word
  static constexpr int halves    = 32 / sharing;
  static constexpr int warps     = Threads / 32;
  static constexpr int items     = Threads * N;
  static constexpr int most_bins = 1 << one_digit;
  static constexpr int bins_each =
      (most_bins + Threads - 1) / Threads;  ///< neighbouring bins that one thread takes care of
  static constexpr std::uint32_t all_places = (1u << sharing) - 1;
  static_assert(items <= int(all_places));

  /// The first item of a thread; its others are `sharing` apart.
  ONEPASS_FUNCTION static constexpr int first_item(int thread)
  {
    return thread / sharing * sharing * N + thread % sharing;
  }

  using bin_words = std::uint32_t[halves];
  struct memory {
    alignas(
        8) bin_words seen[warps][most_bins];  ///< counts; then as described above. A warp's halves use different banks
    std::uint32_t sums[warps];
  };

  memory& m;

  __device__ __forceinline__ static int first_bin() { return int(threadIdx.x) * bins_each; }

  __device__ __forceinline__ std::uint32_t* word_of(std::uint32_t bin) const
  {
    return &m.seen[threadIdx.x / 32][bin][threadIdx.x / sharing % halves];
  }

  __device__ __forceinline__ void clear() const
  {
    for (int i = threadIdx.x; i < warps * most_bins; i += Threads)
      for (auto& word : m.seen[i / most_bins][i % most_bins]) word = 0;
  }

  /// After a barrier: counts how often every bin occurs, by all threads.
  template <class Digit>
  __device__ __forceinline__ void count(Digit const& digit) const
  {
#pragma unroll
    for (int k = 0; k < N; ++k) atomicAdd(word_of(digit(k)), 1u);
  }

  /// After a barrier: `own` becomes the number of items of bin first_bin() + j, `first` the position of the first of
  /// them, and the words of all bins are filled. Calls tell(own) as soon as `own` is known.
  template <class Tell>
  __device__ __forceinline__ void place_bins(int bins, std::uint32_t (&own)[bins_each],
                                             std::uint32_t (&first)[bins_each], Tell const& tell) const
  {
    std::uint32_t sum = 0;
#pragma unroll
    for (int j = 0; j < bins_each; ++j) {
      own[j] = 0;
      if (int const b = first_bin() + j; b < bins)
#pragma unroll
        for (int w = 0; w < warps; ++w)
          for (auto const seen : m.seen[w][b]) own[j] += seen;
      sum += own[j];
    }
    tell(own);
    auto before = bins_before(sum);
#pragma unroll
    for (int j = 0; j < bins_each; ++j) {
      first[j] = before;
      if (int const b = first_bin() + j; b < bins) {
        auto next = before;
#pragma unroll
        for (int w = 0; w < warps; ++w)
          for (auto& word : m.seen[w][b]) {
            auto const seen = word;
            word            = next;
            next += seen;
          }
      }
      before += own[j];
    }
  }

  /// After a barrier: calls put(k, position) for every item of this thread.
  template <class Digit, class Put>
  __device__ __forceinline__ void rank(Digit const& digit, Put const& put) const
  {
    unsigned const bit = sharing + threadIdx.x % sharing;
#pragma unroll
    for (int k = 0; k < N; ++k) {
      std::uint32_t* const word = word_of(digit(k));
      atomicAdd(word, 1u | 1u << bit);
      __syncwarp();
      std::uint32_t const told = *word;
      __syncwarp();
      if (told >> bit == 1) *word = told & all_places;
      put(k, (told & all_places) - std::uint32_t(__popc(told >> bit)));
      __syncwarp();
    }
  }

private:
  /// The sum over all threads before this one.
  __device__ __forceinline__ std::uint32_t bins_before(std::uint32_t own) const
  {
    int const lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    auto const through = warp_inclusive_scan(sum_of<std::uint32_t>{}, own, lane);
    if (lane == 31) m.sums[warp] = through;
    __syncthreads();
    auto before = through - own;
    for (int w = 0; w < warp; ++w) before += m.sums[w];
    return before;
  }
};

}  // namespace onepass::ONEPASS_ABI::backends::cuda
