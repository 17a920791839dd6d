// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/backends/host/buffer.hpp>
#include <onepass/backends/host/items.hpp>
#include <onepass/backends/host/leaf.hpp>
#include <onepass/engine/items/canonical.hpp>

#include <atomic>

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

/// One tile of the canonical tree on one thread: reduced, which brings it into the cache, then scanned from there. The
/// leaves of a group do not wait for each other, so some of them are taken side by side.
template <class Program>
class canonical_tile {
  using tree      = canonical_tree<Program>;
  using memo      = typename Program::memo_type;
  using aggregate = typename Program::aggregate_type;
  using inside    = inside_of<Program>;

  static constexpr int N = tree::leaf, radix = tree::radix, group = N * radix;
  static constexpr int abreast = sizeof(inside) <= 8 ? 8 : 4;  ///< leaves side by side

public:
  /// Begins tile `index` of n items; `memos` has room for those of a tile.
  void begin(extent index, extent n, memo* memos)
  {
    first_ = index * tree::items;
    last_  = std::min(first_ + tree::items, n);
    memos_ = memos;
  }

  extent first() const { return first_; }

  [[gnu::noinline]] aggregate upsweep(Program const& given)
  {
    Program const p    = given;  // a copy, which no store can change
    auto const algebra = algebra_of(p);
    total_             = algebra.identity();
    int l              = 0;
    for (extent from = first_; from < last_; from += group) {
      auto running = algebra.identity();
      inside own[radix];
      if (!fold_group(p, from, own))
        each_leaf(from, [&](int leaf, auto count, auto some) { fold<some()>(p, from, leaf, count, own + leaf); });
      for (int k = 0; k < radix && from + k * N < last_; ++k) {
        before_[l++] = algebra.combine(total_, running);
        running      = algebra.combine(running, own[k]);
      }
      total_ = algebra.combine(total_, running);
    }
    return algebra.after(Program::identity(), first_, total_);
  }

  /// Writes the tile, past the caches if `stream`, given everything before it, while items from `ahead` on are
  /// prefetched.
  void downsweep(Program const& program, aggregate const& prefix, bool stream, extent ahead) const
  {
    if constexpr (Program::shape == output_shape::mapped) {
      if constexpr (is_contiguous<decltype(program.output())>::value)
        if (stream) return write<true>(program, prefix, ahead);
      write<false>(program, prefix, ahead);
    }
    if constexpr (Program::shape == output_shape::compacted) compact(program, prefix, ahead);
  }

private:
  /// Calls use(first of some leaves of the group, items of each, number of leaves), the last two constants if possible.
  template <class Use>
  void each_leaf(extent from, Use const& use) const
  {
    if (from + group <= last_)
      for (int l = 0; l < radix; l += abreast)
        use(l, std::integral_constant<int, N>{}, std::integral_constant<int, abreast>{});
    else
      for (int l = 0; l < radix && from + l * N < last_; ++l)
        use(l, int(std::min<extent>(N, last_ - from - l * N)), std::integral_constant<int, 1>{});
  }

  static memo evaluate(Program const& p, auto const& in, extent i, auto const& item)
  {
    if constexpr (looks_behind<Program>) return p.evaluate(i, item, in(i > 0 ? i - 1 : 0));
    else return p.evaluate(i, item);
  }
  memo memo_of(Program const& p, auto const& in, extent i, auto const& item) const
  {
    if constexpr (pure_program<Program>) return evaluate(p, in, i, item);
    else return memos_[i - first_];
  }

  /// A whole group in vector registers, if that is possible.
  bool fold_group([[maybe_unused]] Program const& p, [[maybe_unused]] extent from, [[maybe_unused]] inside* own) const
  {
    if constexpr (tree_in_vectors<Program>)
      if (from + group <= last_) {
        in_vectors().fold(p.input().data + from, own);
        return true;
      }
    return false;
  }
  template <class Output>
  bool scan_group([[maybe_unused]] Program const& p, [[maybe_unused]] aggregate const& prefix,
                  [[maybe_unused]] extent from, [[maybe_unused]] Output* out, [[maybe_unused]] extent ahead) const
  {
    if constexpr (tree_in_vectors<Program>)
      if (from + group <= last_) {
        aggregate before[radix];
        for (int l = 0; l < radix; ++l) before[l] = p.combine(prefix, before_[int(from - first_) / N + l]);
        auto const scan = Program::inclusive ? in_vectors().inclusive : in_vectors().exclusive;
        scan(p.input().data + from, out, before, line_of(p.input().data, ahead + (from - first_)));
        return true;
      }
    return false;
  }
  template <class Out>
  static auto* address([[maybe_unused]] Out const& out, [[maybe_unused]] extent i)
  {
    if constexpr (is_contiguous<Out>::value) return out.data + i;
    else return static_cast<typename Program::output_type*>(nullptr);
  }
  /// The line of the cache that item i begins in, which may be no item at all.
  static memo const* line_of(memo const* items, extent i)
  {
    auto const at = reinterpret_cast<std::uintptr_t>(items) + std::uintptr_t(i) * sizeof(memo);
    return reinterpret_cast<memo const*>(at / 64 * 64);
  }
  static auto const& in_vectors()
  {
    using leaf = vector_tree_leaf<memo>;
    static_assert(leaf::items == N && leaf::leaves == radix);
    return std::get<leaf>(tree_leaves_of_this_machine());
  }

