// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/backends/cuda/board.hpp>
#include <onepass/backends/cuda/bulk.hpp>
#include <onepass/backends/cuda/look_ahead/order.hpp>
#include <onepass/backends/cuda/tuning.hpp>
#include <onepass/backends/cuda/warp.hpp>
#include <onepass/engine/items/chained.hpp>
#include <onepass/engine/items/tile.hpp>

namespace onepass::ONEPASS_ABI::backends::cuda {

/// The look-ahead schedule's shape for one program: its warps, its tiles, and the data passed between warps.
template <class Program, class Tuning, class Board = shared_board>
struct look_ahead_shape {
  using program_type = Program;
  using item         = typename Program::item_type;
  using aggregate    = typename Program::aggregate_type;
  using algebra      = algebra_for<Program>;
  using inside       = inside_of<Program>;  ///< what a tile publishes
  using network      = lane_network<Tuning>;
  using prefix       = tile_prefix<Program, Tuning, Board>;

  static constexpr bool canonical = is_canonical<Tuning>;
  static constexpr bool writes    = Program::shape != output_shape::none;
  static constexpr bool compacts  = Program::shape == output_shape::compacted;
  static constexpr bool reads     = reads_flags<Program>;                        ///< flags are loaded with the tile
  static constexpr bool carries   = !pure_program<Program> && !reads && writes;  ///< squads that write are given memos
  static constexpr bool parts     = compacts && counts_parts<Program>;
  static constexpr bool sums      = sums_by_flags<Program>;
  static constexpr bool shifts    = !canonical && !reads;  ///< whether the first tile may begin before the first item

  static constexpr pipeline_tuning numbers =
      pipeline_of<Program, Tuning>({.lists      = counts_flags<Program> || counts_parts<Program>,
                                    .pairs      = is_zipped<input_of<Program>>,
                                    .compacts   = compacts,
                                    .item_bytes = sizeof(item),
                                    .most_bytes = bytes_per_item<Program>});
  static constexpr int squad    = numbers.warps * 32;
  static constexpr int writers  = writes ? numbers.writers : 0;  ///< squads that write, taking tiles in turn
  static constexpr int reducers = writes ? 1 : numbers.writers;  ///< squads that reduce, the same way
  static constexpr int threads  = (reducers + writers) * squad + 64;
  static constexpr int N        = numbers.packs * 16 / int(bytes_per_item<Program>);  ///< items of a thread
  static constexpr int items    = N * squad;
  static constexpr int words    = descriptor<inside>::words;
  static_assert(std::is_same_v<inside_kind<Program>, own_aggregates> || items < 1 << 16,
                "onepass: a tile is too long for what travels inside it");

  /// If the program looks behind, the item before a slot's items lies directly before them, in 128 bytes of room; the
  /// copy engine is fast where source and destination are equally aligned.
  static constexpr int behind     = looks_behind<Program> ? 128 : 0;
  static constexpr int slot_bytes = int(stage_bytes<Program>(items, behind));
  using stage                     = stage_for<Program, items, behind>;

  using thread_of_tile = thread_items<N, Program, stage, shifts>;
  using memos          = typename thread_of_tile::memos;
  using flags          = register_flags<N>;

  /// Which items of a thread go to the first of three columns, and which to the second.
  struct part_flags {
    flags first, second;
  };
  using left_memos = std::conditional_t<parts, part_flags, memos>;  ///< as the squad that reduces stores them

