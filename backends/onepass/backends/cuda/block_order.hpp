// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/backends/cuda/device.hpp>
#include <onepass/backends/cuda/warp.hpp>
#include <onepass/engine/digit_order.hpp>
#include <onepass/operators.hpp>

#include <algorithm>

namespace onepass::ONEPASS_ABI::backends::cuda {

/// A block as the team of a digit_order, its warps as groups. It has as many threads as it was launched with.
struct block_of_warps {
  static constexpr int lanes = 32;

  __device__ static int rank() { return int(threadIdx.x); }
  __device__ static int threads() { return int(blockDim.x); }
  __device__ static void barrier() { __syncthreads(); }
  __device__ static void sync() { __syncwarp(); }

  template <int N>
  __device__ __forceinline__ static void match(std::uint32_t const (&digits)[N], int width, std::uint32_t (&same)[N])
  {
#pragma unroll(N > 2 ? 1 : 4)
    for (int b = 0; b < width; ++b)
#pragma unroll
      for (int k = 0; k < N; ++k) {
        bool const set       = digits[k] >> b & 1;
        unsigned const those = __ballot_sync(all_lanes, set);
        same[k] &= set ? those : ~those;
      }
  }
  template <class Code>
  __device__ static Code any(Code code)
  {
#if __CUDA_ARCH__ >= 800
    auto const low = __reduce_or_sync(all_lanes, unsigned(code));
    if constexpr (sizeof(Code) == 4) return low;
    else return Code(__reduce_or_sync(all_lanes, unsigned(code >> 32))) << 32 | low;
#else
    return ~Code(0);
#endif
  }
  __device__ static std::uint32_t through(std::uint32_t x)
  {
    return warp_inclusive_scan(sum_of<std::uint32_t>{}, x, rank() % lanes);
  }
};

/// A sort of few items by codes of any number of bits: one block finds their order in shared memory. It has no more
/// threads than the items need. Items are read again at the end, and all before any is written, so the sort may be in
/// place.
template <class Program, int Threads, int N, int Compared, class From, class To>
struct block_sort {
  using item  = typename Program::item_type;
  using order = digit_order<std::conditional_t<sizeof(item) <= 4, std::uint32_t, std::uint64_t>, N, Compared>;

  static constexpr int threads = Threads, items = Threads * N;

  /// Threads for n items, and the memory that they take.
  static int threads_for(int n) { return std::max(int(div_up(n <= Compared ? n : div_up(n, N), 32)), 1) * 32; }
  static std::size_t bytes(int threads) { return order::bytes(threads, block_of_warps::lanes); }

  Program program;
  From from;
  To to;
  int n;

  __device__ void run(char* shared) const
  {
    order const sorted(shared, int(blockDim.x), block_of_warps::lanes);
    sorted.find(
        block_of_warps{}, n, program.bits(), [&](int j) -> item { return from.items(j); },
        [&](item const& x, int at, int width) { return code_bits(program, x, at, width); },
        [&](int bin, std::uint32_t items) { program.counted(bin, extent(items)); });

    constexpr bool moves = !is_nothing<decltype(to.items)>, moves_values = !is_nothing<decltype(to.values)>;
    using value = typename decltype(std::declval<From const&>().values)::value_type;
    item x[moves ? N : 1];
    value v[moves_values ? N : 1];
    auto const each = [&](auto const& use) {
#pragma unroll
      for (int k = 0; k < N; ++k)
        if (int const j = k * int(blockDim.x) + int(threadIdx.x); j < n) use(k, j);
    };
    each([&](int k, int j) {
      int const place = sorted.places[j];
      if constexpr (moves) x[k] = from.items(place);
      if constexpr (moves_values) v[k] = from.values(place);
    });
    __syncthreads();
    each([&](int k, int j) {
      if constexpr (moves) to.items(j) = x[k];
      if constexpr (moves_values) to.values(j) = v[k];
    });
  }
};

template <class Sort>
__global__ void __launch_bounds__(Sort::threads, 1) onepass_sort_block(const __grid_constant__ Sort sort)
{
  extern __shared__ __align__(128) char memory[];
  begin_kernel();
  sort.run(memory);
}

}  // namespace onepass::ONEPASS_ABI::backends::cuda
