// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/backends/host/buffer.hpp>
#include <onepass/backends/host/items.hpp>
#include <onepass/backends/host/leaf.hpp>
#include <onepass/engine/items/canonical.hpp>

#include <array>
#include <atomic>
#include <cstring>
#include <utility>

namespace onepass::ONEPASS_ABI::backends::host {

/// Sums of floats, which are items in memory: lanes of vector registers take leaves of their own.
#ifdef ONEPASS_HIGHWAY
template <class Program>
concept tree_in_vectors =
    direct<Program> && std::is_same_v<typename Program::operation, plus> && std::is_floating_point_v<
        typename Program::memo_type> && requires(Program const p)
{
  requires std::is_same_v<std::remove_cvref_t<decltype(p.transform)>, unchanged>;
};
#else
template <class Program>
concept tree_in_vectors = false;
#endif

/// One tile of the canonical tree on one thread, a piece of two groups at a time: its leaves are reduced, which brings
/// it into the cache; once they are combined, it is scanned from there. The leaves of a piece do not wait for each
/// other, so some of them are taken side by side. Where a later tile may write over the items of a program that
/// compacts, they are kept with their memos.
template <class Program>
class canonical_tile {
  using tree      = canonical_tree<Program>;
  using item_type = typename Program::item_type;
  using memo      = typename Program::memo_type;
  using aggregate = typename Program::aggregate_type;
  using inside    = inside_of<Program>;

  static constexpr int N = tree::leaf, radix = tree::radix;
  static constexpr int leaves = 2 * radix, piece = leaves * N;  ///< of a piece; its items
  static constexpr int abreast = sizeof(inside) <= 8 ? 8 : 4;   ///< leaves side by side

  template <class P>
  struct output_of {
    using type = char;
  };
  template <class P>
    requires(P::shape == output_shape::mapped)
  struct output_of<P> {
    using type = typename P::output_type;
  };
  using output = typename output_of<Program>::type;

  static constexpr bool compacts = Program::shape == output_shape::compacted;

  static constexpr bool staged = Program::shape == output_shape::mapped && writes_bytes<Program>;

public:
  /// The results of a piece, if they are neighbours in memory. They are made here and then written as whole lines.
  struct stage {
    alignas(64) std::array<output, staged ? piece : 0> made;
  };

  /// Begins tile `index` of n items, which is without any if these are too few; `memos` has room for those of a tile,
  /// and `kept` for its items if they are kept.
  void begin(extent index, extent n, memo* memos, item_type* kept = nullptr)
  {
    first_ = index * tree::items;
    last_  = std::max(std::min(first_ + tree::items, n), first_);
    memos_ = memos;
    kept_  = kept;
    if (last_ - first_ < tree::items) std::fill_n(leaves_, tree::leaves, algebra_for<Program>::identity());
  }
  void begin_without_items() { begin(0, 0, nullptr); }

  int pieces() const { return int(div_up(last_ - first_, piece)); }

  /// The items of a piece, or of one behind the tile, as something to be fetched; its place in the output.
  char const* items_of(Program const& p, int k) const { return bytes_at<char const>(p.input(), first_ + k * piece); }
  char* results_of(Program const& p, int k) const
  {
    if constexpr (staged) return bytes_at<char>(p.output(), first_ + k * piece);
    else return nullptr;
  }

  /// Reduces the leaves of piece k.
  void fold(Program const& p, int k, lines_ahead ahead)
  {
    extent const from = first_ + k * piece;
    inside* const own = leaves_ + k * leaves;
    if constexpr (tree_in_vectors<Program>) {
      alignas(64) memo room[piece];
      return in_vectors().fold(whole(p, from, room), own, ahead);
    }
    fetch(ahead);
    each_leaf(from, [&](int leaf, auto count, auto some) { fold_leaves<some()>(p, from, leaf, count, own + leaf); });
  }