  struct slot_state {
    transfer_barrier full, reduced, prefixed, empty;
    extent index;  ///< of the tile; -1: there are no more tiles
    std::uint32_t epoch;
    aggregate prefix;
    inside all;                             ///< the tile's aggregate
    inside groups[squad / network::lanes];  ///< aggregate of each group of lanes; then what precedes it in the tile
    inside before[sums ? squad : 1];        ///< what precedes each thread in its group
    left_memos made[carries ? squad : 1];
    alignas(reads ? 16 : 4) std::uint32_t flags[reads ? items / 32 + 8 : 1];  ///< from their last 16-byte boundary on
  };
  static constexpr int state_bytes = (int(sizeof(slot_state)) + 15) / 16 * 16;
};

/// Part of a tile, or of a list.
struct entries {
  int begin, end;
};

/// The ring of slots in shared memory through which tiles pass. After the slots come their states, then `WriterBytes`
/// bytes for each squad that writes.
template <class Shape, int WriterBytes, class Board = shared_board>
struct look_ahead_ring : Shape {
  using Shape::N, Shape::items, Shape::behind, Shape::reads, Shape::words, Shape::writers;
  using typename Shape::item;
  using typename Shape::left_memos;
  using typename Shape::program_type;
  using typename Shape::slot_state;
  using typename Shape::stage;
  using typename Shape::thread_of_tile;

  static constexpr int fitting = (most_shared - writers * WriterBytes) / (Shape::slot_bytes + Shape::state_bytes);
  static constexpr int most    = fitting < Shape::numbers.slots ? fitting : Shape::numbers.slots;
  // Squads that reduce have slots of their own: to one that another took in the round before, a squad could come while
  // its barrier is a round behind.
  static constexpr int slots = most / Shape::reducers * Shape::reducers;
  static_assert(slots > writers, "onepass: the look-ahead schedule has no room for its slots");
  static constexpr std::size_t shared =
      std::size_t(slots) * (Shape::slot_bytes + Shape::state_bytes) + writers * WriterBytes;

  program_type const& program;
  extent n;
  int lead;  ///< positions of the first tile before the first item, so that tiles begin at whole 16-byte words
  Board board;
  char* memory;

  __device__ look_ahead_ring(program_type const& p, extent size, int before, Board const& b, char* m)
      : program(p)
      , n(size)
      , lead(Shape::shifts ? before : 0)
      , board(b)
      , memory(m)
  {}

  __device__ char* memory_of(int s) const { return memory + s * Shape::slot_bytes; }
  __device__ slot_state& state(int s) const
  {
    return *reinterpret_cast<slot_state*>(memory + slots * Shape::slot_bytes + s * Shape::state_bytes);
  }
  __device__ char* memory_of_writer(int writer) const
  {
    return memory + slots * (Shape::slot_bytes + Shape::state_bytes) + writer * WriterBytes;
  }
  __device__ extent tiles() const { return tiles_of(n + lead, items); }
  /// Which item a tile's position 0 is, or would be.
  __device__ extent first(extent index) const { return index * items - lead; }
  /// How many items there are before a tile.
  __device__ extent before(extent index) const { return index > 0 ? first(index) : 0; }
  /// The positions of a tile that have items.
  __device__ entries with_items(extent index) const
  {
    return {index > 0 ? 0 : lead, n - first(index) < items ? int(n - first(index)) : items};
  }
  __device__ bool is_last(extent index) const { return index == tiles() - 1; }
  /// Whether those who write the tile also finish the program. Of the canonical tree the warp that looks ahead does.
  __device__ bool finishes(extent index) const { return !Shape::canonical && is_last(index); }

  /// Initialises the barriers of slot s; by one thread for each slot.
  __device__ void open(int s) const
  {
    auto& at = state(s);
    at.full.init(1), at.reduced.init(Shape::squad), at.prefixed.init(32);
    at.empty.init(Shape::squad);
    fence_barriers();
  }

  /// Goes round the ring from slot `s` on by `step`, and calls use(slot, its parity) until a slot marks the end.
  template <class Use>
  __device__ void each_slot(Use const& use, int s = 0, int step = 1) const
  {
    for (int parity = 0;;) {
      state(s).full.wait(parity);
      if (state(s).index < 0) return;
      use(s, parity);
      if ((s += step) >= slots) s -= slots, parity ^= 1;
    }
  }

