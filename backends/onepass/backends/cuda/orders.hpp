// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/backends/cuda/block_order.hpp>
#include <onepass/backends/cuda/board.hpp>
#include <onepass/backends/cuda/count_digits.hpp>
#include <onepass/backends/cuda/device.hpp>
#include <onepass/backends/cuda/each.hpp>
#include <onepass/backends/cuda/rank.hpp>
#include <onepass/engine/places.hpp>
#include <onepass/engine/registers.hpp>
#include <onepass/execution/place.hpp>

#include <algorithm>

namespace onepass::ONEPASS_ABI::backends::cuda {

/// The shape of the tiles of a scatter.
template <class Program, class Tuning, bool Large>
struct scatter_shape {
  static constexpr bool large        = Large;
  static constexpr bool valued       = carries_values<Program>;
  static constexpr std::size_t bytes = sizeof(item_of<Program>) + (valued ? sizeof(value_of<Program>) : 0);

  static constexpr cargo_kind carried     = !valued                  ? cargo_kind::nothing
                                            : numbers_items<Program> ? cargo_kind::places
                                                                     : cargo_kind::values;
  static constexpr scatter_tuning numbers = scatter_tuning_for<Tuning>(bytes, carried, Large);
};

template <class Scatter>
__device__ void copy_tile(Scatter const& scatter);

/// The items of a launch, of `most` from `begin` on, where their number is known on the device alone.
struct counted_portion {
  item_count all;
  extent begin, most;

  __device__ operator extent() const { return Kokkos::clamp<extent>(all() - begin, 0, most); }
};

/// One pass of a radix sort over a portion of the items, each read once and written once: a tile counts its bins and
/// publishes the counts, one word per bin; meanwhile it ranks its items; then it looks back, bin by bin, for the number
/// of items of earlier tiles that precede its own.
///
/// Count: an extent, or a counted_portion. Of that, as many blocks as run at once take one small tile after another,
/// since there are far fewer items than launches are sized for; large tiles have a block each, as ever, since in a loop
/// they spill, and the blocks of those that have no items end. Or piece_tiles (cuda/order_in_pieces.hpp), each with a
/// block: then a tile looks back to the first of its segment.
///
/// Source: the chained scatter, Adinets & Merrill 2022; see docs/references.md.
template <class Program, class Shape, class From, class To, class Count = extent>
struct digit_scatter {
  using item    = typename Program::item_type;
  using value   = typename decltype(std::declval<From const&>().values)::value_type;
  using ranking = block_ranking<Shape::numbers.threads, Shape::numbers.items>;
  using word    = descriptor<std::uint32_t>;

  static constexpr scatter_tuning numbers = Shape::numbers;
  static constexpr int threads = numbers.threads, blocks = numbers.blocks, N = numbers.items, items = ranking::items;
  static constexpr bool valued = Shape::valued, pieced = in_pieces<Count>,
                        counted = !std::is_same_v<Count, extent> && !pieced, loops = counted && !Shape::large;

  struct memory {
    alignas(16) char stage[items * std::max(sizeof(item), valued ? sizeof(value) : 0)];
    typename ranking::memory ranks;
    extent to[1 << one_digit];  ///< position in the output minus position in the tile
    std::uint64_t ticket;
    bool copies;
    std::conditional_t<pieced, tiled_piece, nothing> piece;
  };

  Program program;
  From from;
  To to;
  extent begin;  ///< the portion
  Count n;
  digit_bits digit;
  digit_table* places;             ///< output positions of the portion's first item in each bin; of each segment
  digit_table* next_places;        ///< the same for the portion that follows
  unsigned const volatile* alike;  ///< not 0: all items have the same digit, and are only copied
  shared_board board;

  __device__ std::uint32_t digit_of(item const& x) const { return program.digit(x, digit.at, digit.width); }

  __device__ std::uint64_t* words_of(extent tile) const { return board.words + tile * digit.bins(); }

  /// Whether no tile is before this one.
  __device__ bool opens(memory const& m, shared_board::ticket const& mine) const
  {
    if constexpr (pieced) return m.piece.opens && m.piece.tile == mine.index;
    else return mine.index == 0;
  }
  __device__ std::uint64_t place_of(memory const& m, int bin) const
  {
    if constexpr (pieced) return places[m.piece.segment][bin];
    else return (*places)[bin];
  }

  __device__ void publish(memory const& m, shared_board::ticket const& mine, int bin, tile_status status,
                          std::uint32_t count) const
  {
    if (!(pieced && opens(m, mine)) && board.withholds(mine, status)) return;
    shared_words{}.store(words_of(mine.index) + bin, word::make(mine.epoch, status, count).word[0]);
  }