  /// Combines all leaves, which have been reduced.
  aggregate combine(Program const& p)
  {
    auto const algebra = algebra_of(p);
    auto all           = algebra.identity();
    for (int g = 0; g < radix; ++g) {
      auto running = algebra.identity();
      for (int l = g * radix; l < (g + 1) * radix; ++l)
        running = algebra.combine(running, std::exchange(leaves_[l], running));
      groups_[g] = all;
      all        = algebra.combine(all, running);
    }
    return algebra.after(Program::identity(), first_, all);
  }

  /// Makes the results of piece k, given everything before the tile. They are staged, or written where they belong.
  void scan(Program const& p, aggregate const& prefix, int k, stage& to, lines_ahead ahead) const
  {
    extent const from = first_ + k * piece;
    if constexpr (tree_in_vectors<Program> && staged) {
      aggregate before[leaves];
      for (int l = 0; l < leaves; ++l) before[l] = before_leaf(p, prefix, k * leaves + l);
      alignas(64) memo room[piece];
      auto const scan = Program::inclusive ? in_vectors().inclusive : in_vectors().exclusive;
      return scan(whole(p, from, room), to.made.data(), before, ahead);
    }
    fetch(ahead);
    if constexpr (Program::shape == output_shape::mapped)
      each_leaf(from, [&](int leaf, auto count, auto some) { scan_leaves<some()>(p, prefix, from, leaf, count, to); });
    if constexpr (Program::shape == output_shape::compacted) compact(p, prefix, from);
  }

  /// Writes the results that are staged, past the caches if `stream`.
  void write(Program const& p, int k, stage const& from, bool stream) const
  {
    if constexpr (staged) {
      extent const first     = first_ + k * piece;
      std::size_t const size = std::size_t(std::min<extent>(piece, last_ - first)) * sizeof(from.made[0]);
      if (stream) stream_out(p.output().data + first, from.made.data(), size);
      else std::memcpy(p.output().data + first, from.made.data(), size);
    }
  }

private:
  template <class Byte, class Sequence>
  static Byte* bytes_at([[maybe_unused]] Sequence const& items, [[maybe_unused]] extent i)
  {
    if constexpr (is_contiguous<Sequence>::value)
      return reinterpret_cast<Byte*>(reinterpret_cast<std::uintptr_t>(items.data)
                                     + std::uintptr_t(i) * sizeof(*items.data));
    else return nullptr;
  }
  static void fetch(lines_ahead ahead)
  {
    for (std::size_t i = 0; i < piece * sizeof(typename Program::item_type); i += 64) ahead.fetch();
  }

  /// Calls use(first of some leaves of the piece, items of each, number of leaves), the last two constants if possible.
  template <class Use>
  void each_leaf(extent from, Use const& use) const
  {
    if (from + piece <= last_)
      for (int l = 0; l < leaves; l += abreast)
        use(l, std::integral_constant<int, N>{}, std::integral_constant<int, abreast>{});
    else
      for (int l = 0; l < leaves && from + l * N < last_; ++l)
        use(l, int(std::min<extent>(N, last_ - from - l * N)), std::integral_constant<int, 1>{});
  }

  static memo evaluate(Program const& p, auto const& in, extent i, auto const& item)
  {
    if constexpr (looks_behind<Program>) return p.evaluate(i, item, in(i > 0 ? i - 1 : 0));
    else return p.evaluate(i, item);
  }
  memo memo_of(Program const& p, auto const& in, extent i, auto const& item) const
  {
    if constexpr (pure_program<Program>)
      if (!(compacts && kept_)) return evaluate(p, in, i, item);
    return memos_[i - first_];
  }

  static auto const& in_vectors()
  {
    using leaf = vector_tree_leaf<memo>;
    static_assert(leaf::items == N && leaf::leaves == leaves);
    return std::get<leaf>(tree_leaves_of_this_machine());
  }
  /// The items of a whole piece: where some are missing, in `room`, with the identity in their place.
  memo const* whole(Program const& p, extent from, memo (&room)[piece]) const
  {
    memo const* const items = p.input().data + from;
    if (last_ - from >= piece) return items;
    std::fill(std::copy(items, items + (last_ - from), room), room + piece, Program::identity());
    return room;
  }

