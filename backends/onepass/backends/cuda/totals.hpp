// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/backends/cuda/board.hpp>
#include <onepass/backends/cuda/device.hpp>
#include <onepass/backends/cuda/items.hpp>
#include <onepass/backends/cuda/tuning.hpp>
#include <onepass/backends/cuda/warp.hpp>
#include <onepass/engine/items/packs.hpp>
#include <onepass/engine/items/walk.hpp>
#include <onepass/execution/place.hpp>

namespace onepass::ONEPASS_ABI::backends::cuda {

/// An item program without output: no item waits for what is before it, so its items go straight to registers.
template <class P>
concept total_program = item_program<P> && P::shape == output_shape::none && !looks_behind<P> && !reads_flags<P>;

/// The total of a program's items in one launch. A warp combines the items of its steps; warps take steps in turn, or
/// neighbouring ones if the operator does not commute. Each block publishes its sum, and the block that drew the last
/// ticket waits for all others' and combines them in order. Which step is whose depends on nothing but the number of
/// items and the device, so floats are the same in every run.
template <class Program, class Tuning>
struct total_of_items {
  using aggregate = typename Program::aggregate_type;
  using input     = input_of<Program>;
  using item      = typename Program::item_type;

  static constexpr total_tuning numbers = total_tuning_for<Tuning>(sizeof(item), sizeof(aggregate), Program::commutes);
  static constexpr int threads = numbers.threads, warps = threads / 32;
  static constexpr int words  = descriptor<aggregate>::words;
  static constexpr int width  = has_packs<input> ? 16 / int(sizeof(item)) : 1;  ///< items of a load
  static constexpr int loads  = numbers.loads(width * sizeof(item));            ///< of a lane in a step
  static constexpr int step   = 32 * loads;                                     ///< loads of a warp
  static constexpr int stride = Program::commutes ? 32 : 1;                     ///< from one load of a lane to its next

  /// Items that no load holds whole go through shared memory by words, so that lanes load side by side: those of 24
  /// bytes took a third of the time longer where each lane loaded its own.
  static constexpr bool by_words =
      width == 1 && is_contiguous<input>::value && alignof(item) >= 4 && alignof(item) <= 8 && sizeof(item) <= 128
      && int(sizeof(item) / alignof(item)) * (Program::commutes ? 1 : loads) % 2 != 0;  // else lanes meet in banks
  using lane_loads = register_items<item, width>[loads];                                ///< of a step

  /// Loads whose items are combined at once.
  static constexpr int joined = [] {
    if constexpr (requires { Program::items_at_once; }) return std::clamp(Program::items_at_once / width, 1, loads);
    else return 1;
  }();
  static_assert(loads % joined == 0, "onepass: the loads of a step are no multiple of those combined at once");

  /// Whether the next step is on its way while the warp combines one: no further registers are left for large sums.
  static constexpr bool by_twos = !Program::commutes && !by_words && words < 4;

  using word                         = aligned_word<item>;
  static constexpr int words_of_step = by_words ? step * int(sizeof(item) / sizeof(word)) : 1;

  struct memory {
    aggregate sums[warps];
    std::uint64_t ticket;
    word words[by_words ? warps : 1][words_of_step];
  };

  /// The number of blocks for at most n items.
  static extent blocks(Kokkos::Cuda const& exec, extent n)
  {
    extent const most =
        numbers.most_blocks ? numbers.most_blocks : extent(card_of(exec).multiprocessors) * numbers.min_blocks;
    if (calls_users<Program> && n <= item_thresholds_for<Tuning>().single_to)
      return std::clamp<extent>(div_up(n, threads), 1, most);
    return std::clamp<extent>(div_up(n, extent(width) * step * warps * numbers.steps), 1, most);
  }

  Program const& program;
  extent n;
  memory& shared;