  /// The number of items of this bin in all earlier tiles. It ends: the tile that opens them publishes an inclusive
  /// prefix, and every tile that is drawn publishes its counts without waiting.
  __device__ std::uint32_t look_back(shared_board::ticket const& mine, int bin) const
  {
    std::uint32_t sum = 0;
    for (extent tile = mine.index - 1; tile >= 0; tile -= numbers.window) {
      word seen[numbers.window];
#pragma unroll
      for (int w = 0; w < numbers.window; ++w)
        seen[w].word[0] = shared_words::load(words_of(tile > w ? tile - w : 0) + bin);
#pragma unroll
      for (int w = 0; w < numbers.window; ++w) {
        while (seen[w].status(mine.epoch) == tile_status::invalid)
          seen[w].word[0] = shared_words::load(words_of(tile > w ? tile - w : 0) + bin);
        sum += seen[w].value();
        if (seen[w].status(mine.epoch) == tile_status::inclusive_prefix) return sum;
      }
    }
    return sum;
  }

  __device__ void run(memory& m) const
  {
    if constexpr (loops) {
      extent const number = n, tiles = div_up(number, items);
      while (take_tile(m, number, tiles, tiles + gridDim.x)) __syncthreads();
    } else if constexpr (pieced) take_tile(m, 0, gridDim.x, gridDim.x);
    else take_tile(m, n, gridDim.x, gridDim.x);
  }
  /// Whether there is nothing to do, and no block draws a ticket.
  __device__ bool is_idle() const
  {
    if constexpr (counted) return extent(n) == 0;
    else return false;
  }

private:
  __device__ bool is_last(extent tile) const
  {
    if constexpr (loops) return tile == div_up(n, items) - 1;
    else return tile == extent(gridDim.x) - 1;
  }

  /// Whether there was a tile that had not been drawn.
  __device__ __forceinline__ bool take_tile(memory& m, extent number, extent tiles, extent draws) const
  {
    if (threadIdx.x == 0) {
      extent used = tiles * digit.bins();
      if constexpr (!valued && !pieced)
        if ((m.copies = *alike)) used = 0;  // copies publish nothing
      m.ticket = board.draw(draws, used).word();
      if constexpr (pieced) m.piece = n.at(shared_board::ticket::of(m.ticket).index);
    }
    ranking const ranks{m.ranks};
    ranks.clear();
    __syncthreads();
    if constexpr (!valued && !pieced) {
      static_assert(!loops, "blocks that copy draw no ticket more, which ends a launch of blocks that loop");
      if (m.copies) {
        copy_tile(*this);
        return false;
      }
    }
    auto const mine = shared_board::ticket::of(m.ticket);
    extent first = begin + mine.index * items, end = begin + number;
    if constexpr (pieced) {
      first = m.piece.first + (mine.index - m.piece.tile) * items;
      end   = m.piece.first + m.piece.size;
    }
    if constexpr (counted)
      if (first >= end) return false;
    if (first + items <= end) move<true>(m, ranks, mine, first, items);
    else move<false>(m, ranks, mine, first, int(end - first));
    return true;
  }

