// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/backends/cuda/board.hpp>
#include <onepass/backends/cuda/bulk.hpp>
#include <onepass/backends/cuda/device.hpp>
#include <onepass/backends/cuda/tuning.hpp>
#include <onepass/backends/cuda/warp.hpp>
#include <onepass/engine/orders.hpp>
#include <onepass/execution/place.hpp>

#include <algorithm>
#include <type_traits>

namespace onepass::ONEPASS_ABI::backends::cuda {

/// What the passes of a sort use for each bin of a digit: first its number of items, then the output position of its
/// first item.
using digit_table = std::uint64_t[1 << one_digit];

/// Some digits, computed on the host: a plan divides to find one.
struct digit_list {
  int count;
  digit_bits digit[digits_together];

  digit_list(digit_plan const& plan, int first)
      : count(std::min(plan.passes() - first, digits_together))
  {
    for (int p = 0; p < count; ++p) digit[p] = plan[first + p];
  }
};

/// A stretch of items that a kernel takes tile by tile.
struct tiled_piece {
  extent first, size;  ///< of its items
  extent tile;         ///< the number of its first tile
  int segment;         ///< to which the items belong, among those that are sorted by themselves
  bool opens;          ///< whether no other piece of its segment comes before it
};

/// Items that lie in pieces, one segment after another: tile t is of piece piece_of[t].
struct piece_tiles {
  tiled_piece const* pieces;
  std::uint32_t const* piece_of;
  extent tiles;
  int items;     ///< of a tile; the last one of a piece may have fewer
  int segments;  ///< how many tables a digit has

  __device__ tiled_piece at(extent tile) const { return pieces[piece_of[tile]]; }
};
template <class Count>
constexpr bool in_pieces = std::is_same_v<Count, piece_tiles>;

/// Counts how often each value of several digits occurs, in one reading of the items; the last block turns the counts
/// into positions. Count: an extent, or an item_count that is read on the device; then nothing is done for no items. Or
/// piece_tiles, of which each segment is counted by itself, and a kernel of its own makes the positions.
///
/// Source: counting all digits before the passes, Adinets & Merrill 2022; see docs/references.md.
template <class Program, class Tuning, class From, class Count = extent>
struct digit_counting {
  using item = typename Program::item_type;

  static constexpr order_tuning numbers = order_tuning_for<Tuning>();
  static constexpr int threads = numbers.count_threads, bins = 1 << one_digit;
  static constexpr int N =
      std::clamp(numbers.count_bytes / int(sizeof(item)), 1, 16);  ///< items that a thread has in flight

  Program program;
  From from;
  Count number;
  digit_list list;
  int copies;  ///< of a counter, adjacent: lane l counts in copy l % copies; 32 use 32 banks, whatever the items
  digit_table* tables;  ///< all 0 at first; of each digit, one for each segment
  unsigned* alike;      ///< of each digit, all 0 at first: becomes 1 where all items have the same
  unsigned* done;       ///< number of blocks that have finished; 0 at first

  __device__ void run(std::uint32_t* seen) const  // [digit][bin][copy]
  {
    if constexpr (in_pieces<Count>) count_pieces(seen);
    else {
      extent const n = items();
      if constexpr (!std::is_same_v<Count, extent>)
        if (n == 0) return;
      clear(seen);
      extent const step = extent(gridDim.x) * threads;
      count_all(extent(blockIdx.x) * threads + threadIdx.x, step, n, seen);
      __syncthreads();
      add_up(seen, 0, 1);
      if (all_blocks_are_done()) make_places(n);
    }
  }

private:
  /// A block takes neighbouring tiles, and adds up what it has counted where their segment ends.
  __device__ void count_pieces(std::uint32_t* seen) const
  {
    extent const each = div_up(number.tiles, extent(gridDim.x));
    extent const end  = Kokkos::min(each * (blockIdx.x + 1), number.tiles);
    int counted       = -1;  // the segment
    for (extent tile = each * blockIdx.x; tile < end;) {
      auto const piece = number.at(tile);
      if (piece.segment != counted) {
        if (counted >= 0) add_up(seen, counted, number.segments);
        counted = piece.segment;
        __syncthreads();
        clear(seen);
      }
      extent const behind = piece.first + piece.size, first = piece.first + (tile - piece.tile) * number.items;
      tile              = Kokkos::min(end, piece.tile + div_up(piece.size, number.items));
      extent const last = Kokkos::min(behind, piece.first + (tile - piece.tile) * number.items);
      count_all(first + threadIdx.x, threads, last, seen);
      __syncthreads();
    }
    if (counted >= 0) add_up(seen, counted, number.segments);
  }

