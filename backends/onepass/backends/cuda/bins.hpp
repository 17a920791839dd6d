// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/backends/cuda/device.hpp>
#include <onepass/backends/cuda/tuning.hpp>
#include <onepass/engine/bins.hpp>
#include <onepass/engine/registers.hpp>
#include <onepass/execution/place.hpp>

#include <algorithm>
#include <bit>

namespace onepass::backends::cuda {

/// The most bins that one launch counts in shared memory; run_bins.hpp leaves more of them to the kokkos backend.
template <class Tuning>
extent most_private_bins(place<Kokkos::Cuda, backend, Tuning> const&)
{
  return extent(bin_tuning_for<Tuning>().slices) * bin_tuning_for<Tuning>().counters;
}
template <class Where>
std::size_t bytes_of_bins(Where const&, extent, extent)
{
  return 0;
}

/// Counts items in tables in shared memory. A small table has up to 32 copies: lane l counts in copy l, and the copies
/// of a counter are adjacent, so that the lanes of a warp use 32 banks, whatever the items. A table has a counter for
/// each bin; for items of one byte, a counter for each value, whose bin is computed when all items are counted.
template <class Program, class Tuning, bool Sliced>
struct bin_counting {
  using item = typename Program::item_type;

  static constexpr bool by_value = sizeof(item) == 1;
  static constexpr bool packed =
      is_contiguous<std::remove_cvref_t<decltype(std::declval<Program const&>().input())>>::value
      && 16 % sizeof(item) == 0;
  static constexpr int N = packed ? int(16 / sizeof(item)) : 1;  ///< items that a thread reads at once

  static constexpr bin_tuning numbers = bin_tuning_for<Tuning>(by_value, packed);
  static constexpr int threads = numbers.threads, blocks = numbers.blocks, reads = numbers.reads;
  static constexpr extent most_of_block = extent(1) << 31;  ///< a counter of 32 bits cannot overflow

  Program program;
  extent n, counters;
  unsigned slices, slice, copies;  ///< slice: its number of counters; copies: a power of two
  extent lead;                     ///< number of items before the first whole pack

  /// The number of items before the first one that is aligned as a pack is.
  template <class In>
  static extent items_before_packs(In const& in, extent n)
  {
    if constexpr (packed)
      return std::min<extent>(n, extent(-reinterpret_cast<std::uintptr_t>(in.data) % sizeof(pack) / sizeof(item)));
    else return 0;
  }

  /// N neighbouring items, which a thread reads at once.
  struct reading {
    std::conditional_t<packed, pack, item> word;
    __device__ __forceinline__ item get(int k) const
    {
      item x;
      if constexpr (packed) std::memcpy(&x, reinterpret_cast<char const*>(&word) + k * sizeof(item), sizeof(item));
      else x = word;
      return x;
    }
  };

  __device__ __forceinline__ reading read(extent unit) const
  {
    if constexpr (packed) return {reinterpret_cast<pack const*>(program.input().data + lead)[unit]};
    else return {program.input()(unit)};
  }

  __device__ __forceinline__ static std::uint8_t as_byte(item const& x)
  {
    std::uint8_t byte;
    std::memcpy(&byte, &x, 1);
    return byte;
  }

  __device__ __forceinline__ void add_to_bin(unsigned counter, count_of_bin<Program> sum) const
  {
    extent bin = counter;
    if constexpr (by_value) {
      auto const byte = std::uint8_t(counter);
      item x;
      std::memcpy(static_cast<void*>(&x), &byte, 1);
      bin = program.bin(x);
      if (bin < 0 || bin >= program.bins()) return;
    }
    Kokkos::atomic_add(&program.counts()(bin), sum);
  }

