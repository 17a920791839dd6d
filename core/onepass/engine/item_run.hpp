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

  /// The items at `stage`, of which the first `left` (or all N) are real; `first` is the position of the first.
  ONEPASS_FUNCTION item_run(item const* stage, extent first, int left) : first_(first), left_(left) { items_.load(stage); }

  /// Evaluates each item and combines them.
  ONEPASS_FUNCTION aggregate combined(Program const& program, memos& m) const
  {
    return left_ >= N ? combined<true>(program, m) : combined<false>(program, m);
  }

  /// The results, given everything before, go where the items came from: `stage` may be the memory they were read from,
  /// as soon as no other thread reads it.
  template <class Output>
  ONEPASS_FUNCTION void results(Program const& program, memos const& m, aggregate const& before, Output* stage) const
  {
    if (left_ >= N) results<true>(program, m, before, stage);
    else results<false>(program, m, before, stage);
  }

private:
  ONEPASS_FUNCTION memo memo_of(Program const& program, memos const& m, int k) const
  {
    if constexpr (pure_program<Program>) return program.evaluate(first_ + k, items_.get(k));
    else return m.kept.get(k);
  }

  template <bool Whole>
  ONEPASS_FUNCTION aggregate combined(Program const& program, memos& m) const
  {
    auto sum = Program::identity();
    ONEPASS_UNROLL for (int k = 0; k < N; ++k)
    {
      if (!Whole && k >= left_) continue;
      if constexpr (!pure_program<Program>) m.kept.set(k, program.evaluate(first_ + k, items_.get(k)));
      sum = program.combine(sum, program.lift(memo_of(program, m, k)));
    }
    return sum;
  }

  template <bool Whole, class Output>
  ONEPASS_FUNCTION void results(Program const& program, memos const& m, aggregate running, Output* stage) const
  {
    register_items<Output, N> made;
    ONEPASS_UNROLL for (int k = 0; k < N; ++k)
    {
      if (!Whole && k >= left_) continue;
      const auto x = memo_of(program, m, k);
      made.set(k, program.result(items_.get(k), x, running));
      running = program.combine(running, program.lift(x));
    }
    made.store(stage);
  }

  extent                  first_;
  int                     left_;
  register_items<item, N> items_;
};

}  // namespace onepass