  __device__ void clear(std::uint32_t* seen) const
  {
    for (int i = threadIdx.x; i < list.count * bins * copies; i += threads) seen[i] = 0;
    __syncthreads();
  }
  /// Adds what the block has counted to the tables of a segment.
  __device__ void add_up(std::uint32_t const* seen, int segment, int segments) const
  {
    for (int c = threadIdx.x; c < list.count * bins; c += threads) {
      std::uint32_t sum = 0;
      for (int k = 0; k < copies; ++k) sum += seen[c * copies + (k + c) % copies];
      if (sum)
        atomicAdd(reinterpret_cast<unsigned long long*>(&tables[c / bins * segments + segment][c % bins]),
                  static_cast<unsigned long long>(sum));
    }
  }

  __device__ extent items() const
  {
    if constexpr (std::is_same_v<Count, extent>) return number;
    else return number();
  }

  /// `own` is the address of this lane's copy of the first counter; a counter takes `bytes` bytes. The address of a
  /// counter is computed by one instruction, which the compiler does not find.
  template <int Items>
  __device__ __forceinline__ void count(item const (&x)[Items], std::uint32_t own, unsigned bytes) const
  {
    for (int p = 0; p < list.count; ++p, own += bins * bytes) {
      auto const d = list.digit[p];
#pragma unroll
      for (int k = 0; k < Items; ++k)
        asm volatile("{\n\t.reg .u32 at;\n\tmad.lo.u32 at, %1, %2, %0;\n\tred.shared.add.u32 [at], 1;\n\t}" ::"r"(own),
                     "r"(program.digit(x[k], d.at, d.width)), "r"(bytes));
    }
  }

  /// Counts items i, i + step, and so on, up to n.
  __device__ __forceinline__ void count_all(extent i, extent step, extent n, std::uint32_t* seen) const
  {
    std::uint32_t const own = shared_address(seen + threadIdx.x % copies);
    auto const bytes        = unsigned(copies * sizeof *seen);
    auto const all          = [&] { return i + (N - 1) * step < n; };
    if (all()) {
      item next[N];
      auto const take = [&] {
#pragma unroll
        for (int k = 0; k < N; ++k) next[k] = from.items(i + k * step);
      };
      take();
      for (bool more = true; more;) {  // while some are counted, the next are being loaded
        item x[N];
#pragma unroll
        for (int k = 0; k < N; ++k) x[k] = next[k];
        i += N * step;
        more = all();
        if (more) take();
        count(x, own, bytes);
      }
    }
    for (; i < n; i += step) {
      item const x[1] = {from.items(i)};
      count(x, own, bytes);
    }
  }

  __device__ bool all_blocks_are_done() const
  {
    __shared__ bool last;
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) last = atomicAdd(done, 1u) == gridDim.x - 1;
    __syncthreads();
    if (last) __threadfence();
    return last;
  }

  __device__ void make_places(extent n) const
  {
    for (int p = threadIdx.x / 32; p < list.count; p += threads / 32) {  // one warp for each digit
      std::uint64_t before = 0;
      for (int b = threadIdx.x % 32; b < bins; b += 32) {
        auto const seen    = shared_words::load(&tables[p][b]);
        auto const through = before + warp_inclusive_scan(sum_of<std::uint64_t>{}, seen, threadIdx.x % 32);
        if (program.bits() == list.digit[p].width && b < 1 << program.bits()) program.counted(b, extent(seen));
        if (extent(seen) == n) alike[p] = 1;
        tables[p][b] = through - seen;
        before       = broadcast(through, 31);
      }
    }
  }
};

template <class Counting>
__global__ void __launch_bounds__(Counting::threads, 1) onepass_count_digits(const __grid_constant__ Counting counting)
{
  extern __shared__ __align__(128) char memory[];
  begin_kernel();
  counting.run(reinterpret_cast<std::uint32_t*>(memory));
}

/// Few items are counted in few copies, which take less time to clear and to add up. The launch is sized for n.
template <class Tuning, class Program, class From, class Count>
void queue_count_digits(place<Kokkos::Cuda, cuda_backend, Tuning> const& where, Program const& program,
                        From const& from, extent n, Count const& number, digit_list const& list, digit_table* tables,
                        unsigned* alike, unsigned* done)
{
  using counting          = digit_counting<Program, Tuning, From, Count>;
  auto const& numbers     = counting::numbers;
  std::size_t const table = std::size_t(list.count) * counting::bins * sizeof(std::uint32_t);
  std::size_t const most  = std::min<std::size_t>(numbers.table_bytes, most_shared_of(where.space));
  int copies              = n >= numbers.large_from ? numbers.copies : numbers.few_copies;
  while (copies * table > most) copies /= 2;
  extent const blocks = std::clamp<extent>(n / (counting::threads * 8), 1, card_of(where.space).multiprocessors);
  launch(where.space, where.label + " (count)", onepass_count_digits<counting>, int(blocks), counting::threads,
         copies * table, counting{program, from, number, list, copies, tables, alike, done});
}

}  // namespace onepass::ONEPASS_ABI::backends::cuda
