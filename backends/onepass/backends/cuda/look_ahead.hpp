// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/backends/cuda/board.hpp>
#include <onepass/backends/cuda/bulk.hpp>
#include <onepass/backends/cuda/device.hpp>
#include <onepass/backends/cuda/prefix.hpp>
#include <onepass/backends/cuda/tuning.hpp>
#include <onepass/backends/cuda/warp.hpp>
#include <onepass/engine/chained.hpp>
#include <onepass/engine/tile.hpp>

namespace onepass::backends::cuda {

/// The look-ahead schedule: one persistent block a multiprocessor, its warps specialised, tiles travelling through a
/// ring of stages in shared memory.
///
///   loader      draws a ticket once a stage is free (earlier, and a block would hold a tile that it cannot load while
///               all others wait for it), and has the tile copied in
///   reduce      warps combine the tile and publish its aggregate
///   look-ahead  one warp keeps the prefix of everything before: it adds the aggregates of all tiles between this
///               block's last and the next, so no inclusive prefix is ever published
///   write       warps that turn the items into results in place; the copy engine writes them out. Programs that
///               compact have two squads of them, which take tiles in turn: the positions of what a tile keeps are
///               listed, and what is written of each is fetched from the stage. Short items are listed themselves
///
/// Every tile drawn is reduced without waiting for another, so every wait ends.
template <class Program, class Tuning>
struct look_ahead {
  using item      = typename Program::item_type;
  using aggregate = typename Program::aggregate_type;

  static constexpr bool maps     = Program::shape == output_shape::mapped;
  static constexpr bool compacts = Program::shape == output_shape::compacted;
  static constexpr bool reads    = reads_flags<Program>;  ///< flags come with the tile
  static constexpr bool carries =
      !pure_program<Program> && !reads;  ///< the reduce warps leave memos to the write warps
  static constexpr bool parts = compacts && counts_parts<Program>;

  static constexpr pipeline_tuning numbers =
      pipeline_tuning_for<Tuning>({.lists      = counts_flags<Program> || counts_parts<Program>,
                                   .pairs      = is_zipped<input_of<Program>>,
                                   .compacts   = compacts,
                                   .item_bytes = sizeof(item),
                                   .most_bytes = bytes_per_item<Program>});
  static constexpr int squad   = numbers.warps * 32;
  static constexpr int writers = numbers.writers;  ///< squads that write, taking tiles in turn
  static constexpr int threads = (1 + writers) * squad + 64;
  static constexpr int N       = numbers.packs * 16 / int(bytes_per_item<Program>);  ///< items of a thread
  static constexpr int items   = N * squad;

  /// Before the items of a stage lies the item before them, where the program looks behind; the copy engine is fast
  /// where both sides are equally aligned.
  static constexpr int behind = looks_behind<Program> ? 128 : 0;
  static constexpr int slot   = int(stage_bytes<Program>(items, behind));
  using stage                 = stage_for<Program, items, behind>;

  using algebra              = algebra_for<Program>;
  using inside               = inside_of<Program>;  ///< what a tile publishes
  static constexpr bool sums = sums_by_flags<Program>;
  static constexpr int words = descriptor<inside>::words;

  using run   = item_run<N, Program, stage>;
  using memos = typename run::memos;
  using flags = register_items<bool, N>;

  /// Which items of a thread go to the first of three columns, and which to the second.
  struct part_flags {
    flags first, second;
  };
  using left_memos = std::conditional_t<parts, part_flags, memos>;  ///< what the reduce warps leave of them

  struct stage_state {
    transfer_barrier full, reduced, prefixed, empty;
    extent index;  ///< of the tile, or -1: no more
    std::uint32_t epoch;
    aggregate prefix;
    inside all;                       ///< the tile
    inside warps[numbers.warps];      ///< of each warp; then what comes before it in the tile
    inside before[sums ? squad : 1];  ///< what comes before each thread in its warp
    left_memos made[carries ? squad : 1];
    alignas(reads ? 16 : 4) std::uint32_t flags[reads ? items / 32 + 8 : 1];  ///< from a 16-byte boundary of theirs on
  };
  static constexpr int state_bytes = (int(sizeof(stage_state)) + 15) / 16 * 16;

