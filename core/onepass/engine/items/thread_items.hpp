// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/engine/items/inside.hpp>
#include <onepass/engine/items/running.hpp>
#include <onepass/engine/items/stage.hpp>
#include <onepass/engine/registers.hpp>

namespace onepass::ONEPASS_ABI {

/// The memos of N items, for programs whose items must be evaluated once.
template <int N, class Program>
struct thread_memos {
  register_memos<typename Program::memo_type, N> kept;
};
template <int N, pure_program Program>
struct thread_memos<N, Program> {};

/// N neighbouring items in the registers of one thread, and their program's operations on them. If all N exist, the
/// code has no test per item; only the ends of tiles do, of the first too if it Leads: may begin before item 0. These
/// are loaded and stored whole as well, since branches cost registers, but the program is called for items alone.
template <int N, class Program, class Stage, bool Leads = false>
class thread_items {
public:
  using item      = typename Program::item_type;
  using memo      = typename Program::memo_type;
  using aggregate = typename Program::aggregate_type;
  using inside    = inside_of<Program>;
  using memos     = thread_memos<N, Program>;

  /// The items of a stage from position `at` on, of which the first `left` (or all N) are real; `first` is the input
  /// position of the first.
  ONEPASS_FUNCTION thread_items(Stage const& stage, int at, extent first, int left)
      : first_(first)
      , left_(left)
  {
    items_.load(stage, at);
  }

  /// The items of thread `rank`, in a staged tile that begins with item `first` and has `valid` real ones.
  ONEPASS_FUNCTION static thread_items of(Program const& program, Stage const& stage, int rank, extent first, int valid)
  {
    int const at = rank * N;
    thread_items in(stage, at, first + at, valid - at);
    if constexpr (looks_behind<Program>)
      in.follows(at > 0 ? stage(at - 1) : first > 0 ? item(program.input()(first - 1)) : stage(0));
    return in;
  }

  /// The item before the first, for a program that looks behind.
  ONEPASS_FUNCTION void follows(item const& previous) { previous_ = previous; }

  /// Evaluates each item, for a program whose memos are kept.
  ONEPASS_FUNCTION void evaluate(Program const& program, memos& m) const
  {
    if constexpr (reads_flags<Program>) m = flags(program.flag_words(), first_, left_);
    else if constexpr (!pure_program<Program>)
      by_wholeness([&]<bool whole>(std::bool_constant<whole>) {
        ONEPASS_UNROLL for (int k = 0; k < N; ++k)
            m.kept.set(k, whole || is_real(k) ? evaluated_at<whole>(program, k) : nothing());
      });
  }

  /// The flags of N items, which begin with bit `first` of these words; 0 for items behind the first `left`.
  ONEPASS_FUNCTION static memos flags(std::uint32_t const* words, extent first, int left) requires reads_flags<Program>
  {
    memos m;
    auto const shift = std::uint32_t(first) & 31;
    auto* const from = words + (std::uint64_t(first) >> 5);
    auto low         = left > 0 ? from[0] : 0;
    ONEPASS_UNROLL for (int w = 0; w < decltype(m.kept)::words; ++w)
    {
      int const real  = (left < N ? left : N) - 32 * w;
      auto const high = real > 0 ? from[w + 1] : 0;
      auto const both = std::uint32_t((std::uint64_t(high) << 32 | low) >> shift);
      m.kept.set_word(w, real > 0 ? both & (~std::uint32_t(0) >> (real < 32 ? 32 - real : 0)) : 0);
      low = high;
    }
    return m;
  }

  /// The items combined; they are those of thread `rank`.
  ONEPASS_FUNCTION inside combined(Program const& program, memos const& m, [[maybe_unused]] int rank) const
  {
    auto const algebra = algebra_of(program);
    if constexpr (requires { algebra.of_flags(m.kept, rank * N); }) return algebra.of_flags(m.kept, rank * N);
    else {
      auto sum = algebra.identity();
      by_wholeness([&]<bool whole>(std::bool_constant<whole>) {
        ONEPASS_UNROLL for (int k = 0; k < N; ++k) if (whole || is_real(k)) sum =
            algebra.combine(sum, algebra.lift(first_ + k, items_.get(k), memo_of<whole>(program, m, k)));
      });
      if constexpr (requires { algebra.counted(sum, m.kept); }) return algebra.counted(sum, m.kept);
      else return sum;
    }
  }

  /// Writes mapped results to `stage`, given everything before the items. `stage` may be where the items were loaded
  /// from, once no other thread reads that. Behind the first item nobody asks whether there is a value.
  template <class Output>
  ONEPASS_FUNCTION void results(Program const& program, memos const& m, aggregate running, Output* stage) const
  {
    by_wholeness([&]<bool whole>(std::bool_constant<whole>) {
      register_items<Output, N> made{};
      auto const by_aggregate = [&](int k) {
        auto const seen = memo_of<whole>(program, m, k);
        made.set(k, program.result(items_.get(k), seen, running));
        running = program.combine(running, program.lift(first_ + k, items_.get(k), seen));
      };
      auto const each = [&](int from, auto const& step) {
        ONEPASS_UNROLL for (int k = 0; k < N; ++k) if (k >= from && (whole || is_real(k))) step(k);
      };
      if constexpr (holds_values<Program>)
        if (whole || !Leads) {
          if (whole || left_ > 0) by_aggregate(0);
          auto now = Program::held(running);
          each(1, [&](int k) {
            program.step_value(now, first_ + k, items_.get(k), memo_of<whole>(program, m, k),
                               [&](auto const& result) { made.set(k, static_cast<Output>(result)); });
          });
          return made.store(stage);
        }
      each(0, by_aggregate);
      made.store(stage);
    });
  }

