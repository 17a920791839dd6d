// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/portability.hpp>

namespace onepass::ONEPASS_ABI {

/// A scan over the threads of a team by memory and barriers alone: each group of `Radix` sums is folded from the left
/// by one thread, then every thread folds the groups. One unused element per group avoids bank conflicts. For any
/// associative operator, and any team.
///
/// Source: raking, Merrill & Grimshaw 2009; see docs/references.md.
template <int Threads, int Radix, class Aggregate>
struct raking {
  static constexpr int groups = (Threads + Radix - 1) / Radix;

  struct memory {
    Aggregate sum[Threads + groups];
    Aggregate folded[groups];
  };

  ONEPASS_FUNCTION static constexpr int slot(int i) { return i + i / Radix; }

  /// Returns everything before this thread's `own`; `total` becomes the combination of all.
  template <class Team, class Program>
  ONEPASS_FUNCTION static Aggregate exclusive_scan(Team const& team, memory& m, Program const& program,
                                                   Aggregate const& own, Aggregate& total)
  {
    int const rank    = team.rank();
    m.sum[slot(rank)] = own;
    team.barrier();
    if (rank < groups) {
      auto running = Program::identity();
      ONEPASS_UNROLL for (int k = 0; k < Radix; ++k)  // unrolled, all sums are loaded before the first one is needed
      {
        if (Threads % Radix != 0 && rank * Radix + k >= Threads) continue;
        auto& before = m.sum[slot(rank * Radix) + k];
        auto const x = before;
        before       = running;
        running      = program.combine(running, x);
      }
      m.folded[rank] = running;
    }
    team.barrier();
    auto before = Program::identity();
    total       = Program::identity();
    ONEPASS_UNROLL for (int g = 0; g < groups; ++g)
    {
      if (g == rank / Radix) before = total;
      total = program.combine(total, m.folded[g]);
    }
    return program.combine(before, m.sum[slot(rank)]);
  }

  /// The same expressions by one thread, which holds every thread's value: x[i] becomes everything before it.
  template <class Program>
  ONEPASS_FUNCTION static void exclusive_scan(Program const& program, Aggregate (&x)[Threads], Aggregate& total)
  {
    total = Program::identity();
    for (int g = 0; g < groups; ++g) {
      auto running = Program::identity();
      for (int i = g * Radix; i < (g + 1) * Radix && i < Threads; ++i) {
        auto const own = x[i];
        x[i]           = program.combine(total, running);
        running        = program.combine(running, own);
      }
      total = program.combine(total, running);
    }
  }
};

}  // namespace onepass::ONEPASS_ABI
