// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/backends/cuda/bulk.hpp>
#include <onepass/backends/cuda/device.hpp>
#include <onepass/backends/cuda/tuning.hpp>
#include <onepass/backends/stretches.hpp>
#include <onepass/engine/sums.hpp>
#include <onepass/execution/place.hpp>

#include <algorithm>

namespace onepass::ONEPASS_ABI::backends::cuda {

/// A thread block as the team that adds (engine/sums.hpp).
template <int Threads>
struct sum_block {
  static constexpr int threads = Threads;
  __device__ int rank() const { return int(threadIdx.x); }
  __device__ void barrier() const { __syncthreads(); }
  __device__ std::uint32_t fetch_add(std::uint32_t* word, std::uint32_t x) const
  {
    std::uint32_t was;
    asm volatile("atom.shared.add.u32 %0, [%1], %2;" : "=r"(was) : "r"(shared_address(word)), "r"(x) : "memory");
    return was;
  }
  __device__ void add(std::uint32_t* word, std::uint32_t x) const
  {
    asm volatile("red.shared.add.u32 [%0], %1;" ::"r"(shared_address(word)), "r"(x) : "memory");
  }
  __device__ std::uint32_t compare_exchange(std::uint32_t* word, std::uint32_t expected, std::uint32_t x) const
  {
    return atomicCAS(word, expected, x);
  }
};

/// Adds items in tables in shared memory, whose blocks take units in turn. Of more bins than a table has, or too many
/// for a table of all to pay, a block samples items now and then: while no bins are crowded, items are added directly,
/// those of neighbouring threads being neighbours.
template <class Program, class Tuning>
struct sum_adding {
  using table_type = sum_table<Program>;
  using unit       = typename table_type::unit;

  static constexpr sum_tuning numbers = sum_tuning_for<Tuning>();
  static constexpr int threads = numbers.threads, blocks = numbers.blocks;

  Program program;
  table_type table;

  /// Words of a block's memory.
  std::uint32_t held() const
  {
    return std::max(table.held(), table.slots > 0 ? std::uint32_t(numbers.sample_words) : 0u);
  }

  __device__ void run(std::uint32_t* memory) const
  {
    if (program.is_idle()) return;
    extent const n = program.size(), units = n / unit::items, step = extent(gridDim.x) * threads;
    extent first = extent(blockIdx.x) * threads;
    if (!table.of_all)
      for (; first < units; first += numbers.sampled_each * step) {
        if (table.slots > 0 && is_crowded(first * unit::items, memory)) break;
        extent const end = first + numbers.sampled_each * step;
        add_directly(first * unit::items, (end < units ? end : units) * unit::items, step * unit::items);
      }
    auto const rest = table.of_all || first < units ? table : table_type::of_none();
    rest.add(sum_block<threads>{}, program, first + threadIdx.x, units, step, blockIdx.x == 0 ? units * unit::items : n,
             n, memory);
  }

private:
  /// Whether some bins have many of the next items: counted by bytes, by hashes. All threads ask together.
  __device__ bool is_crowded(extent first, std::uint32_t* memory) const
  {
    for (int w = int(threadIdx.x); w < numbers.sample_words; w += threads) memory[w] = 0;
    __syncthreads();
    int met         = 0;
    auto const keys = program.keys();
    first += int(threadIdx.x);
    ONEPASS_UNROLL for (int k = 0; k < unit::items; ++k)
    {
      if (first + k * threads >= program.size()) break;
      auto const bin       = std::uint32_t(program.bin(keys(first + k * threads)));
      auto const byte      = hash_below(4u * numbers.sample_words, bin);
      auto const seen      = sum_block<threads>{}.fetch_add(memory + byte / 4, 1u << byte % 4 * 8);
      constexpr int before = numbers.crowd - 1;
      met += int(seen >> byte % 4 * 8 & 0xff) >= before;
    }
    return __syncthreads_count(met) > numbers.crowded_from;
  }