  /// What is before a leaf in the tile, and everything before it.
  inside in_tile(auto const& algebra, int leaf) const { return algebra.combine(groups_[leaf / radix], leaves_[leaf]); }
  aggregate before_leaf(Program const& p, aggregate const& prefix, int leaf) const
  {
    auto const algebra = algebra_of(p);
    return algebra.after(prefix, first_, in_tile(algebra, leaf));
  }

  template <int Some, class Count>
  void fold_leaves(Program const& p, extent from, int leaf, Count count, inside* own) const
  {
    auto const in      = p.input();
    auto const algebra = algebra_of(p);
    inside sum[Some];
    for (int s = 0; s < Some; ++s) sum[s] = algebra.identity();
    for (int k = 0; k < count; ++k)
      for (int s = 0; s < Some; ++s) {
        extent const i   = from + (leaf + s) * N + k;
        auto const& item = in(i);
        memo const m     = evaluate(p, in, i, item);
        if constexpr (!pure_program<Program>) memos_[i - first_] = m;
        if constexpr (compacts)
          if (kept_) kept_[i - first_] = item, memos_[i - first_] = m;
        sum[s] = algebra.combine(sum[s], algebra.lift(i, item, m));
      }
    for (int s = 0; s < Some; ++s) own[s] = sum[s];
  }

  template <int Some, class Count>
  void scan_leaves(Program const& p, aggregate const& prefix, extent from, int leaf, Count count,
                   [[maybe_unused]] stage& to) const
  {
    auto const in  = p.input();
    auto const out = p.output();
    aggregate now[Some];
    for (int s = 0; s < Some; ++s) now[s] = before_leaf(p, prefix, int(from - first_) / N + leaf + s);
    for (int k = 0; k < count; ++k)
      for (int s = 0; s < Some; ++s) {
        int const at     = (leaf + s) * N + k;
        extent const i   = from + at;
        auto const& item = in(i);
        memo const m     = memo_of(p, in, i, item);
        auto const x     = p.result(item, m, now[s]);
        now[s]           = p.combine(now[s], p.lift(i, item, m));
        if constexpr (staged) to.made[std::size_t(at)] = x;
        else out(i) = x;
      }
  }

  void compact(Program const& p, aggregate const& prefix, extent from) const
  {
    if (kept_) compact(p, prefix, from, [&](extent i) -> item_type const& { return kept_[i - first_]; });
    else compact(p, prefix, from, p.input());
  }
  void compact(Program const& p, aggregate const& prefix, extent from, auto const& items) const
  {
    auto const in      = p.input();
    auto const algebra = algebra_of(p);
    for (extent const to = std::min(from + piece, last_); from < to; from += N) {
      auto running = in_tile(algebra, int(from - first_) / N);
      for (extent i = from; i < std::min(from + N, to); ++i) {
        auto const& item = items(i);
        memo const m     = memo_of(p, in, i, item);
        write_kept(p, i, item, m, algebra.after(prefix, first_, running));
        running = algebra.combine(running, algebra.lift(i, item, m));
      }
    }
  }

  extent first_, last_;
  memo* memos_;
  item_type* kept_;
  inside groups_[radix];         ///< what is before each group in the tile
  inside leaves_[tree::leaves];  ///< each leaf; once they are combined, what is before it in its group
};

/// Writes a tile, past the caches if `stream`, given everything before it, while the next of this thread is reduced.
/// So memory is always busy: the items of the next are fetched ahead, and where results stay in the caches their lines.
/// Either may have no items.
template <class Program>
[[gnu::noinline]] void walk(Program const& given, canonical_tile<Program> const& mine,
                            typename Program::aggregate_type const& before, canonical_tile<Program>& next, bool stream)
{
  constexpr int lead = 2;      // pieces
  Program const p    = given;  // a copy, which no store can change
  typename canonical_tile<Program>::stage made;
  int const written = Program::shape == output_shape::none ? 0 : mine.pieces(), reduced = next.pieces();
  for (int k = 0; k < std::max(written, reduced); ++k) {
    char const* const items = k < reduced ? next.items_of(p, k + lead) : nullptr;
    if (k < written) mine.scan(p, before, k, made, {items, stream ? nullptr : mine.results_of(p, k)});
    if (k < reduced) next.fold(p, k, {k < written ? nullptr : items, nullptr});
    if (k < written) mine.write(p, k, made, stream);  // after both, when the stage has reached the cache
  }
}

/// How threads that take tiles in turn hand on what is before them.
template <class Program>
class canonical_relay {
public:
  explicit canonical_relay(Program const& program)
      : prefix_(program)
  {}