  /// Moves items [first, first + valid), which are the tile's. Positions beyond the last item count as the last items
  /// of the last bin: they are ranked after all others, and not written.
  template <bool Full>
  __device__ __forceinline__ void move(memory& m, ranking const& ranks, shared_board::ticket const& mine, extent first,
                                       int valid) const
  {
    item x[N];
    auto const at     = [&](int k) { return ranking::first_item(int(threadIdx.x)) + k * ranking::sharing; };
    auto const bin_of = [&](int k) { return Full || at(k) < valid ? digit_of(x[k]) : std::uint32_t(digit.bins() - 1); };
#pragma unroll
    for (int k = 0; k < N;
         ++k) {  // in a short tile clamping takes registers, and so do conditions: with values, these take fewer
      if constexpr (valued) {
        if (Full || at(k) < valid) x[k] = from.items(first + at(k));
      } else x[k] = from.items(first + (Full || at(k) < valid ? at(k) : 0));
    }

    // What short tiles count beyond their items is seen where tiles come behind them.
    auto const real = [&](int b, std::uint32_t count) {
      if constexpr (pieced && !Full)
        if (b == digit.bins() - 1) return count - std::uint32_t(items - valid);
      return count;
    };
    ranks.count(bin_of);
    __syncthreads();
    std::uint32_t own[ranking::bins_each], before[ranking::bins_each];
    ranks.place_bins(digit.bins(), own, before, [&](auto const& counts) {
      each_bin([&](int j, int b) {
        publish(m, mine, b, opens(m, mine) ? tile_status::inclusive_prefix : tile_status::aggregate,
                real(b, counts[j]));
      });
    });
    __syncthreads();
    item* const stage = reinterpret_cast<item*>(m.stage);
    [[maybe_unused]] register_items<std::uint16_t, N> places_in_tile;
    ranks.rank(bin_of, [&](int k, std::uint32_t place) {
      stage[place] = x[k];
      if constexpr (valued) places_in_tile.set(k, std::uint16_t(place));
    });

    each_bin([&](int j, int b) {
      std::uint32_t older = 0;
      if (!opens(m, mine)) {
        older = look_back(mine, b);
        publish(m, mine, b, tile_status::inclusive_prefix, older + real(b, own[j]));
      }
      auto const start = extent(place_of(m, b)) + older;
      m.to[b]          = start - before[j];
      if constexpr (!pieced)
        if (is_last(mine.index)) (*next_places)[b] = std::uint64_t(start + own[j]);
    });

    __syncthreads();
    [[maybe_unused]] register_items<std::uint8_t, N> staged_bins;
#pragma unroll
    for (int k = 0; k < N; ++k) {
      int const j = int(threadIdx.x) + k * threads;
      if (!Full && j >= valid) continue;
      item const y = stage[j];
      auto const b = digit_of(y);
      if constexpr (valued) staged_bins.set(k, std::uint8_t(b));
      if constexpr (!is_nothing<decltype(to.items)>) to.items(m.to[b] + j) = y;
    }
    if constexpr (valued) {
      value v[N];
#pragma unroll
      for (int k = 0; k < N; ++k)
        if (Full || at(k) < valid) v[k] = from.values(first + at(k));
      __syncthreads();
      value* const staged = reinterpret_cast<value*>(m.stage);
#pragma unroll
      for (int k = 0; k < N; ++k) staged[places_in_tile.get(k)] = v[k];
      __syncthreads();
#pragma unroll
      for (int k = 0; k < N; ++k)
        if (int const j = int(threadIdx.x) + k * threads; Full || j < valid)
          to.values(m.to[staged_bins.get(k)] + j) = staged[j];
    }
  }

  template <class F>
  __device__ __forceinline__ void each_bin(F const& f) const
  {
#pragma unroll
    for (int j = 0; j < ranking::bins_each; ++j)
      if (int const b = ranking::first_bin() + j; b < digit.bins()) f(j, b);
  }
};

/// Copies a tile, in passes that move nothing. A function of its own: in the kernel it takes registers of the moves.
template <class Scatter>
__device__ __noinline__ void copy_tile(Scatter const& scatter)
{
  constexpr int together = 4;  // loads of a thread on their way
  extent const end       = scatter.begin + scatter.n;
  extent first           = scatter.begin + extent(blockIdx.x) * Scatter::items;
  for (; first < end; first += extent(gridDim.x) * Scatter::items) {  // once, where each tile has a block
    int const valid = int(Kokkos::min<extent>(Scatter::items, end - first));
    auto const copy = [&](auto const& from, auto const& to) {
      for (int j = int(threadIdx.x); j < valid; j += together * Scatter::threads) {
        typename std::decay_t<decltype(from)>::value_type x[together];
#pragma unroll
        for (int k = 0; k < together; ++k)
          if (j + k * Scatter::threads < valid) x[k] = from(first + j + k * Scatter::threads);
#pragma unroll
        for (int k = 0; k < together; ++k)
          if (j + k * Scatter::threads < valid) to(first + j + k * Scatter::threads) = x[k];
      }
    };
    if constexpr (!is_nothing<decltype(scatter.to.items)>) copy(scatter.from.items, scatter.to.items);
    if constexpr (Scatter::valued) copy(scatter.from.values, scatter.to.values);
  }
}

template <class Scatter>
__global__ void __launch_bounds__(Scatter::threads, Scatter::blocks)
    onepass_scatter_digit(const __grid_constant__ Scatter scatter)
{
  extern __shared__ __align__(128) char memory[];
  begin_kernel();
  if (scatter.is_idle()) return;
  // Asked here with values, and else behind the first barrier, where the answer costs no time: each spills the other.
  if constexpr (Scatter::valued && !Scatter::pieced)
    if (*scatter.alike) return copy_tile(scatter);
  scatter.run(*reinterpret_cast<typename Scatter::memory*>(memory));
}

/// Plain memory of a sort by passes: that between two passes, then the tables.
struct pass_memory {
  int passes, groups;
  std::size_t spares, tables;

