// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/backends/cuda/board.hpp>
#include <onepass/backends/cuda/bulk.hpp>
#include <onepass/backends/cuda/tuning.hpp>
#include <onepass/backends/cuda/warp.hpp>
#include <onepass/engine/chained.hpp>
#include <onepass/engine/tile.hpp>

namespace onepass::backends::cuda {

template <class Program>
struct wire_of {
  using type = typename Program::aggregate_type;
};
template <has_wire Program>
struct wire_of<Program> {
  using type = typename Program::wire_type;
};

/// The look-ahead schedule: one persistent block a multiprocessor, its warps specialised, tiles travelling through a
/// ring of stages in shared memory.
///
///   loader      draws a ticket once a stage is free (earlier, and a block would hold a tile that it cannot load while
///               all others wait for it), and has the tile copied in
///   reduce      warps combine the tile and publish its aggregate
///   look-ahead  one warp keeps the prefix of everything before: it adds the aggregates of all tiles between this
///               block's last and the next, so no inclusive prefix is ever published
///   scan        warps that turn the items into results in place; the copy engine writes them out
///
/// Every tile drawn is reduced without waiting for another, so every wait ends.
template <class Program, class Numbers>
struct look_ahead {
  using item      = typename Program::item_type;
  using aggregate = typename Program::aggregate_type;

  static constexpr bool maps     = Program::shape == output_shape::mapped;
  static constexpr bool compacts = Program::shape == output_shape::compacted;
  static constexpr bool carries  = !pure_program<Program>;  ///< the reduce warps leave memos to the scan warps

  static constexpr int squad   = Numbers::warps * 32;
  static constexpr int threads = 2 * squad + 64;
  static constexpr int N       = Numbers::packs * 16 / int(bytes_per_item<Program>);  ///< items of a thread
  static constexpr int items   = N * squad;
  using wire                   = typename wire_of<Program>::type;  ///< what a tile publishes
  static constexpr int words   = descriptor<wire>::words;

  /// Before the items of a stage lies the item before them, where the program looks behind.
  static constexpr int behind = looks_behind<Program> ? 16 : 0;
  static constexpr int slot   = int(behind + stage_bytes<Program>(items) + 127) / 128 * 128;

  /// Descriptors a lane asks for before it looks at the first answer.
  static constexpr int in_flight = words <= 2 ? 5 : words <= 4 ? 3 : 1;

  using run   = item_run<N, Program>;
  using memos = typename run::memos;

  struct stage_state {
    transfer_barrier full, reduced, prefixed, empty;
    extent           index;  ///< of the tile, or -1: no more
    std::uint32_t    epoch;
    aggregate        prefix;
    aggregate        sums[Numbers::warps];  ///< of the warps' items
    memos            made[carries ? squad : 1];
  };
  static constexpr int state_bytes = (int(sizeof(stage_state)) + 15) / 16 * 16;

  static_assert(!has_wire<Program> || items < 1 << 16, "onepass: a tile is too long for its aggregate's short form");

  static constexpr int         fitting = most_shared / (slot + state_bytes);
  static constexpr int         stages  = fitting < Numbers::stages ? fitting : Numbers::stages;
  static constexpr std::size_t shared  = std::size_t(stages) * (slot + state_bytes);

  Program const& program;
  extent         n;
  shared_board   board;
  char*          memory;

  __device__ char*        memory_of(int s) const { return memory + s * slot + behind; }
  __device__ stage_state& state(int s) const { return *reinterpret_cast<stage_state*>(memory + stages * slot + s * state_bytes); }
  __device__ wire         to_wire(aggregate const& a, extent index) const
  {
    if constexpr (has_wire<Program>) return program.to_wire(a, index * items);
    else return a;
  }
  __device__ aggregate from_wire(wire const& w, extent index) const
  {
    if constexpr (has_wire<Program>) return program.from_wire(w, index * items);
    else return w;
  }
  __device__ int valid(extent index) const
  {
    const extent left = n - index * items;
    return int(left < items ? left : items);
  }

  /// Walks the ring: use(k-th tile's stage, its parity) until a stage says there are no more.
  template <class Use>
  __device__ void each_stage(Use const& use) const
  {
    for (int s = 0, parity = 0;;) {
      state(s).full.wait(parity);
      if (state(s).index < 0) return;
      use(s, parity);
      if (++s == stages) s = 0, parity ^= 1;
    }
  }