  static_assert(std::is_same_v<inside_kind<Program>, own_aggregates> || items < 1 << 16,
                "onepass: a tile is too long for what travels inside it");

  /// A squad's list: the positions of the set flags of a tile, then those of the others. Gaps keep the banks apart
  /// where a thread has so many items that its entries would begin at the same bank as its neighbours'.
  struct list_memory {
    std::uint16_t* entry;

    ONEPASS_FUNCTION static constexpr int slot(int i) { return N > 32 ? i + i / 64 * 2 : i; }
    __device__ int operator[](int i) const { return entry[slot(i)]; }
    __device__ void set(int i, int position) const { entry[slot(i)] = std::uint16_t(position); }
  };
  static constexpr int position_bytes =
      16 + (list_memory::slot(items) * 2 + 15) / 16 * 16;  // one entry may be read before the first

  /// Where columns take nothing but items, and these are no wider than a position, the list is one of items: columns
  /// are then copied from it, 16 bytes at a time.
  template <int... C>
  ONEPASS_FUNCTION static constexpr bool copies_all(std::integer_sequence<int, C...>)
  {
    return (... && (std::is_same_v<column_item<Program, C>, item> ? copies_items<Program, C> : false));
  }
  static constexpr bool lists_items = []() -> bool {
    if constexpr (compacts && counts_flags<Program> && sizeof(item) <= 2)
      return copies_all(std::make_integer_sequence<int, Program::columns>{});
    else return false;
  }();
  static constexpr int item_list_bytes =
      16 + (items * int(sizeof(item)) + 15) / 16 * 16;  // a word may be read behind the last

  /// Beside a list of flags: what each one's item finds combined before it in the tile. It takes the place of the
  /// values that were combined, where these are the second of pairs and wide enough.
  static constexpr bool sums_replace_values = []() -> bool {
    if constexpr (compacts && sums && is_zipped<input_of<Program>>)
      return sizeof(typename algebra::sum_type) <= sizeof(item::second);
    else return false;
  }();
  static constexpr int sum_bytes = []() -> int {
    if constexpr (compacts && sums && !sums_replace_values)
      return (items * int(sizeof(typename algebra::sum_type)) + 15) / 16 * 16;
    else return 0;
  }();
  static constexpr int list_bytes = !compacts ? 0 : lists_items ? item_list_bytes : position_bytes + sum_bytes;

  static constexpr int fitting = (most_shared - writers * list_bytes) / (slot + state_bytes);
  static constexpr int stages  = fitting < numbers.stages ? fitting : numbers.stages;
  static_assert(stages > writers, "onepass: the look-ahead schedule has no room for its stages");
  static constexpr std::size_t shared = std::size_t(stages) * (slot + state_bytes) + writers * list_bytes;

  Program const& program;
  extent n;
  shared_board board;
  char* memory;

  __device__ char* memory_of(int s) const { return memory + s * slot; }
  __device__ stage_state& state(int s) const
  {
    return *reinterpret_cast<stage_state*>(memory + stages * slot + s * state_bytes);
  }
  __device__ int valid(extent index) const
  {
    extent const left = n - index * items;
    return int(left < items ? left : items);
  }

  __device__ char* list_memory_of(int writer) const
  {
    return memory + stages * (slot + state_bytes) + writer * list_bytes;
  }
  __device__ list_memory list_of(int writer) const
  {
    return {reinterpret_cast<std::uint16_t*>(list_memory_of(writer) + 16)};
  }
  __device__ item* item_list_of(int writer) const { return reinterpret_cast<item*>(list_memory_of(writer)); }
  __device__ auto* sums_of(int writer, [[maybe_unused]] int s) const
  {
    char* at = list_memory_of(writer) + position_bytes;
    if constexpr (sums_replace_values) at = reinterpret_cast<char*>(stage{memory_of(s)}.second().data());
    return reinterpret_cast<typename algebra::sum_type*>(at);
  }

