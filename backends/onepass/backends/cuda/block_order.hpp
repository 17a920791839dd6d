// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/backends/cuda/device.hpp>
#include <onepass/backends/cuda/rank.hpp>
#include <onepass/engine/merge_order.hpp>

namespace onepass::backends::cuda {

/// Writes n items and values, N of each thread, all of which are read before the first is written.
template <int N, class To, class Item, class Value>
__device__ __forceinline__ void write_all(int n, To const& to, Item const& item, Value const& value)
{
  auto const write = [&](auto const& out, auto const& of) {
    std::decay_t<decltype(of(0))> x[N];
    auto const at = [](int k) { return k * int(blockDim.x) + int(threadIdx.x); };
#pragma unroll
    for (int k = 0; k < N; ++k)
      if (at(k) < n) x[k] = of(at(k));
    __syncthreads();
#pragma unroll
    for (int k = 0; k < N; ++k)
      if (at(k) < n) out(at(k)) = x[k];
  };
  if constexpr (!is_nothing<decltype(to.values)>) write(to.values, value);
  if constexpr (!is_nothing<decltype(to.items)>) write(to.items, item);
}

/// A sort of few items by one digit: one block holds them all. Each item is accompanied by its position in the input,
/// by which its value is loaded at the end. Everything is read before anything is written, so the sort may be in place.
template <class Program, int Threads, int N, class From, class To>
struct block_sort_by_digit {
  using item    = typename Program::item_type;
  using value   = typename decltype(std::declval<From const&>().values)::value_type;
  using ranking = block_ranking<Threads, N>;

  static constexpr int threads = Threads, items = ranking::items;
  static constexpr bool valued = carries_values<Program>;
  static_assert(items <= 1 << 16);

  struct memory {
    alignas(16) char stage[items * sizeof(item)];
    std::uint16_t source[valued ? items : 1];
    typename ranking::memory ranks;
  };

  Program program;
  From from;
  To to;
  int n;

  __device__ void run(char* shared) const
  {
    memory& m = *reinterpret_cast<memory*>(shared);
    ranking const ranks{m.ranks};
    item* const stage = reinterpret_cast<item*>(m.stage);
    auto const at     = [](int k) { return ranking::first_item(int(threadIdx.x)) + k * ranking::sharing; };
    int const bins    = 1 << program.bits();

    // Positions beyond the last item count as the last items of the last bin, and so stay after all others.
    item x[N];
    if (n > 0) {
#pragma unroll
      for (int k = 0; k < N; ++k) x[k] = from.items(at(k) < n ? at(k) : n - 1);
    }
    auto const bin_of = [&](int k) {
      return at(k) < n ? program.digit(x[k], 0, program.bits()) : std::uint32_t(bins - 1);
    };
    ranks.clear();
    __syncthreads();
    ranks.count(bin_of);
    __syncthreads();
    std::uint32_t own[ranking::bins_each], before[ranking::bins_each];
    ranks.place_bins(bins, own, before, [](auto const&) {});
#pragma unroll
    for (int j = 0; j < ranking::bins_each; ++j)
      if (int const b = ranking::first_bin() + j; b < bins)
        program.counted(b, extent(own[j]) - (b == bins - 1 ? items - n : 0));
    __syncthreads();
    ranks.rank(bin_of, [&](int k, std::uint32_t place) {
      stage[place] = x[k];
      if constexpr (valued) m.source[place] = std::uint16_t(at(k));
    });
    __syncthreads();
    write_all<N>(
        n, to, [&](int j) { return stage[j]; }, [&](auto j) { return from.values(m.source[j]); });
  }
};

/// The threads of a block, as many as it was launched with.
struct whole_block {
  __device__ static int rank() { return int(threadIdx.x); }
  __device__ static void barrier() { __syncthreads(); }
};

/// A sort of few items by codes of any number of bits: one block merges them in shared memory. It has no more threads
/// than the items need. Items are read again at the end, before anything is written, so the sort may be in place.
template <class Program, int Threads, int N, class From, class To>
struct block_sort_by_merging {
  static constexpr int threads = Threads, each = N, items = Threads * N;
  using order = merge_order<N>;

  Program program;
  From from;
  To to;
  int n;

  __device__ void run(char* shared) const
  {
    order const sorted(shared, int(blockDim.x));
    sorted.find(
        whole_block{}, n, program.bits(), [&](int j) -> typename Program::item_type { return from.items(j); },
        [&](auto const& x, int at, int width) { return code_bits(program, x, at, width); });
    write_all<N>(
        n, to, [&](int j) -> typename Program::item_type { return from.items(sorted.places[j]); },
        [&](auto j) { return from.values(sorted.places[j]); });
  }
};

template <class Sort>
__global__ void __launch_bounds__(Sort::threads, 1) onepass_sort_block(const __grid_constant__ Sort sort)
{
  extern __shared__ __align__(128) char memory[];
  begin_kernel();
  sort.run(memory);
}

}  // namespace onepass::backends::cuda
