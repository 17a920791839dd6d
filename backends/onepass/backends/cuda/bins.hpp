// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/backends/cuda/device.hpp>
#include <onepass/backends/cuda/each.hpp>
#include <onepass/backends/cuda/tuning.hpp>
#include <onepass/engine/bins.hpp>
#include <onepass/execution/place.hpp>

#include <algorithm>
#include <bit>

namespace onepass::ONEPASS_ABI::backends::cuda {

/// The most bins that are counted in shared memory whatever the items.
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

/// A thread block as the team that counts (engine/bins.hpp).
template <int Threads>
struct bin_block {
  static constexpr int threads = Threads;
  __device__ int rank() const { return int(threadIdx.x); }
  __device__ void barrier() const { __syncthreads(); }
};

/// How more bins are counted than a table has counters.
enum class many_bins {
  sliced,   ///< each block has a table for one slice of the bins; a share of the items is read by a block of each slice
  cached,   ///< each block has a table for any of them
  sampled,  ///< cached if few bins have nearly all items of a sample, else sliced
};

/// Counts items in tables in shared memory. Many: there are more bins than a table has counters.
template <class Program, class Tuning, bool Many>
struct bin_counting {
  using items_type = bin_items<Program>;
  using table_type = bin_table<Program, Many>;

  static constexpr bin_tuning numbers = bin_tuning_for<Tuning>(table_type::by_value, items_type::packed);
  static constexpr int threads = numbers.threads, blocks = numbers.blocks, reads = numbers.reads;

  using cache_type = bin_cache<int(std::bit_floor(numbers.counters))>;
  static_assert(cache_type::slots < numbers.counters, "the cache's sample needs one counter more");

  items_type items;
  table_type table;  ///< of all bins, or as large as that of a slice
  std::uint32_t slices;
  many_bins how;
  bool alone;  ///< the only block, which also clears the counts

  __device__ void run(std::uint32_t* memory) const
  {
    bin_block<threads> const block;
    auto const share = [&](extent mine, extent all) {
      return bin_share{{mine * threads + threadIdx.x, items.units, all * threads}, mine == 0};
    };
    if constexpr (Many) {
      if (how == many_bins::cached || (how == many_bins::sampled && cache_type::suits(block, items, memory)))
        cache_type::template count<reads>(block, items, share(blockIdx.x, gridDim.x), memory);
      else {
        std::uint32_t const first = blockIdx.x % slices * table.counters, bins = std::uint32_t(items.program.bins());
        table_type{first, min(bins - first, table.counters), 1}.template count<reads>(
            block, items, share(blockIdx.x / slices, gridDim.x / slices), memory, false);
      }
    } else if constexpr (table_type::by_value)  // numbers that the compiler knows
      table_type{0, table_type::values, numbers.copies}.template count<reads>(
          block, items, share(blockIdx.x, gridDim.x), memory, alone);
    else table.template count<reads>(block, items, share(blockIdx.x, gridDim.x), memory, alone);
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

/// Few items of many bins are added up where the counts are: a table would take longer to clear. So are those of more
/// bins than a block of a smaller device can have a table for.
template <class Program>
struct count_in_place {
  Program program;
  ONEPASS_FUNCTION void operator()(extent i) const
  {
    auto const counts = program.counts();
    if (auto const bin = program.bin(program.input()(i)); bin < program.bins()) add_shared(&counts(bin), 1);
  }
};

/// Queues as many blocks as all multiprocessors hold, or fewer.
template <bool Many, bin_program Program, class Tuning>
void launch_bin_counting(place<Kokkos::Cuda, backend, Tuning> const& where, Program const& program, extent n,
                         extent counters, extent multiprocessors, bool alone)
{
  using shape = bin_counting<Program, Tuning, Many>;
  using table = typename shape::table_type;

  auto const most = shape::numbers;
  auto slices     = Many ? std::uint32_t(div_up(counters, most.counters)) : 1;
  auto how        = n < most.sampled_from ? many_bins::sliced : many_bins::sampled;
  if (slices > most.slices || n < most.sliced_from) how = many_bins::cached, slices = 1;
  auto const slice  = div_up(counters, slices);
  auto const copies = table::by_value ? most.copies : table::copies_of(slice, most.counters / 4, most.copies);
  shape const counting{{program, n}, {0, std::uint32_t(slice), copies}, slices, how, alone};

  extent const fitting = (most.most_blocks ? most.most_blocks : multiprocessors * shape::blocks) / slices;
  extent const wanted  = alone ? 1 : std::min(div_up(counting.items.units, shape::threads), fitting);
  extent const least   = div_up(n, Many ? shape::cache_type::most_of_team : extent(1) << 31);  // no count overflows
  launch(where.space, where.label, onepass_count_bins<shape>, int(std::max({wanted, least, extent(1)}) * slices),
         shape::threads, bytes_of_counters(Many ? extent(most.counters) : counting.table.held()), counting);
}

/// Few items are counted by a single block, which needs nothing before it.
template <bin_program Program, class Tuning>
void queue_program(place<Kokkos::Cuda, backend, Tuning> const& where, Program const& program, item_count count)
{
  using table         = bin_table<Program>;
  constexpr auto most = bin_tuning_for<Tuning>();
  extent const n = count(), bins = program.bins(), counters = table::by_value ? table::values : bins;
  auto const available = extent(card_of(where.space).multiprocessors);
  bool const has_room  = bytes_of_counters(std::min(counters, extent(most.counters))) <= most_shared_of(where.space);
  bool const alone     = has_room && n <= most.alone_items && bins <= most.alone_bins;
  static_assert(most.alone_bins <= most.counters, "a single block has a single table");
  if (!alone)
    launch(where.space, where.label + " (clear)", onepass_clear_bins<decltype(program.counts())>,
           int(std::min(div_up(bins, 1024), available)), 1024, 0, program.counts());
  if constexpr (!table::by_value) {
    if (!has_room || (!alone && n <= most.alone_items))
      return queue_each(where.space, where.label, n, count_in_place<Program>{program});
    if (counters > most.counters) return launch_bin_counting<true>(where, program, n, counters, available, false);
  }
  launch_bin_counting<false>(where, program, n, counters, available, alone);
}

}  // namespace onepass::ONEPASS_ABI::backends::cuda