  __device__ void load() const
  {
    const extent tiles = tiles_of(n, items), draws = tiles + gridDim.x;
    for (int s = 0, parity = 1;;) {
      auto& at = state(s);
      at.empty.wait(parity);  // the first round passes at once
      const auto mine = board.draw(draws, tiles * words);
      at.index        = mine.index < tiles ? mine.index : -1;
      at.epoch        = mine.epoch;
      if (at.index < 0) {
        at.full.arrive();
        return;
      }
      const int   bytes = valid(mine.index) * int(sizeof(item)), body = bytes / 16 * 16, before = mine.index > 0 ? behind : 0;
      auto const* from  = reinterpret_cast<char const*>(program.input().data + mine.index * items);
      for (int b = body; b < bytes; ++b) memory_of(s)[b] = from[b];  // at most 15, of the last tile
      at.full.arrive_and_expect(before + body);
      if (before + body) bulk_load(memory_of(s) - before, from - before, before + body, at.full);
      if (++s == stages) s = 0, parity ^= 1;
    }
  }

  __device__ void look(int lane) const
  {
    auto   prefix = program.initial();
    extent seen   = 0;
    each_stage([&](int s, int) {
      auto&        at = state(s);
      const extent mine = at.index;
      for (; seen < mine; seen += 32 * in_flight) {
        descriptor<wire> found[in_flight];
#pragma unroll
        for (int j = 0; j < in_flight; ++j)
          if (const extent tile = seen + 32 * j + lane; tile < mine) found[j] = board.template read<wire>(tile);
        aggregate sums[in_flight];
#pragma unroll
        for (int j = 0; j < in_flight; ++j) {
          sums[j] = Program::identity();
          if (const extent tile = seen + 32 * j + lane; tile < mine) {
            while (found[j].status(at.epoch) == tile_status::invalid) found[j] = board.template read<wire>(tile);
            sums[j] = from_wire(found[j].value(), tile);
          }
        }
        __syncwarp();
        // Rows of 32 tiles, in order; rows of an operator that commutes may be added before the lanes are.
        if constexpr (Program::commutes) {
#pragma unroll
          for (int j = 1; j < in_flight; ++j) sums[0] = program.combine(sums[0], sums[j]);
          prefix = program.combine(prefix, broadcast(warp_reduce(program, sums[0], lane), 0));
        } else {
#pragma unroll
          for (int j = 0; j < in_flight; ++j) prefix = program.combine(prefix, broadcast(warp_reduce(program, sums[j], lane), 0));
        }
      }
      seen = mine;
      __syncwarp();  // every lane has read the stage before it may be freed
      if (lane == 0) {
        at.prefix = prefix;
        at.prefixed.arrive();
      }
    });
  }

  /// This thread's items of a stage.
  __device__ run items_of(int s, extent index, int rank) const
  {
    item const* from = reinterpret_cast<item const*>(memory_of(s)) + rank * N;
    return run(from, looks_behind<Program> && index == 0 && rank == 0 ? from : from - 1, index * items + rank * N, valid(index) - rank * N);
  }

  __device__ void reduce(int rank) const
  {
    const int lane = rank % 32, warp = rank / 32;
    each_stage([&](int s, int) {
      auto&      at = state(s);
      const auto in = items_of(s, at.index, rank);
      memos      m;
      in.evaluate(program, m);
      if constexpr (carries) at.made[rank] = m;
      const auto sum = warp_reduce(program, in.combined(program, m), lane);
      if (lane == 0) at.sums[warp] = sum;
      squad_barrier<1, squad>();
      if (rank == 0) {
        auto total = at.sums[0];
#pragma unroll
        for (int w = 1; w < Numbers::warps; ++w) total = program.combine(total, at.sums[w]);
        board.publish({at.index, at.epoch}, tile_status::aggregate, to_wire(total, at.index));
        at.reduced.arrive();
      }
    });
  }