  /// Walks the ring from stage `s` on in steps: use(stage, its parity) until a stage says there are no more.
  template <class Use>
  __device__ void each_stage(Use const& use, int s = 0, int step = 1) const
  {
    for (int parity = 0;;) {
      state(s).full.wait(parity);
      if (state(s).index < 0) return;
      use(s, parity);
      if ((s += step) >= stages) s -= stages, parity ^= 1;
    }
  }

  /// Flags come in packs of 128: so many lie before a tile's own.
  __device__ static int flags_before(extent index) { return int(std::uint32_t(index) * std::uint32_t(items) % 128); }

  __device__ void load() const
  {
    extent const tiles = tiles_of(n, items), draws = tiles + gridDim.x;
    int ends = 0;  // stages that say there are no more: one for each squad that writes
    for (int s = 0, parity = 1; ends < writers;) {
      auto& at = state(s);
      at.empty.wait(parity);  // the first round passes at once
      auto const mine = ends ? shared_board::ticket{tiles, 0} : board.draw(draws, tiles * words);
      at.index        = mine.index < tiles ? mine.index : -1;
      at.epoch        = mine.epoch;
      if (at.index < 0) {
        at.full.arrive();
        ++ends;
        if (++s == stages) s = 0, parity ^= 1;
        continue;
      }
      // Whole 16-byte words by the copy engine, those with the item before by a copy of their own; the last tile's few
      // bytes behind them by hand.
      int const count = valid(mine.index);
      stage const to{memory_of(s)};
      int expected      = 0;
      auto const pieces = [&](auto const& use) {
        to.each_array(program.input(), [&](auto const& from, auto const& array) {
          use(reinterpret_cast<char*>(array.data()), reinterpret_cast<char const*>(from.data + mine.index * items),
              count * int(sizeof(*from.data)));
        });
      };
      int const before = behind > 0 && mine.index > 0 ? 16 : 0;
      pieces([&](char* data, char const* source, int bytes) {
        expected += before + bytes / 16 * 16;
        for (int b = bytes / 16 * 16; b < bytes; ++b) data[b] = source[b];
      });
      int const flags = reads ? (flags_before(mine.index) + count + 127) / 128 * 16 : 0;
      at.full.arrive_and_expect(expected + flags);
      if constexpr (reads) bulk_load(at.flags, program.flag_words() + mine.index * items / 128 * 4, flags, at.full);
      pieces([&](char* data, char const* source, int bytes) {
        if (before) bulk_load(data - 16, source - 16, 16, at.full);
        if (bytes >= 16) bulk_load(data, source, bytes / 16 * 16, at.full);
      });
      if (++s == stages) s = 0, parity ^= 1;
    }
  }

  /// The prefix of everything before grows by all tiles between this block's last and the next.
  __device__ void look(int lane) const
  {
    growing_prefix<Program> before(program, board, items);
    each_stage([&](int s, int) {
      auto& at = state(s);
      before.grow(at.index, at.epoch, lane);
      if (lane == 0) at.prefix = before.prefix();
      at.prefixed.arrive();  // every lane: each has read the stage before it may be freed
    });
  }

  /// This thread's items of a stage.
  __device__ run items_of(int s, extent index, int rank) const
  {
    stage const from{memory_of(s)};
    int const at = rank * N;
    run in(from, at, index * items + at, valid(index) - at);
    if constexpr (looks_behind<Program>) in.follows(from(index == 0 && rank == 0 ? 0 : at - 1));
    return in;
  }

  /// What was made of this thread's items: left at their stage by the warps that reduce, or come with the tile.
  __device__ left_memos memos_of(int s, int rank) const
  {
    auto const& at = state(s);
    if constexpr (reads) return run::flags(at.flags, flags_before(at.index) + rank * N, valid(at.index) - rank * N);
    else if constexpr (carries) return at.made[rank];
    else return {};
  }