  template <int Some, class Count>
  void fold(Program const& p, extent from, int leaf, Count count, inside* own) const
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
        sum[s] = algebra.combine(sum[s], algebra.lift(i, item, m));
      }
    for (int s = 0; s < Some; ++s) own[s] = sum[s];
  }

  template <bool Stream>
  [[gnu::noinline]] void write(Program const& given, aggregate const& prefix, extent ahead) const
  {
    using output       = typename Program::output_type;
    Program const p    = given;
    auto const in      = p.input();
    auto const out     = p.output();
    auto const algebra = algebra_of(p);
    alignas(64) output made[Stream ? group : 1];
    auto const leaves = [&]<int Some>(extent from, int leaf, auto count, std::integral_constant<int, Some>) {
      aggregate now[Some];
      for (int s = 0; s < Some; ++s) now[s] = algebra.after(prefix, first_, before_[int(from - first_) / N + leaf + s]);
      for (int k = 0; k < count; ++k)
        for (int s = 0; s < Some; ++s) {
          int const at     = (leaf + s) * N + k;
          extent const i   = from + at;
          auto const& item = in(i);
          memo const m     = memo_of(p, in, i, item);
          output const x   = p.result(item, m, now[s]);
          now[s]           = p.combine(now[s], p.lift(i, item, m));
          if constexpr (Stream) made[at] = x;
          else out(i) = x;
        }
    };
    for (extent from = first_; from < last_; from += group) {
      extent const size = std::min<extent>(group, last_ - from);
      if (!scan_group(p, prefix, from, Stream ? made : address(out, from), ahead)) {
        fetch_ahead(in, ahead + (from - first_), size);
        each_leaf(from, [&](int leaf, auto count, auto some) { leaves(from, leaf, count, some); });
      }
      if constexpr (Stream) stream_out(out.data + from, made, std::size_t(size) * sizeof(output));
    }
  }

  [[gnu::noinline]] void compact(Program const& given, aggregate const& prefix, extent ahead) const
  {
    Program const p    = given;
    auto const in      = p.input();
    auto const algebra = algebra_of(p);
    fetch_ahead(in, ahead, last_ - first_);
    int l = 0;
    for (extent from = first_; from < last_; from += N) {
      auto running = before_[l++];
      for (extent i = from; i < std::min(from + N, last_); ++i) {
        auto const& item = in(i);
        memo const m     = memo_of(p, in, i, item);
        write_kept(p, i, item, m, algebra.after(prefix, first_, running));
        running = algebra.combine(running, algebra.lift(i, item, m));
      }
    }
  }

  extent first_, last_;
  memo* memos_;
  inside before_[tree::leaves];  ///< what is before each leaf in the tile
  inside total_;
};

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
/// scan them from the cache.
template <class Exec, item_program Program>
void queue(place<Exec, backend, canonical_tuning> const& where, Program const& program, item_count count)
{
  require(where.chosen == schedule::automatic || where.chosen == schedule::tiled, where.label,
          ": host threads make the canonical tree by the tiled schedule, not by ", name_of(where.chosen));
  using tree                    = canonical_tree<Program>;
  using tile                    = canonical_tile<Program>;
  using memo                    = typename Program::memo_type;
  constexpr item_tuning numbers = item_tuning_for<measured_tuning>();
  constexpr extent together     = std::max<extent>(numbers.items(bytes_per_item<Program>) / tree::items, 1);
  constexpr extent kept         = pure_program<Program> ? 0 : tree::items;
  extent const n = count(), tiles = tiles_of(n, tree::items), turns = div_up(tiles, together);
  bool const stream = streams<Program>(n);
  canonical_relay<Program> relay(program);

  auto const worker = [&](int) {
    tile* const mine  = thread_buffer<tile>(together);
    memo* const memos = thread_buffer<memo, tree>(std::max<extent>(together * kept, 1));
    for (extent turn = relay.draw(), next; turn < turns; turn = next) {
      extent const first = turn * together, number = std::min(together, tiles - first);
      typename Program::aggregate_type total[together], before[together];
      for (extent t = 0; t < number; ++t) {
        mine[t].begin(first + t, n, memos + t * kept);
        total[t] = mine[t].upsweep(program);
      }
      relay.take(turn, [&](canonical_prefix<Program>& prefix) {
        for (extent t = 0; t < number; ++t) {
          before[t] = prefix.before(program);
          prefix.add(program, total[t]);
        }
        if (turn == turns - 1) program.finish(prefix.before(program), n);
      });
      next = relay.draw();
      for (extent t = 0; t < number; ++t)
        mine[t].downsweep(program, before[t], stream, (next * together + t) * tree::items);
    }
    release_streams();
  };
  extent const bytes = n * extent(bytes_per_item<Program>);
  on_threads(where.label, where.space, threads_for(where.space, bytes, numbers.alone_from), worker);
}

}  // namespace onepass::ONEPASS_ABI::backends::host