  template <order_program Program>
  pass_memory(Program const& program, digit_plan const& plan, extent n)
      : passes(plan.passes())
      , groups(int(div_up(passes, digits_together)))
      , spares(std::size_t(spares_for<Program, decltype(target_of(program))>(plan, program.in_place()))
               * spare_memory<Program>::bytes(n))
      , tables(std::size_t(passes + 2) * sizeof(digit_table) + std::size_t(passes + groups) * sizeof(unsigned))
  {}
  std::size_t bytes() const { return spares + tables; }
};

/// Bytes of the workspace's plain memory that a sort of n items takes, whose values are moved with them.
template <class Where, order_program Program>
  requires(!values_wait<Program>)
std::size_t bytes_of_order(Where const&, Program const& program, extent n)
{
  return pass_memory(program, {program.bits(), one_digit}, n).bytes();
}

/// The same where values wait.
template <class Where, order_program Program>
  requires values_wait<Program> std::size_t bytes_of_order(Where const& where, Program const& program, extent n)
  {
    return bytes_before_values(program, n, [&](auto const& places) { return bytes_of_order(where, places, n); });
  }

/// The words of the board of passes over n items.
template <class Shape>
extent words_of_passes(extent n)
{
  constexpr int items = Shape::numbers.threads * Shape::numbers.items;  // in full: GCC 12 fails on a local copy
  return div_up(std::min(n, Shape::numbers.portion), items) << one_digit;
}

/// The shared memory of a tile.
template <class Shape, order_program Program, class Count = extent>
constexpr std::size_t bytes_of_tile()
{
  using from = decltype(source_of(std::declval<Program const&>()));
  using to   = decltype(target_of(std::declval<Program const&>()));
  return sizeof(typename digit_scatter<Program, Shape, from, to, Count>::memory);
}
template <class Shape, order_program Program, class Count = extent>
void require_tile(Kokkos::Cuda const& exec, std::string const& label)
{
  require_shared(exec, label, bytes_of_tile<Shape, Program, Count>(), Shape::bytes,
                 "sort shorter keys, with positions as their values");
}

/// Counts all digits in one reading of the items; then one pass for each, the least significant first. Launches are
/// sized for n; `number`: n, or an item_count of that limit.
template <class Shape, order_program Program, class Tuning, class Count>
void sort_by_passes(place<Kokkos::Cuda, backend, Tuning> const& where, Program const& program, digit_plan const& plan,
                    extent n, Count const& number, workspace<Kokkos::Cuda>& scratch)
{
  constexpr bool counted = !std::is_same_v<Count, extent>;
  auto const from        = source_of(program);
  auto const to          = target_of(program);
  auto const& exec       = where.space;
  pass_memory const needs(program, plan, n);
  int const passes    = needs.passes;
  constexpr int items = Shape::numbers.threads * Shape::numbers.items;  // in full: GCC 12 fails on a local copy
  require_tile<Shape, Program>(exec, where.label);

  std::byte* const memory = scratch.plain(needs.bytes());
  auto* const places      = reinterpret_cast<digit_table*>(memory + needs.spares);
  auto* const alike       = reinterpret_cast<unsigned*>(places + passes + 2);
  auto board              = scratch.make_board<shared_words>(words_of_passes<Shape>(n));
  board.anchor            = where.anchor;

  if (passes > 0) {
    queue_each(exec, where.label + " (clear)", extent(needs.tables / sizeof(std::uint32_t)),
               clear_words{reinterpret_cast<std::uint32_t*>(places)});
    for (int g = 0; g < needs.groups; ++g)
      queue_count_digits(where, program, from, n, number, digit_list(plan, g * digits_together),
                         places + g * digits_together, alike + g * digits_together, alike + passes + g);
  }
  if (n == 0) return;
  auto const copy = [&](auto const& a, auto const& b) {
    queue_each(exec, where.label + " (copy)", n, copy_item<std::decay_t<decltype(a)>, std::decay_t<decltype(b)>>{a, b});
  };
  int pass_number = 0;
  auto const pass = [&](auto const& a, auto const& b, digit_bits d) {
    using portion = std::conditional_t<counted, counted_portion, extent>;
    using scatter = digit_scatter<Program, Shape, std::decay_t<decltype(a)>, std::decay_t<decltype(b)>, portion>;
    auto* here    = places + pass_number;
    auto* same    = alike + pass_number++;
    for (extent begin = 0, part = 0; begin < n; begin += Shape::numbers.portion, ++part) {
      auto* const following = places + passes + part % 2;
      extent const some     = std::min(n - begin, Shape::numbers.portion);
      portion part_of{};
      extent blocks = div_up(some, items);
      if constexpr (counted) part_of = {number, begin, some};
      else part_of = some;
      if constexpr (scatter::loops)
        blocks = std::min<extent>(blocks, extent(card_of(exec).multiprocessors) * Shape::numbers.blocks);
      launch(exec, where.label, onepass_scatter_digit<scatter>, int(blocks), Shape::numbers.threads,
             sizeof(typename scatter::memory), scatter{program, a, b, begin, part_of, d, here, following, same, board});
      here = following;
    }
  };
  by_digits<Program>(plan, from, to, program.in_place(), memory, n, copy, pass);
}

/// Few items are sorted by one block, if they fit its threads by this choice of its tuning; whether they do.
template <int Choice, order_program Program, class Tuning>
bool sort_by_block(place<Kokkos::Cuda, backend, Tuning> const& where, Program const& program, extent n)
{
  constexpr order_tuning numbers = order_tuning_for<Tuning>();
  auto const from                = source_of(program);
  auto const to                  = target_of(program);
  constexpr int item             = int(sizeof(item_of<Program>)),
                value            = carries_values<Program> ? int(sizeof(value_of<Program>)) : 0;
  using sort = block_sort<Program, numbers.block_threads[Choice], numbers.items_of_block(item, value, Choice),
                          numbers.compared, std::remove_const_t<decltype(from)>, std::remove_const_t<decltype(to)>>;
  if (n > sort::items) return false;
  int const threads = sort::threads_for(int(n));
  if (sort::bytes(threads) > card_of(where.space).most_shared) return false;
  bool const counts = 1 <= program.bits() && program.bits() <= one_digit;
  if (n > 0 || counts)
    launch(where.space, where.label, onepass_sort_block<sort>, 1, threads, sort::bytes(threads),
           sort{program, from, to, int(n)});
  return true;
}

/// The same, by as few of each thread as suffice.
template <order_program Program, class Tuning>
bool sort_by_block(place<Kokkos::Cuda, backend, Tuning> const& where, Program const& program, extent n)
{
  return sort_by_block<0>(where, program, n) || sort_by_block<1>(where, program, n)
         || sort_by_block<2>(where, program, n);
}

/// Makes room for the board of the call that follows, so that what is queued before it is not queued in vain.
template <order_program Program, class Tuning, bool Few>
void reserve_order(place<Kokkos::Cuda, backend, Tuning> const&, Program const&, counted_items<Few> const& count,
                   workspace<Kokkos::Cuda>& scratch)
{
  (void)scratch.make_board<shared_words>(words_of_passes<scatter_shape<Program, Tuning, !Few>>(count.limit));
}

/// As many items as a count on the device says, by passes.
template <order_program Program, class Tuning, bool Few>
  requires(!values_wait<Program>)
void queue_program(place<Kokkos::Cuda, backend, Tuning> const& where, Program const& program,
                   counted_items<Few> const& count, workspace<Kokkos::Cuda>& scratch)
{
  sort_by_passes<scatter_shape<Program, Tuning, !Few>>(where, program, {program.bits(), one_digit}, count.limit,
                                                       item_count(count), scratch);
}

/// Few items are sorted by one block, more by passes.
template <order_program Program, class Tuning>
void queue_program(place<Kokkos::Cuda, backend, Tuning> const& where, Program const& program, item_count count,
                   workspace<Kokkos::Cuda>& scratch)
{
  constexpr order_tuning numbers = order_tuning_for<Tuning>();
  extent const n                 = count();
  digit_plan const plan{program.bits(), one_digit};
  if (sort_by_block(where, program, n)) return;
  if constexpr (values_wait<Program>) {
    auto const each = [&](char const* what, extent items, auto const& body) {
      queue_each(where.space, where.label + what, items, body);
    };
    sort_before_values(
        each, program, n, scratch, [&](auto const& places) { return bytes_of_order(where, places, n); },
        [&](auto const& places) { queue_program(where, places, count, scratch); });
  } else {
    using large                 = scatter_shape<Program, Tuning, true>;
    constexpr extent large_from = numbers.large_tiles_from(large::bytes, large::carried);
    if constexpr (large_from > 0)
      if (n < large_from || bytes_of_tile<large, Program>() > card_of(where.space).most_shared)
        return sort_by_passes<scatter_shape<Program, Tuning, false>>(where, program, plan, n, n, scratch);
    sort_by_passes<large>(where, program, plan, n, n, scratch);
  }
}

}  // namespace onepass::ONEPASS_ABI::backends::cuda