  /// Leaves at the stage what the tile combines to, what comes before each warp of it, and what of its items must not
  /// be made twice; where sums go by flags also what comes before each thread.
  __device__ void reduce(int rank) const
  {
    int const lane = rank % 32, warp = rank / 32;
    each_stage([&](int s, int) {
      auto& at      = state(s);
      auto const in = items_of(s, at.index, rank);
      memos m;
      if constexpr (reads) m = memos_of(s, rank);
      else in.evaluate(program, m);
      if constexpr (carries) at.made[rank] = left_of(m);
      auto const local = algebra_of(program);
      auto const own   = in.combined(program, m, rank);
      if constexpr (sums) {
        auto const through = warp_inclusive_scan(local, own, lane);
        auto const before  = shuffle_up(through, 1);
        at.before[rank]    = lane == 0 ? local.identity() : before;
        if (lane == 31) at.warps[warp] = through;
      } else {
        auto const sum = warp_reduce(local, own, lane);
        if (lane == 0) at.warps[warp] = sum;
      }
      squad_barrier<squad>(1);
      if (rank == 0) {
        inside all = local.identity();
#pragma unroll
        for (int w = 0; w < numbers.warps; ++w) {
          auto const own = at.warps[w];
          at.warps[w]    = all;
          all            = local.combine(all, own);
        }
        board.publish({at.index, at.epoch}, tile_status::aggregate, all);
        at.all = all;
      }
      at.reduced.arrive();  // all do: it costs nothing, and checkers see the order
    });
  }

  __device__ static left_memos left_of(memos const& m)
  {
    if constexpr (parts) {
      part_flags left;
#pragma unroll
      for (int k = 0; k < N; ++k) left.first.set(k, m.kept.get(k) == 0), left.second.set(k, m.kept.get(k) == 1);
      return left;
    } else return m;
  }