  /// Flags are loaded in packs of 128: the number of flags before the tile's own.
  __device__ static int flags_before(extent index) { return int(std::uint32_t(index) * std::uint32_t(items) % 128); }

  /// One thread draws a ticket once a slot is free, and has the tile loaded. If it drew earlier, a block could own a
  /// tile that it cannot load while all others wait for that tile.
  __device__ void load() const
  {
    extent const all = tiles(), draws = all + gridDim.x;
    int ends = 0;  // number of slots marked as the end: one for each squad that takes tiles in turn
    for (int s = 0, parity = 1; ends < Shape::numbers.writers;) {
      auto& at = state(s);
      at.empty.wait(parity);  // does not wait in the first round
      auto const mine = ends ? shared_board::ticket{all, 0} : board.draw(draws, all * words);
      at.index        = mine.index < all ? mine.index : -1;
      at.epoch        = mine.epoch;
      if (at.index < 0) {
        at.full.arrive();
        ++ends;
      } else load_tile(at, s);
      if (++s == slots) s = 0, parity ^= 1;
    }
  }

  /// Whole 16-byte words are loaded by the copy engine, the word that holds the item before by a copy of its own; the
  /// few bytes before the first tile's words and after the last tile's by this thread.
  __device__ void load_tile(slot_state& at, int s) const
  {
    extent const index   = at.index;
    entries const inside = with_items(index);
    stage const to{memory_of(s)};
    int expected      = 0;
    auto const pieces = [&](auto const& use) {
      to.each_array(program.input(), [&](auto const& from, auto const& array) {
        constexpr int size = int(sizeof(*from.data));
        entries const bytes{inside.begin * size, inside.end * size};
        entries const words{(bytes.begin + 15) / 16 * 16, bytes.end / 16 * 16};
        use(reinterpret_cast<char*>(array.data()), reinterpret_cast<char const*>(from.data) + first(index) * size,
            bytes, words, words.end > words.begin ? words.end - words.begin : 0);
      });
    };
    int const before = behind > 0 && index > 0 ? 16 : 0;
    pieces([&](char* data, char const* source, entries const& bytes, entries const& words, int loaded) {
      expected += before + loaded;
      for (int b = bytes.begin; b < words.begin && b < bytes.end; ++b) data[b] = source[b];
      for (int b = loaded > 0 ? words.end : words.begin; b < bytes.end; ++b) data[b] = source[b];
    });
    int const flags = reads ? (flags_before(index) + inside.end + 127) / 128 * 16 : 0;
    at.full.arrive_and_expect(expected + flags);
    if constexpr (reads)
      if (flags > 0) bulk_load(at.flags, program.flag_words() + index * items / 128 * 4, flags, at.full);
    pieces([&](char* data, char const* source, entries const&, entries const& words, int loaded) {
      if (before) bulk_load(data - 16, source - 16, 16, at.full);
      if (loaded > 0) bulk_load(data + words.begin, source + words.begin, loaded, at.full);
    });
  }

  /// This thread's items of a slot.
  __device__ thread_of_tile items_of(int s, extent index, int rank) const
  {
    stage const from{memory_of(s)};
    int const at = rank * N;
    thread_of_tile in(from, at, first(index) + at, with_items(index).end - at);
    if constexpr (looks_behind<program_type>) in.follows(from(index == 0 && rank == 0 ? 0 : at - 1));
    return in;
  }

  /// The memos of this thread's items: left in the slot's state by the squad that reduces, or loaded with the tile.
  __device__ left_memos memos_of(int s, int rank) const
  {
    auto const& at = state(s);
    if constexpr (reads)
      return thread_of_tile::flags(at.flags, flags_before(at.index) + rank * N, with_items(at.index).end - rank * N);
    else if constexpr (Shape::carries) return at.made[rank];
    else return {};
  }
};

}  // namespace onepass::ONEPASS_ABI::backends::cuda