  __device__ void scan(int rank) const
  {
    const int lane = rank % 32, warp = rank / 32;
    int       stored = -1;  // the stage whose store may still be reading
    each_stage([&](int s, int parity) {
      auto&        at    = state(s);
      const extent index = at.index;
      const auto   in    = items_of(s, index, rank);
      memos        m;
      if constexpr (carries) {
        at.reduced.wait(parity);
        m = at.made[rank];
      }
      auto before = shuffle_up(warp_inclusive_scan(program, in.combined(program, m), lane), 1);
      if (lane == 0) before = Program::identity();
      at.reduced.wait(parity);
      at.prefixed.wait(parity);
      const auto prefix = at.prefix;
      auto       total = prefix, older = prefix;
#pragma unroll
      for (int w = 0; w < Numbers::warps; ++w) {
        if (w == warp) older = total;
        total = program.combine(total, at.sums[w]);
      }
      const auto running = program.combine(older, before);

      if constexpr (maps) {
        using output = typename Program::output_type;
        if constexpr (sizeof(output) != sizeof(item) || looks_behind<Program>) squad_barrier<2, squad>();  // all have read before one writes elsewhere
        in.results(program, m, running, reinterpret_cast<output*>(memory_of(s)) + rank * N);
        write_out(memory_of(s), rank, program.output(), index * items, valid(index), 0);
      }
      if constexpr (compacts) {
        int used = 0;  // bytes of the stage that hold columns on their way out
        squad_barrier<2, squad>();  // items are in registers: the stage is free
        each_column<Program>([&]<int c>(std::integral_constant<int, c>) {
          using T           = column_item<Program, c>;
          const auto   to   = program.template column<c>();
          const extent base = program.template place<c>(index * items, prefix);
          const extent end  = program.template place<c>(index * items + valid(index), total);
          const auto   out  = onepass::detail::stretch_of(to, base, end);
          const int    need = (out.base_offset + int(end - base)) * int(sizeof(T));
          if (used + need > slot - behind) {  // wait for the columns before
            if (rank == 0) commit_stores(), wait_stores_read<0>();
            squad_barrier<2, squad>();
            used = 0;
          }
          in.template compact<c>(program, m, running, base - out.base_offset, reinterpret_cast<T*>(memory_of(s) + used));
          write_out(memory_of(s) + used, rank, to, out.begin, out.count, out.offset);
          used += (need + 15) / 16 * 16;
        });
      }
      if (rank == 0) {
        if (index == tiles_of(n, items) - 1) program.finish(total, n);
        if constexpr (maps || compacts) {  // all but the latest stores have been read, and ends before the last barrier
          commit_stores();
          wait_stores_read<1>();
          if (stored >= 0) state(stored).empty.arrive();
          stored = s;
        }
      }
      if constexpr (!maps && !compacts) {
        squad_barrier<2, squad>();
        if (rank == 0) at.empty.arrive();
      }
    });
    if (rank == 0) wait_stores_read<0>();  // the block's memory must outlive its stores
  }

  /// to[first, first + count) = what is staged from item `offset` on: the aligned body by the copy engine, ragged ends by
  /// threads.
  template <class Sequence>
  __device__ void write_out(char const* staged, int rank, Sequence const& to, extent first, int count, int offset) const
  {
    using T       = typename Sequence::value_type;
    T const* from = reinterpret_cast<T const*>(staged) + offset;
    const onepass::detail::packed_stretch<T> cut(offset, count);
    fence_copies();
    squad_barrier<2, squad>();
    if (rank == 0 && cut.body > 0) bulk_store(to.data + first + cut.head, from + cut.head, cut.body * int(sizeof(T)));
    if (rank < cut.head) to(first + rank) = from[rank];
    if (const int tail = cut.head + cut.body + rank; tail < count) to(first + tail) = from[tail];
  }

  __device__ void operator()() const
  {
    const int rank = int(threadIdx.x), warp = rank / 32, lane = rank % 32;
    if (rank < stages) {
      auto& at = state(rank);
      at.full.init(1), at.reduced.init(1), at.prefixed.init(1), at.empty.init(1);
      fence_barriers();
    }
    __syncthreads();
    if (rank < squad) reduce(rank);
    else if (rank < 2 * squad) scan(rank - squad);
    else if (warp == 2 * Numbers::warps) { if (lane == 0) load(); }
    else look(lane);
  }
};

template <class Program, class Numbers>
__global__ void __launch_bounds__(look_ahead<Program, Numbers>::threads, 1)
onepass_look_ahead(const __grid_constant__ Program program, item_count count, shared_board board)
{
  extern __shared__ __align__(128) char memory[];
#if __CUDA_ARCH__ >= 900
  look_ahead<Program, Numbers>{program, count(), board, memory}();
#endif
}

namespace detail {
template <class Sequence>
constexpr bool fits = onepass::detail::has_packs<Sequence>;

template <class P, int... C>
constexpr bool columns_fit(std::integer_sequence<int, C...>)
{
  return (fits<decltype(std::declval<P const&>().template column<C>())> && ...);
}
}  // namespace detail

/// The pipeline takes contiguous items that fill 16-byte words, and programs that are pure or leave one bit an item.
template <class Program>
constexpr bool looks_ahead()
{
  if constexpr (!detail::fits<decltype(std::declval<Program const&>().input())>) return false;
  else if constexpr (!pure_program<Program> && !std::is_same_v<typename Program::memo_type, bool>) return false;
  else if constexpr (Program::shape == output_shape::mapped) return detail::fits<decltype(std::declval<Program const&>().output())>;
  else if constexpr (Program::shape == output_shape::compacted) return detail::columns_fit<Program>(std::make_integer_sequence<int, Program::columns>{});
  else return true;
}

}  // namespace onepass::backends::cuda