  /// The writing of a program that compacts: what a tile keeps is listed, then each column takes its own.
  __device__ void list(int writer, int rank) const
  {
    int const lane = rank % 32, warp = rank / 32, base = rank * N;
    auto const positions = list_of(writer);
    each_stage(
        [&](int s, int parity) {
          auto& at = state(s);
          at.reduced.wait(parity);
          auto const made = memos_of(s, rank);
          int ends[3]     = {0, 0, valid(at.index)};  // of the lists, one behind the other
          // What lies beyond the last item is listed behind everything, by whoever lists the rest.
          auto const put = [&](auto const& is, int place) {
#pragma unroll
            for (int k = 0; k < N; ++k)
              if (is(k)) positions.set(place++, base + k);
          };
          if constexpr (parts) {
            auto const own = part_tally::of(made.first.count(), made.second.count());
            auto const before =
                algebra::combine(at.warps[warp], {warp_inclusive_scan(local, own, lane).bits - own.bits});
            ends[0] = at.all.first();
            ends[1] = ends[0] + at.all.second();
            squad_barrier<squad>(2 + writer);  // the tile before is out of the list
            put([&](int k) { return made.first.get(k); }, before.first());
            put([&](int k) { return made.second.get(k); }, ends[0] + before.second());
            put([&](int k) { return !made.first.get(k) && !made.second.get(k); },
                ends[1] + base - before.first() - before.second());
          } else if constexpr (sums) {
            auto const before = algebra_of(program).combine(at.warps[warp], at.before[rank]);
            auto const in     = items_of(s, at.index, rank);
            auto* const list  = sums_of(writer, s);
            int place         = before.count();
            ends[0]           = at.all.count();
            squad_barrier<squad>(2 + writer);  // and the values are in registers
            if (__any_sync(all_lanes, made.kept.count() > 0))
              in.at_flags(program, made, before, [&](int k, inside const& now) {
                positions.set(place, base + k);
                list[place++] = now.sum;
              });
          } else {
            int const own = made.kept.count();
            int const before =
                at.warps[warp].count() + warp_inclusive_scan(local, flag_tally::of(own, -1), lane).count() - own;
            ends[0] = at.all.count();
            squad_barrier<squad>(2 + writer);
            auto const put_flags = [&](auto const& put, auto const& put_at) {
              if (__any_sync(all_lanes, own > N / 4)) put([&](int k) { return made.kept.get(k); }, before);
              else {
                int place = before;
#pragma unroll
                for (int w = 0; w < flags::words; ++w)
                  for (std::uint32_t left = made.kept.word(w); left; left &= left - 1)
                    put_at(place++, base + 32 * w + __ffs(int(left)) - 1);
              }
              if constexpr (keeps_the_rest(std::make_integer_sequence<int, Program::columns>{}))
                put([&](int k) { return !made.kept.get(k); }, ends[0] + base - before);
            };
            if constexpr (lists_items) {
              constexpr int per_pack = 16 / int(sizeof(item));
              stage const tile{memory_of(s)};
              item* const to = item_list_of(writer);
              put_flags(
                  [&](auto const& is, int place) {
#pragma unroll
                    for (int k = 0; k < N; k += per_pack) {
                      register_items<item, per_pack> held;
                      held.load(tile.data() + base + k);
#pragma unroll
                      for (int j = 0; j < per_pack; ++j)
                        if (is(k + j)) to[place++] = held.get(j);
                    }
                  },
                  [&](int place, int position) { to[place] = tile(position); });
            } else put_flags(put, [&](int place, int position) { positions.set(place, position); });
          }
          squad_barrier<squad>(2 + writer);
          at.prefixed.wait(parity);
          each_column<Program>([&]<int c>(std::integral_constant<int, c>) {
            if constexpr (parts) write_listed<c>(at, s, writer, c == 0 ? 0 : ends[c - 1], ends[c], rank);
            else if constexpr (keeps_set<c>()) write_listed<c>(at, s, writer, 0, ends[0], rank);
            else write_listed<c>(at, s, writer, ends[0], ends[2], rank);
          });
          if (rank == 0 && at.index == tiles_of(n, items) - 1)
            program.finish(algebra_of(program).after(at.prefix, at.index * items, at.all), n);
          if constexpr (sums_replace_values) fence_copies();
          at.empty.arrive();
        },
        writer, writers);
  }

  /// Column C keeps the set flags; otherwise it keeps the others.
  template <int C>
  ONEPASS_FUNCTION static constexpr bool keeps_set()
  {
    return Program::template keeps<C>(true);
  }
  template <int... C>
  ONEPASS_FUNCTION static constexpr bool keeps_the_rest(std::integer_sequence<int, C...>)
  {
    return (!keeps_set<C>() || ...);
  }

