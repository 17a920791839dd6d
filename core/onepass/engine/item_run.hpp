// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/engine/program.hpp>
#include <onepass/engine/registers.hpp>

namespace onepass {

/// What the evaluation of N items left behind, for programs whose items must be evaluated once.
template <int N, class Program>
struct run_memos {
  register_items<typename Program::memo_type, N> kept;
};
template <int N, pure_program Program>
struct run_memos<N, Program> {};

/// N neighbouring items in the registers of one thread, and what their program makes of them. Whole runs take paths
/// without a test an item; only the last tile has others. Its stage is read and written whole as well (branches there
/// cost registers); what lies beyond the last item is never shown to the program.
template <int N, class Program>
class item_run {
public:
  using item      = typename Program::item_type;
  using memo      = typename Program::memo_type;
  using aggregate = typename Program::aggregate_type;
  using memos     = run_memos<N, Program>;

  /// The items at `stage`, of which the first `left` (or all N) are real; `first` is the position of the first, and
  /// `previous` the item before it (read only where the program looks behind).
  ONEPASS_FUNCTION item_run(item const* stage, item const* previous, extent first, int left) : first_(first), left_(left)
  {
    items_.load(stage);
    if constexpr (looks_behind<Program>) previous_ = *previous;
  }

  /// Evaluates each item, for a program whose memos are carried.
  ONEPASS_FUNCTION void evaluate(Program const& program, memos& m) const
  {
    if constexpr (!pure_program<Program>)
      by_wholeness([&]<bool whole>(std::bool_constant<whole>) {
        ONEPASS_UNROLL for (int k = 0; k < N; ++k) m.kept.set(k, whole || k < left_ ? evaluated_at(program, k) : memo{});
      });
  }

  /// The items combined.
  ONEPASS_FUNCTION aggregate combined(Program const& program, memos const& m) const
  {
    auto sum = Program::identity();
    if constexpr (lifts_words<Program>) {
      ONEPASS_UNROLL for (int w = 0; w < decltype(m.kept)::words; ++w) sum = program.combine(sum, program.lift_word(first_ + 32 * w, m.kept.word(w)));
      return sum;
    }
    by_wholeness([&]<bool whole>(std::bool_constant<whole>) {
      ONEPASS_UNROLL for (int k = 0; k < N; ++k)
        if (whole || k < left_) sum = program.combine(sum, program.lift(first_ + k, items_.get(k), memo_of(program, m, k)));
    });
    return sum;
  }

  /// Mapped results, given everything before, go to `stage`: it may be where the items were read from, as soon as no
  /// other thread reads that.
  template <class Output>
  ONEPASS_FUNCTION void results(Program const& program, memos const& m, aggregate running, Output* stage) const
  {
    by_wholeness([&]<bool whole>(std::bool_constant<whole>) {
      register_items<Output, N> made{};
      ONEPASS_UNROLL for (int k = 0; k < N; ++k)
      {
        if (!whole && k >= left_) continue;
        const auto x = memo_of(program, m, k);
        made.set(k, program.result(items_.get(k), x, running));
        running = program.combine(running, program.lift(first_ + k, items_.get(k), x));
      }
      made.store(stage);
    });
  }

  /// What column C keeps goes to stage[place - base].
  template <int C, class Value>
  ONEPASS_FUNCTION void compact(Program const& program, memos const& m, aggregate running, extent base, Value* stage) const
  {
    by_wholeness([&]<bool whole>(std::bool_constant<whole>) {
      ONEPASS_UNROLL for (int k = 0; k < N; ++k)
      {
        if (!whole && k >= left_) continue;
        const auto x = memo_of(program, m, k);
        if (program.template keeps<C>(x))
          stage[int(program.template place<C>(first_ + k, running) - base)] =
            static_cast<Value>(program.template value<C>(first_ + k, items_.get(k), x, running));
        if (lifts_words<Program> && !x) continue;
        running = program.combine(running, program.lift(first_ + k, items_.get(k), x));
      }
    });
  }

private:
  struct nothing_behind {};
  using behind = std::conditional_t<looks_behind<Program>, item, nothing_behind>;

  template <class F>
  ONEPASS_FUNCTION void by_wholeness(F const& f) const
  {
    if (left_ >= N) f(std::true_type{});
    else f(std::false_type{});
  }

  ONEPASS_FUNCTION memo evaluated_at(Program const& program, int k) const
  {
    if constexpr (looks_behind<Program>) return program.evaluate(first_ + k, items_.get(k), k ? items_.get(k - 1) : previous_);
    else return program.evaluate(first_ + k, items_.get(k));
  }
  ONEPASS_FUNCTION memo memo_of(Program const& program, memos const& m, int k) const
  {
    if constexpr (pure_program<Program>) return evaluated_at(program, k);
    else return m.kept.get(k);
  }

  extent                  first_;
  int                     left_;
  register_items<item, N> items_;
  [[no_unique_address]] behind previous_;
};

}  // namespace onepass