  /// Passes the values kept by columns C... to `to`: to.put(column, rank among the tile's items that the column keeps,
  /// value). `prefix` precedes the tile, which begins at item `tile`; `before` precedes these items inside it.
  template <class To, int... C>
  ONEPASS_FUNCTION void compact(Program const& program, memos const& m, aggregate const& prefix, extent tile,
                                inside before, To const& to, std::integer_sequence<int, C...>) const
  {
    if constexpr (counts_flags<Program>) {
      int const begin = int(first_ - tile);
      int count = before.count(), latest = before.latest();
      ONEPASS_UNROLL for (int k = 0; k < N; ++k)
      {
        bool const flag = m.kept.get(k);
        auto const keep = [&]<int c>(std::integral_constant<int, c> column) {
          constexpr bool set = Program::template keeps<c>(true);
          if (flag != set || (!set && k >= left_)) return;
          int const rank = set ? count : begin + k - count;
          if constexpr (lists_places<Program>) to.put(column, rank, begin + k);
          else
            to.put(column, rank,
                   program.template value<c>(first_ + k, items_.get(k), flag,
                                             program.after(prefix, count, tile + latest)));
        };
        (keep(std::integral_constant<int, C>{}), ...);
        if (flag) ++count, latest = begin + k;
      }
    } else {
      auto const algebra = algebra_of(program);
      by_wholeness([&]<bool whole>(std::bool_constant<whole>) {
        auto running = before;
        ONEPASS_UNROLL for (int k = 0; k < N; ++k)
        {
          if (!whole && !is_real(k)) continue;
          auto const x    = memo_of<whole>(program, m, k);
          auto const keep = [&]<int c>(std::integral_constant<int, c> column) {
            if (!program.template keeps<c>(x)) return;
            auto const now = algebra.after(prefix, tile, running);
            to.put(column,
                   int(program.template position<c>(first_ + k, now) - program.template position<c>(tile, prefix)),
                   program.template value<c>(first_ + k, items_.get(k), x, now));
          };
          (keep(std::integral_constant<int, C>{}), ...);
          running = algebra.combine(running, algebra.lift(first_ + k, items_.get(k), x));
        }
      });
    }
  }

  /// Calls use(k, what precedes item k inside the tile) at every set flag.
  template <class Use>
  ONEPASS_FUNCTION void at_flags(Program const& program, memos const& m, inside before, Use const& use) const
  {
    auto const algebra = algebra_of(program);
    by_wholeness([&]<bool whole>(std::bool_constant<whole>) {
      ONEPASS_UNROLL for (int k = 0; k < N; ++k)
      {
        if (!whole && !is_real(k)) continue;
        if (m.kept.get(k)) use(k, before);
        before = algebra.combine(before, algebra.lift(first_ + k, items_.get(k), m.kept.get(k)));
      }
    });
  }

private:
  ONEPASS_FUNCTION bool is_real(int k) const { return (!Leads || first_ + k >= 0) && k < left_; }

  /// The memo of positions that have no item: no flag, or none of the counted parts.
  ONEPASS_FUNCTION static memo nothing()
  {
    if constexpr (counts_parts<Program>) return memo{2};
    else return memo{};
  }

  struct nothing_behind {};
  using behind = std::conditional_t<looks_behind<Program>, item, nothing_behind>;

  template <class F>
  ONEPASS_FUNCTION void by_wholeness(F const& f) const
  {
    if (left_ >= N && (!Leads || first_ >= 0)) f(std::true_type{});
    else f(std::false_type{});
  }

  template <bool Whole>
  ONEPASS_FUNCTION memo evaluated_at(Program const& program, int k) const
  {
    if ((Whole || !Leads) && k > 0)
      ONEPASS_ASSUME(first_ + k > 0);  // many programs test whether an item is the first of all
    if constexpr (looks_behind<Program>)
      return program.evaluate(first_ + k, items_.get(k), k ? items_.get(k - 1) : previous_);
    else return program.evaluate(first_ + k, items_.get(k));
  }
  template <bool Whole>
  ONEPASS_FUNCTION memo memo_of(Program const& program, memos const& m, int k) const
  {
    if constexpr (pure_program<Program>) return evaluated_at<Whole>(program, k);
    else return m.kept.get(k);
  }

  extent first_;
  int left_;
  typename Stage::template registers<N> items_;
  [[no_unique_address]] behind previous_;
};

}  // namespace onepass::ONEPASS_ABI