  /// What column C takes of a stage: the listed items from the `from`-th up to the `end`-th. Each warp writes whole
  /// lines of memory, each thread four bytes at least.
  template <int C>
  __device__ void write_listed(stage_state const& at, int s, int writer, int from, int to_end, int rank) const
  {
    using T             = column_item<Program, C>;
    constexpr int group = sizeof(T) < 4 ? 4 / int(sizeof(T)) : 1;
    int const count     = to_end - from;
    auto const to       = program.template column<C>();
    extent const first  = at.index * items;
    auto const prefix   = at.prefix;
    extent const base   = program.template place<C>(first, prefix);
    int const begin = base < 0 ? int(-base) : 0, end = to.size - base < count ? int(to.size - base) : count;
    if constexpr (lists_items)
      return copy_listed(item_list_of(writer), from + begin, to, base + begin, end - begin, rank);
    auto const positions = list_of(writer);
    stage const tile{memory_of(s)};
    int const lead  = int(reinterpret_cast<std::uintptr_t>(to.data + base) / sizeof(T) % (32 * group));
    auto const kept = [&](int p) -> item {
      if constexpr (sums_replace_values) return {tile.first()(p), {}};  // the value is no more
      else return tile(p);
    };
    auto const value = [&](int k) -> T {
      int const p = positions[from + k];
      if constexpr (parts) return program.template value<C>(first + p, kept(p), typename Program::memo_type(C), prefix);
      else if constexpr (sums)
        return program.template value<C>(first + p, kept(p), true,
                                         program.after(prefix, inside{std::uint32_t(k), sums_of(writer, s)[k]}));
      else if constexpr (keeps_set<C>())
        return program.template value<C>(first + p, kept(p), true, program.after(prefix, k, first + positions[k - 1]));
      else return program.template value<C>(first + p, kept(p), false, program.after(prefix, p - k, first + p));
    };
    auto const ragged = [&](int k) {
      for (int j = 0; j < group; ++j)
        if (k + j >= begin && k + j < end) to(base + k + j) = value(k + j);
    };
    int k = rank * group - lead;
    for (; k < begin; k += squad * group) ragged(k);
#pragma unroll 4
    for (; k + group <= end; k += squad * group) {
      register_items<T, group> together;
#pragma unroll
      for (int j = 0; j < group; ++j) together.set(j, value(k + j));
      together.store(to.data + base + k);
    }
    ragged(k);
  }

  /// to[first, first + count) = list[at, at + count), where the list may begin anywhere in a word.
  template <class Sequence>
  __device__ void copy_listed(item const* list, int at, Sequence const& to, extent first, int count, int rank) const
  {
    if (count <= 0) return;
    constexpr int per_pack = 16 / int(sizeof(item));
    packed_stretch<item> const cut(int(reinterpret_cast<std::uintptr_t>(to.data + first) % 16 / sizeof(item)), count);
    int const bytes   = (at + cut.head) * int(sizeof(item));
    auto const words  = reinterpret_cast<std::uint32_t const*>(list) + bytes / 4;
    auto* const packs = reinterpret_cast<pack*>(to.data + first + cut.head);
#pragma unroll 1
    for (int p = rank; p < cut.body / per_pack; p += squad) {  // registers are short here
      std::uint32_t w[5];
#pragma unroll
      for (int j = 0; j < 5; ++j) w[j] = words[4 * p + j];
      pack made;
#pragma unroll
      for (int j = 0; j < 4; ++j) made.word[j] = __funnelshift_r(w[j], w[j + 1], bytes % 4 * 8);
      packs[p] = made;
    }
    if (rank < cut.head) to(first + rank) = list[at + rank];
    if (int const tail = cut.head + cut.body + rank; tail < count) to(first + tail) = list[at + tail];
  }

  __device__ void write(int writer, int rank) const
  {
    int const lane = rank % 32, warp = rank / 32;
    int stored = -1;  // the stage whose store may still be reading
    each_stage(
        [&](int s, int parity) {
          auto& at           = state(s);
          extent const index = at.index;
          auto const in      = items_of(s, index, rank);
          if constexpr (carries) at.reduced.wait(parity);
          memos const m = memos_of(s, rank);
          inside before;
          if constexpr (sums) {
            at.reduced.wait(parity);
            before = at.before[rank];
          } else {
            before = shuffle_up(warp_inclusive_scan(algebra_of(program), in.combined(program, m, rank), lane), 1);
            if (lane == 0) before = algebra::identity();
            at.reduced.wait(parity);
          }
          before = algebra_of(program).combine(at.warps[warp], before);
          at.prefixed.wait(parity);
          auto const prefix  = at.prefix;
          extent const first = index * items;

          if constexpr (maps) {
            using output = typename Program::output_type;
            if constexpr (!results_replace_items<Program>)
              squad_barrier<squad>(2 + writer);  // all have read before one writes elsewhere
            in.results(program, m, algebra_of(program).after(prefix, first, before),
                       reinterpret_cast<output*>(memory_of(s)) + rank * N);
            write_out(writer, reinterpret_cast<output const*>(memory_of(s)), rank, program.output(), first,
                      valid(index));
          }
          if (rank == 0 && index == tiles_of(n, items) - 1)
            program.finish(algebra_of(program).after(prefix, first, at.all), n);
          if (rank != 0 || !maps) at.empty.arrive();
          else {  // all but the latest stores have been read
            commit_stores();
            wait_stores_read<1>();
            if (stored >= 0) state(stored).empty.arrive();
            stored = s;
          }
        },
        writer, writers);
    if (rank == 0) {
      wait_stores_read<0>();                          // the block's memory must outlive its stores
      if (stored >= 0) state(stored).empty.arrive();  // another squad may still wait for its end
    }
  }