  __device__ void run(shared_board const& board) const
  {
    int const rank = int(threadIdx.x), lane = rank % 32, warp = rank / 32;
    extent const used = gridDim.x == 1 ? 0 : extent(gridDim.x) * words;
    if (rank == 0) shared.ticket = board.draw(gridDim.x, used).word();
    __syncthreads();
    auto const mine = shared_board::ticket::of(shared.ticket);
    auto const own  = in_block(of_warp(mine.index * warps + warp, extent(gridDim.x) * warps, lane), lane, warp);
    if (rank == 0) {
      if (gridDim.x == 1) finish(own);
      else board.publish(mine, tile_status::aggregate, own);
    }
    if (gridDim.x == 1 || mine.index < gridDim.x - 1) return;

    __syncthreads();  // thread 0 publishes before others poll
    extent const share = div_up(extent(gridDim.x), threads), first = rank * share;
    auto sum = Program::identity();
    for (extent b = first; b < first + share && b < gridDim.x; ++b)
      sum = program.combine(sum, board.template wait<aggregate>(b, mine.epoch).value());
    sum            = warp_reduce(program, sum, lane);
    auto const all = in_block(sum, lane, warp);
    if (rank == 0) finish(all);
  }

private:
  __device__ void finish(aggregate const& all) const { program.finish(program.combine(program.initial(), all), n); }

  /// The sums that the first lanes of all warps hold, in order; for thread 0.
  __device__ aggregate in_block(aggregate const& of_warp, int lane, int warp) const
  {
    if (lane == 0) shared.sums[warp] = of_warp;
    __syncthreads();
    auto all = of_warp;
    if (threadIdx.x == 0)
#pragma unroll
      for (int w = 1; w < warps; ++w) all = program.combine(all, shared.sums[w]);
    return all;
  }

  /// The sum of one of `all` warps, in its first lane. Loads begin at the first item that is aligned for them; the few
  /// items before are the first warp's, those after the last load are the last warp's.
  __device__ aggregate of_warp(extent warp, extent all, int lane) const
  {
    if (n <= 32 * all) {  // an item a lane
      auto const sum = one_more(Program::identity(), 32 * warp, n, lane);
      return Program::commutes ? warp_reduce(program, sum, lane) : sum;
    }
    extent const head = items_before_loads(), count = (n - head) / width, tail = head + count * width;
    extent const steps = div_up(count, extent(step)), share = div_up(steps, all);
    extent const first = Program::commutes ? warp : warp * share;
    extent const last  = Program::commutes || first + share > steps ? steps : first + share;
    auto sum           = Program::identity();
    if (warp == 0) sum = one_more(sum, 0, head, lane);
    for (extent s = first; s < last; s += Program::commutes ? all : 1) {
      extent const at = s * step + lane_offset(lane);
      if constexpr (by_twos)
        if (s + 1 < last && (s + 2) * step <= count) {
          sum = with_two(sum, head, at, lane);
          ++s;
          continue;
        }
      if ((s + 1) * step <= count) sum = with<true>(sum, head, at, count, lane);
      else sum = with<false>(sum, head, at, count, lane);
    }
    if (warp == all - 1) sum = one_more(sum, tail, n, lane);
    if constexpr (Program::commutes) return warp_reduce(program, sum, lane);
    else return sum;
  }

  /// The sum so far and the lanes' items from `first` on, before `last`.
  __device__ aggregate one_more(aggregate const& sum, extent first, extent last, int lane) const
  {
    extent const i = first + lane;
    auto const x   = i < last ? lifted(i, program.input()(i)) : Program::identity();
    return Program::commutes ? program.combine(sum, x) : in_first_lane(sum, x, lane);
  }
  /// The sum so far and the lanes' loads of a step: lane by lane if the operator commutes, else all in the first lane.
  template <bool Whole>
  __device__ aggregate with(aggregate const& sum, extent head, extent at, extent count, int lane) const
  {
    if constexpr (Program::commutes) return some<Whole>(sum, head, at, count);
    else return in_first_lane(sum, some<Whole>(Program::identity(), head, at, count), lane);
  }
  /// The same of two whole steps in order: the second is on its way while the warp combines the first.
  __device__ aggregate with_two(aggregate const& sum, extent head, extent at, int lane) const
  {
    auto const all = [](int) { return true; };
    lane_loads one, two;
    load(one, head, at, all);
    load(two, head, at + step, all);
    auto const first = in_first_lane(sum, folded(Program::identity(), one, head, at, all), lane);
    return in_first_lane(first, folded(Program::identity(), two, head, at + step, all), lane);
  }
  __device__ aggregate in_first_lane(aggregate const& sum, aggregate const& x, int lane) const
  {
    auto const together = warp_reduce_present(program, x, lane);
    return lane == 0 ? program.combine(sum, together) : sum;
  }