  __device__ void run(std::uint32_t* table) const
  {
    auto const first = Sliced ? unsigned(blockIdx.x % slices) * slice : 0,
               here  = Sliced && counters - first < slice ? unsigned(counters - first) : slice;
    for (unsigned i = threadIdx.x; i < here * copies; i += threads) table[i] = 0;
    __syncthreads();

    auto const own   = unsigned(__cvta_generic_to_shared(table + threadIdx.x % copies)),
               bytes = copies * unsigned(sizeof(std::uint32_t));
    auto const add   = [&](item const& x) {
      if constexpr (by_value) {
        asm volatile("red.shared.add.u32 [%0], 1;" ::"r"(
            own + unsigned(as_byte(x)) * unsigned(numbers.copies * sizeof(std::uint32_t))));
        return;
      }
      extent const b = program.bin(x);
      auto const at  = b >> 32 == 0 ? unsigned(b) - first : ~0u;
      // Without a branch, so that the lanes of a warp stay converged.
      asm volatile(
          "{\n\t.reg .pred counts;\n\tsetp.lt.u32 counts, %1, %2;\n\t@counts red.shared.add.u32 [%0], 1;\n\t}" ::"r"(
              own + at * bytes),
          "r"(at), "r"(here));
    };
    extent const blocks = gridDim.x / slices, block = blockIdx.x / slices;
    extent const units = (n - lead) / N, step = blocks * threads;
    extent u        = block * threads + threadIdx.x;
    auto const all  = [&](extent at) { return at + (reads - 1) * step < units; };
    auto const take = [&](reading(&some)[reads]) {
#pragma unroll
      for (int r = 0; r < reads; ++r) some[r] = read(u + r * step);
    };
    if (all(u)) {
      reading some[reads];
      take(some);
      for (bool more = true; more;) {  // while some are counted, the next are being loaded
        reading counted[reads];
#pragma unroll
        for (int r = 0; r < reads; ++r) counted[r] = some[r];
        u += reads * step;
        more = all(u);
        if (more) take(some);
#pragma unroll
        for (int r = 0; r < reads; ++r)
#pragma unroll
          for (int k = 0; k < N; ++k) add(counted[r].get(k));
      }
    }
    for (; u < units; u += step) {
      auto const one = read(u);
#pragma unroll
      for (int k = 0; k < N; ++k) add(one.get(k));
    }
    if (N > 1 && block == 0) {  // items that belong to no whole pack
      auto const in = program.input();
      if (extent(threadIdx.x) < lead) add(in(threadIdx.x));
      if (extent const i = lead + units * N + threadIdx.x; i < n) add(in(i));
    }

    __syncthreads();
    for (unsigned b = threadIdx.x; b < here; b += threads) {
      count_of_bin<Program> sum = 0;
      for (unsigned c = 0; c < copies; ++c) sum += table[b * copies + (c + b) % copies];
      if (sum) add_to_bin(first + b, sum);
    }
  }
};

template <class Counting>
__global__ void __launch_bounds__(Counting::threads, Counting::blocks)
    onepass_count_bins(const __grid_constant__ Counting counting)
{
  extern __shared__ __align__(128) char memory[];
  begin_kernel();
  counting.run(reinterpret_cast<std::uint32_t*>(memory));
}

template <class Counts>
__global__ void onepass_clear_bins(const __grid_constant__ Counts counts)
{
  begin_kernel();
  for (extent b = blockIdx.x * extent(blockDim.x) + threadIdx.x; b < counts.size; b += extent(gridDim.x) * blockDim.x)
    counts(b) = 0;
}

/// Queues as many blocks as all multiprocessors hold, or fewer; each share of the items is read by one block for every
/// slice.
template <bin_program Program, class Tuning>
void count_bins(place<Kokkos::Cuda, backend, Tuning> const& where, Program const& program, item_count count)
{
  extent const n = count(), bins = program.bins();
  auto const counts = program.counts();
  launch(where.space, where.label + " (clear)", onepass_clear_bins<decltype(program.counts())>, int(div_up(bins, 1024)),
         1024, 0, counts);
  if (n == 0) return;
  constexpr bool by_value   = sizeof(typename Program::item_type) == 1;
  constexpr bin_tuning most = bin_tuning_for<Tuning>();
  extent const counters     = by_value ? 256 : bins;
  auto const slices         = by_value ? 1 : unsigned(div_up(counters, most.counters));
  auto const slice          = unsigned(div_up(counters, slices));
  auto const copies = by_value ? most.copies : std::bit_floor(std::clamp(most.counters / 4 / slice, 1u, most.copies));
  auto const queue  = [&]<bool Sliced>(std::bool_constant<Sliced>) {
    using shape         = bin_counting<Program, Tuning, Sliced>;
    extent const lead   = shape::items_before_packs(program.input(), n);
    int const fitting   = where.space.cuda_device_prop().multiProcessorCount * shape::blocks / int(slices);
    int const blocks    = most.most_blocks ? most.most_blocks : std::max(fitting, 1);
    extent const wanted = std::min<extent>(div_up(n, shape::threads * shape::N * shape::reads), blocks);
    launch(where.space, where.label, onepass_count_bins<shape>,
            int(std::max(wanted, div_up(n, shape::most_of_block)) * slices), shape::threads,
            std::size_t(slice) * copies * sizeof(std::uint32_t),
            shape{program, n, counters, slices, slice, copies, lead});
  };
  if constexpr (by_value) queue(std::false_type{});
  else if (slices > 1) queue(std::true_type{});
  else queue(std::false_type{});
}

}  // namespace onepass::backends::cuda