  /// to[first, first + count) = what is staged: the aligned body by the copy engine, ragged ends by threads.
  template <class Sequence>
  __device__ void write_out(int writer, typename Sequence::value_type const* from, int rank, Sequence const& to,
                            extent first, int count) const
  {
    using T = typename Sequence::value_type;
    packed_stretch<T> const cut(0, count);
    fence_copies();
    squad_barrier<squad>(2 + writer);
    if (rank == 0 && cut.body > 0) bulk_store(to.data + first + cut.head, from + cut.head, cut.body * int(sizeof(T)));
    if (rank < cut.head) to(first + rank) = from[rank];
    if (int const tail = cut.head + cut.body + rank; tail < count) to(first + tail) = from[tail];
  }

  __device__ void operator()() const
  {
    int const rank = int(threadIdx.x), warp = rank / 32, lane = rank % 32;
    if (rank < stages) {
      auto& at = state(rank);
      at.full.init(1), at.reduced.init(squad), at.prefixed.init(32), at.empty.init(squad);
      fence_barriers();
    }
    __syncthreads();
    if (rank < squad) reduce(rank);
    else if (warp == (1 + writers) * numbers.warps) {
      if (lane == 0) load();
    } else if (warp > (1 + writers) * numbers.warps) look(lane);
    else if constexpr (compacts) list(rank / squad - 1, rank % squad);
    else write(rank / squad - 1, rank % squad);
  }
};

template <class Program, class Tuning>
__global__ void __launch_bounds__(look_ahead<Program, Tuning>::threads, 1)
    onepass_look_ahead(const __grid_constant__ Program program, item_count count, shared_board board)
{
  extern __shared__ __align__(128) char memory[];
  begin_kernel();
#if __CUDA_ARCH__ >= 900
  look_ahead<Program, Tuning>{program, count(), board, memory}();
#endif
}

namespace detail {
template <class Sequence>
constexpr bool fits = has_packs<Sequence>;
template <class First, class Second>
constexpr bool fits<zipped<First, Second>> = fits<First> ? fits<Second> : false;

template <class P, int... C>
constexpr bool columns_fit(std::integer_sequence<int, C...>)
{
  return (fits<decltype(std::declval<P const&>().template column<C>())> && ...);
}
}  // namespace detail

/// The pipeline takes contiguous items that fill 16-byte words, and programs that are pure or leave one bit an item or
/// the number of one of three columns.
template <class Program>
constexpr bool looks_ahead()
{
  if constexpr (!detail::fits<decltype(std::declval<Program const&>().input())>) return false;
  else if constexpr (!(std::is_same_v<typename Program::memo_type,
                                      bool> || pure_program<Program> || counts_parts<Program>))
    return false;
  else if constexpr (Program::shape == output_shape::compacted
                     && !(counts_flags<Program> || counts_parts<Program> || sums_by_flags<Program>))
    return false;
  else if constexpr (Program::shape == output_shape::mapped)
    return detail::fits<decltype(std::declval<Program const&>().output())>;
  else if constexpr (Program::shape == output_shape::compacted)
    return detail::columns_fit<Program>(std::make_integer_sequence<int, Program::columns>{});
  else return true;
}

}  // namespace onepass::backends::cuda