  /// Items of stretches that begin at first, first + step, ... below end, one for each unit of a block.
  __device__ void add_directly(extent first, extent end, extent step) const
  {
    auto const loaded = program.loaded();
    auto const keys   = loaded.keys();
    auto const values = loaded.values();
    ONEPASS_NO_UNROLL for (first += int(threadIdx.x); first < end; first += step)
    {
      typename Program::key_type key[unit::items];
      typename Program::value_type value[unit::items];
      ONEPASS_UNROLL for (int k = 0; k < unit::items; ++k)
      {
        extent const i = first + k * threads;
        if (i < end) key[k] = keys(i), value[k] = values(i);
      }
      ONEPASS_UNROLL for (int k = 0; k < unit::items; ++k)
      {
        if (first + k * threads >= end) break;
        extent const bin = loaded.bin(key[k]);
        if (std::uint64_t(bin) >= std::uint64_t(loaded.bins())) continue;
        if (auto const x = loaded.amount(bin, value[k]); x != 0)
          loaded.template put<true>(bin, static_cast<typename Program::amount_type>(x));
      }
    }
  }
};

/// The same of parts: each block has a stretch of the items.
template <class Program, class Tuning>
struct part_adding {
  static constexpr sum_tuning numbers = sum_tuning_for<Tuning>();
  static constexpr int threads = numbers.part_threads, blocks = numbers.part_blocks;

  part_sums<Program> parts;

  __device__ void run(std::uint32_t* memory) const { parts.add(sum_block<threads>{}, extent(blockIdx.x), memory); }
};

template <class Adding>
__global__ void __launch_bounds__(Adding::threads, Adding::blocks)
    onepass_add_to_bins(const __grid_constant__ Adding adding)
{
  extern __shared__ __align__(128) char memory[];
  begin_kernel();
  adding.run(reinterpret_cast<std::uint32_t*>(memory));
}

/// Words of a table, so many at most and no more than a block on the device can have.
inline unsigned words_of_table(Kokkos::Cuda const& exec, unsigned most)
{
  return std::min(most, unsigned(most_shared_of(exec) / sizeof(std::uint32_t)));
}

template <class Tuning>
extent most_private_sums(place<Kokkos::Cuda, backend, Tuning> const& where, int words)
{
  return extent(words_of_table(where.space, sum_tuning_for<Tuning>().table_words)) / words;
}
template <class Program, class Where>
std::size_t bytes_of_sums(std::type_identity<Program>, Where const&, extent, extent)
{
  return 0;
}

template <class Tuning>
extent most_bins_of_part(place<Kokkos::Cuda, backend, Tuning> const& where, int words)
{
  return extent(words_of_table(where.space, sum_tuning_for<Tuning>().part_words)) / words;
}

/// As many blocks as all multiprocessors hold, or fewer.
template <class Adding, class Program, class Tuning>
extent blocks_that_add(place<Kokkos::Cuda, backend, Tuning> const& where, Program const& program)
{
  constexpr int most   = Adding::numbers.most_blocks;
  extent const present = extent(card_of(where.space).multiprocessors) * Adding::blocks;
  return std::min(div_up(program.size(), extent(sum_unit<Program>::items) * Adding::threads),
                  most ? extent(most) : present);
}

template <sum_program Program, class Tuning>
void queue_program(place<Kokkos::Cuda, backend, Tuning> const& where, Program const& program)
{
  using shape = sum_adding<Program, Tuning>;
  if (program.size() == 0) return;
  auto numbers        = shape::numbers;
  numbers.table_words = words_of_table(where.space, numbers.table_words);
  shape const adding{program, numbers.template table<typename shape::table_type>(program.size(), program.bins())};
  launch(where.space, where.label, onepass_add_to_bins<shape>, int(blocks_that_add<shape>(where, program)),
         shape::threads, std::size_t(adding.held()) * sizeof(std::uint32_t), adding);
}
template <parted_sum_program Program, class Tuning>
void queue_program(place<Kokkos::Cuda, backend, Tuning> const& where, Program const& program)
{
  using shape             = part_adding<Program, Tuning>;
  constexpr auto& numbers = shape::numbers;
  if (program.size() == 0) return;
  extent const blocks    = blocks_that_add<shape>(where, program);
  extent const stretches = std::clamp(program.parts(), blocks, blocks * numbers.part_stretches);
  add_stretches(where, program, stretches, shape::threads, [&](auto const& all) {
    auto const words = words_of_table(where.space, numbers.part_words);
    auto const parts = part_sums<Program>::of(all, words, numbers.copies);
    launch(where.space, where.label, onepass_add_to_bins<shape>, int(all.number()), shape::threads,
           std::size_t(parts.held()) * sizeof(std::uint32_t), shape{parts});
  });
}

}  // namespace onepass::ONEPASS_ABI::backends::cuda
