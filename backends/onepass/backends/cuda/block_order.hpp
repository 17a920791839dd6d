// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/backends/cuda/device.hpp>
#include <onepass/backends/cuda/rank.hpp>

namespace onepass::backends::cuda {

/// A sort of few items: one block holds them all and goes through all digits. Each item is accompanied by its position
/// in the input, by which its value is loaded at the end. Everything is read before anything is written, so the sort
/// may be in place.
template <class Program, int Threads, int N, class From, class To>
struct block_sort {
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
  digit_plan plan;

  __device__ void run(memory& m) const
  {
    ranking const ranks{m.ranks};
    item* const stage = reinterpret_cast<item*>(m.stage);
    auto const at     = [](int k) { return ranking::first_item(int(threadIdx.x)) + k * ranking::sharing; };

    // Positions beyond the last item count as the last items of the last bin, in every pass, and so stay after all
    // others.
    item x[N];
    [[maybe_unused]] std::uint16_t source[N];
    if (n > 0) {
#pragma unroll
      for (int k = 0; k < N; ++k) {
        x[k]      = from.items(at(k) < n ? at(k) : n - 1);
        source[k] = std::uint16_t(at(k));
      }
    }
    for (int p = 0; p < plan.passes(); ++p) {
      auto const d      = plan[p];
      auto const bin_of = [&](int k) {
        return at(k) < n ? program.digit(x[k], d.at, d.width) : std::uint32_t(d.bins() - 1);
      };
      ranks.clear();
      __syncthreads();
      ranks.count(bin_of);
      __syncthreads();
      std::uint32_t own[ranking::bins_each], before[ranking::bins_each];
      ranks.place_bins(d.bins(), own, before, [](auto const&) {});
      if (plan.passes() == 1) {
#pragma unroll
        for (int j = 0; j < ranking::bins_each; ++j)
          if (int const b = ranking::first_bin() + j; b < d.bins())
            program.counted(b, extent(own[j]) - (b == d.bins() - 1 ? items - n : 0));
      }
      __syncthreads();
      ranks.rank(bin_of, [&](int k, std::uint32_t place) {
        stage[place] = x[k];
        if constexpr (valued) m.source[place] = source[k];
      });
      __syncthreads();
#pragma unroll
      for (int k = 0; k < N; ++k) {
        x[k] = stage[at(k)];
        if constexpr (valued) source[k] = m.source[at(k)];
      }
    }
    if constexpr (valued) {
      value v[N];
#pragma unroll
      for (int k = 0; k < N; ++k)
        if (at(k) < n) v[k] = from.values(source[k]);
      __syncthreads();
#pragma unroll
      for (int k = 0; k < N; ++k)
        if (at(k) < n) to.values(at(k)) = v[k];
    }
    if constexpr (!is_nothing<decltype(to.items)>) {
#pragma unroll
      for (int k = 0; k < N; ++k)
        if (at(k) < n) to.items(at(k)) = x[k];
    }
  }
};

template <class Sort>
__global__ void __launch_bounds__(Sort::threads, 1) onepass_sort_block(const __grid_constant__ Sort sort)
{
  extern __shared__ __align__(128) char memory[];
  begin_kernel();
  sort.run(*reinterpret_cast<typename Sort::memory*>(memory));
}

}  // namespace onepass::backends::cuda