  extent draw() { return next_.fetch_add(1, std::memory_order_relaxed); }

  /// Calls use(what is before the turn) once all turns before it have been taken. Waits end: turns are drawn in order
  /// by running threads, and a thread takes one before it waits for the next.
  template <class Use>
  void take(extent turn, Use const& use)
  {
    for (int waits = 0; taken_.load(std::memory_order_acquire) != turn; ++waits) wait_a_turn(waits);
    use(prefix_);
    taken_.store(turn + 1, std::memory_order_release);
  }

private:
  alignas(64) std::atomic<extent> next_{0};
  alignas(64) std::atomic<extent> taken_{0};
  canonical_prefix<Program> prefix_;
};

/// The canonical tree in one pass: threads take some tiles in turn, reduce them, are told what is before these, and
/// scan them from the cache while they reduce those of their next turn.
template <class Exec, item_program Program>
void queue_program(place<Exec, backend, canonical_tuning> const& where, Program const& program, item_count count)
{
  require(where.chosen == schedule::automatic || where.chosen == schedule::tiled, where.label,
          ": host threads make the canonical tree by the tiled schedule, not by ", name_of(where.chosen));
  using tree                    = canonical_tree<Program>;
  using tile                    = canonical_tile<Program>;
  using item                    = typename Program::item_type;
  using memo                    = typename Program::memo_type;
  using aggregate               = typename Program::aggregate_type;
  constexpr item_tuning numbers = item_tuning_for<measured_tuning>();
  constexpr extent together     = std::max<extent>(numbers.items(bytes_per_item<Program>) / tree::items, 1);
  extent const n = count(), tiles = tiles_of(n, tree::items), turns = div_up(tiles, together);
  bool const stream = streams<Program>(n);
  bool moves        = false;  // items to where others are read
  if constexpr (Program::shape == output_shape::compacted) moves = may_be_in_place(program);
  extent const memos_kept = !pure_program<Program> || moves ? tree::items : 0;
  canonical_relay<Program> relay(program);

  auto const worker = [&](int) {
    tile* const both  = thread_buffer<tile>(2 * together);
    memo* const memos = thread_buffer<memo, tree>(2 * together * memos_kept);
    item* items       = nullptr;
    if constexpr (Program::shape == output_shape::compacted)
      if (moves) items = thread_buffer<item, tile>(2 * together * tree::items);
    for (extent t = 0; t < together; ++t) both[t].begin_without_items();
    aggregate before[together];
    for (auto& b : before) b = Program::identity();
    bool odd = true;
    for (extent turn = 0; turn < turns; odd = !odd) {
      tile *const mine = both + !odd * together, *const next = both + odd * together;
      turn = relay.draw();
      for (extent t = 0; t < together; ++t) {
        extent const at = next + t - both;
        next[t].begin(turn * together + t, n, memos + at * memos_kept, moves ? items + at * tree::items : nullptr);
        host::walk(program, mine[t], before[t], next[t], stream);
      }
      if (turn < turns)
        relay.take(turn, [&](canonical_prefix<Program>& prefix) {
          for (extent t = 0; t < std::min(together, tiles - turn * together); ++t) {
            before[t] = prefix.before(program);
            prefix.add(program, next[t].combine(program));
          }
          if (turn == turns - 1) program.finish(prefix.before(program), n);
        });
    }
    release_streams();
  };
  extent const bytes = n * extent(bytes_per_item<Program>);
  on_threads(where.label, where.space, threads_for(where.space, bytes, numbers.alone_from), worker);
}

}  // namespace onepass::ONEPASS_ABI::backends::host