  /// The first load of a lane in a step.
  __device__ static int lane_offset(int lane) { return Program::commutes ? lane : lane * loads; }

  __device__ extent items_before_loads() const
  {
    if constexpr (width > 1) {
      auto const past   = int(reinterpret_cast<std::uintptr_t>(program.input().data) % 16 / sizeof(item));
      extent const head = past > 0 ? width - past : 0;
      return head < n ? head : n;
    } else return 0;
  }

  __device__ aggregate lifted(extent i, item const& x) const { return program.lift(i, x, program.evaluate(i, x)); }

  /// A sum and the lane's loads of a step: from number `at` on, as far as there are so many. All are issued before the
  /// first is used.
  template <bool Whole>
  __device__ aggregate some(aggregate const& sum, extent head, extent at, extent count) const
  {
    auto const real = [&](int j) { return Whole || at + j * stride < count; };
    lane_loads held;
    if constexpr (by_words && Whole) {
      int const lane   = int(threadIdx.x) % 32;
      auto* const here = shared.words[threadIdx.x / 32];
      auto const* from = reinterpret_cast<word const*>(program.input().data + head + at - lane_offset(lane));
#pragma unroll
      for (int w = 0; w < words_of_step / 32; ++w) here[w * 32 + lane] = from[w * 32 + lane];
      __syncwarp();
#pragma unroll
      for (int j = 0; j < loads; ++j)
        held[j].set(0, reinterpret_cast<item const*>(here)[lane_offset(lane) + j * stride]);
      __syncwarp();
    } else load(held, head, at, real);
    return folded(sum, held, head, at, real);
  }
  /// The first item of a load.
  __device__ static extent item_of(extent head, extent at, int j) { return head + (at + j * stride) * width; }
  template <class Real>
  __device__ void load(lane_loads& held, extent head, extent at, Real const& real) const
  {
    auto const in = program.input();
#pragma unroll
    for (int j = 0; j < loads; ++j)
      if (real(j)) {
        if constexpr (width > 1) held[j].load(in.data + item_of(head, at, j));
        else held[j].set(0, in(item_of(head, at, j)));
      }
  }
  template <class Real>
  __device__ aggregate folded(aggregate sum, lane_loads const& held, extent head, extent at, Real const& real) const
  {
#pragma unroll
    for (int j = 0; j < loads; j += joined)
      if (real(j + joined - 1)) sum = with_loads<joined>(sum, held, head, at, j);
      else if constexpr (joined > 1)
#pragma unroll
        for (int l = j; l < j + joined; ++l)
          if (real(l)) sum = with_loads<1>(sum, held, head, at, l);
    return sum;
  }
  /// A sum, and the items of Loads loads from the j-th on.
  template <int Loads>
  __device__ aggregate with_loads(aggregate const& sum, lane_loads const& held, extent head, extent at, int j) const
  {
    aggregate own[Loads * width];
#pragma unroll
    for (int k = 0; k < Loads * width; ++k)
      own[k] = lifted(item_of(head, at, j + k / width) + k % width, held[j + k / width].get(k % width));
    return combined(program, sum, own);
  }
};

template <class Program, class Tuning>
__global__ void __launch_bounds__(total_of_items<Program, Tuning>::threads,
                                  total_of_items<Program, Tuning>::numbers.min_blocks)
    onepass_total(const __grid_constant__ Program program, item_count count, shared_board board)
{
  using shape = total_of_items<Program, Tuning>;
  __shared__ __align__(16) char memory[sizeof(typename shape::memory)];
  begin_kernel();
  shape{program, count(), *reinterpret_cast<typename shape::memory*>(memory)}.run(board);
}

/// Whatever schedule is asked for: nothing is written while others wait.
template <total_program Program, class Tuning>
void queue_program(place<Kokkos::Cuda, backend, Tuning> const& where, Program const& program, item_count count,
                   workspace<Kokkos::Cuda>& scratch)
{
  require_schedule(where);
  using shape         = total_of_items<Program, Tuning>;
  extent const blocks = shape::blocks(where.space, count.limit);
  auto const board    = scratch.make_board<shared_words>(blocks * shape::words);
  launch(where.space, where.label, onepass_total<Program, Tuning>, int(blocks), shape::threads, 0, program, count,
         board);
}

}  // namespace onepass::ONEPASS_ABI::backends::cuda
