// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/engine/items/serial.hpp>

#include <algorithm>
#include <cstddef>

namespace onepass::ONEPASS_ABI {

// Item programs by one team, whose number of threads is known when it runs. Such a team offers
//
//   rank(), threads()     of the calling thread, and how many there are
//   barrier()             for all of them
//   memory(), bytes()     of the team, 16-byte aligned
//   may_be_alone          whether teams of one thread are worth code of their own
//
// The team takes a chunk of items at a time, as much as its memory holds. How items are combined depends on neither the
// threads nor the chunks, so floats too get the same bits from every team:
//
//   leaf     identity · x0 · ... · x7              from the left
//   group    identity · leaf0 · ... · leaf15
//   all      initial · group0 · group1 · ...
//
// An item's prefix is (initial · groups before) · leaves before in its group, then the items of the leaf one by one.

/// Memory of a team for some groups of a program's items, what it keeps of them, and sums.
template <item_program Program>
class team_chunk {
  using item      = typename Program::item_type;
  using memo      = typename Program::memo_type;
  using aggregate = typename Program::aggregate_type;

public:
  static constexpr int leaf = 8, leaves = 16, group = leaf * leaves;

  /// Groups that a team takes at a time where its memory has room: each thread adds up all of them.
  static constexpr int most_groups = 8;

  static constexpr std::size_t bytes_of_group(std::size_t slot, std::size_t kept, std::size_t sum)
  {
    return std::size_t(slots) * slot + std::size_t(group) * kept + std::size_t(sums + 1) * sum;
  }

  /// Groups for which there is room in so many bytes.
  ONEPASS_FUNCTION static int groups_in(std::size_t bytes)
  {
    auto const groups = bytes / group_bytes;
    return groups < most_groups ? int(groups) : most_groups;
  }

  ONEPASS_FUNCTION team_chunk(char* memory, int groups)
      : slots_(memory)
      , memos_(slots_ + std::size_t(groups) * slots * slot_bytes)
      , sums_(memos_ + std::size_t(groups) * group * memo_bytes)
      , tops_(sums_ + std::size_t(groups) * sums * sizeof(aggregate))
  {}

  /// Items [first, first + count) of a sequence, one in so many as there are threads. A thread issues several loads
  /// before it stores what the first one brings.
  template <class In>
  ONEPASS_FUNCTION void take(In const& in, extent first, int count, int rank, int threads) const
  {
    constexpr int together = sizeof(item) <= 16 ? 4 : 1;
    for (int k = rank; k < count; k += together * threads) {
      item x[together];
      ONEPASS_UNROLL for (int j = 0; j < together; ++j)
      {
        if (k + j * threads < count) x[j] = in(first + k + j * threads);
      }
      ONEPASS_UNROLL for (int j = 0; j < together; ++j)
      {
        if (k + j * threads < count) item_at(k + j * threads) = x[j];
      }
    }
  }

  ONEPASS_FUNCTION item& item_at(int k) const { return *reinterpret_cast<item*>(slot(k)); }
  ONEPASS_FUNCTION memo& memo_at(int k) const { return reinterpret_cast<memo*>(memos_)[k]; }
  /// In the place of item k.
  ONEPASS_FUNCTION auto& result_at(int k) const { return *reinterpret_cast<typename Program::output_type*>(slot(k)); }
  ONEPASS_FUNCTION aggregate& sum_of_leaf(int l) const { return reinterpret_cast<aggregate*>(sums_)[l + l / leaves]; }
  ONEPASS_FUNCTION aggregate& sum_of_group(int g) const { return reinterpret_cast<aggregate*>(tops_)[g]; }

private:
  // Neighbouring leaves, and neighbouring groups of sums, begin in different banks.
  static constexpr int slots = group + leaves, sums = leaves + 1;

  static constexpr std::size_t memo_bytes = Program::pure ? 0 : sizeof(memo);
  static constexpr std::size_t slot_bytes = []() -> std::size_t {
    if constexpr (Program::shape != output_shape::mapped) return sizeof(item);
    else {
      using output                = typename Program::output_type;
      constexpr std::size_t align = std::max(alignof(item), alignof(output));
      return (std::max(sizeof(item), sizeof(output)) + align - 1) / align * align;
    }
  }();
  static constexpr std::size_t group_bytes = bytes_of_group(slot_bytes, memo_bytes, sizeof(aggregate));
  static_assert(alignof(item) <= 16 && alignof(memo) <= 16 && alignof(aggregate) <= 16,
                "onepass: what a team keeps of an item may be aligned to at most 16 bytes");

  ONEPASS_FUNCTION char* slot(int k) const { return slots_ + std::size_t(k + k / leaf) * slot_bytes; }

  char *slots_, *memos_, *sums_, *tops_;
};

/// The same expressions by one thread, which needs no memory: a leaf at a time.
template <item_program Program>
ONEPASS_FUNCTION auto run_alone(Program const& program, extent n)
{
  using chunk         = team_chunk<Program>;
  using item          = typename Program::item_type;
  using memo          = typename Program::memo_type;
  using aggregate     = typename Program::aggregate_type;
  auto const in       = program.input();
  aggregate all       = program.initial();
  aggregate in_group  = Program::identity();
  auto const one_leaf = [&](extent first, auto count) {
    item x[chunk::leaf];
    memo m[chunk::leaf];
    aggregate sum = Program::identity(), before = program.combine(all, in_group);
    for (int k = 0; k < count; ++k) x[k] = in(first + k);
    for (int k = 0; k < count; ++k) {
      m[k] = program.evaluate(first + k, x[k]);
      sum  = program.combine(sum, program.lift(first + k, x[k], m[k]));
    }
    for (int k = 0; k < count; ++k) {
      if constexpr (Program::shape == output_shape::mapped)
        program.output()(first + k) = program.result(x[k], m[k], before);
      if constexpr (Program::shape == output_shape::compacted) write_kept(program, first + k, x[k], m[k], before);
      before = program.combine(before, program.lift(first + k, x[k], m[k]));
    }
    in_group = program.combine(in_group, sum);
  };
  for (extent first = 0; first < n;) {
    extent const end = n - first < chunk::group ? n : first + chunk::group;
    for (; first + chunk::leaf <= end; first += chunk::leaf)
      one_leaf(first, std::integral_constant<int, chunk::leaf>{});
    if (first < end) one_leaf(first, int(end - first));
    first    = end;
    all      = program.combine(all, in_group);
    in_group = Program::identity();
  }
  return all;
}

/// Runs a program on items [0, n) by all threads of a team, to each of which it returns the combination of initial()
/// and all items; finish() is not called. `groups` is team_chunk::groups_in() its memory, at least 1. Begins with a
/// barrier, so that what the team wrote before can be read; the caller waits at another behind it.
template <item_program Program, class Team>
ONEPASS_FUNCTION typename Program::aggregate_type run_on_team(Program const& program, Team const& team, extent n,
                                                              int groups)
{
  if constexpr (Team::may_be_alone)
    if (team.threads() == 1) return run_alone(program, n);
  using chunk           = team_chunk<Program>;
  using aggregate       = typename Program::aggregate_type;
  constexpr int leaf    = chunk::leaf;
  constexpr bool writes = Program::shape != output_shape::none;
  static_assert(!looks_behind<Program>, "onepass: teams run no programs that look at the item before");

  chunk const held(team.memory(), groups);
  auto const in  = program.input();
  int const rank = team.rank(), threads = team.threads();
  extent const at_once = extent(groups) * chunk::group;
  aggregate all        = program.initial();
  team.barrier();
  for (extent first = 0; first < n; first += at_once) {
    int const count = int(n - first < at_once ? n - first : at_once), leaves = int(div_up(count, leaf)),
              used       = int(div_up(count, chunk::group));
    auto const each_item = [&](int l, auto const& f) {
      for (int k = l * leaf; k < (l + 1) * leaf && k < count; ++k) f(k, held.item_at(k));
    };
    auto const memo_of = [&](int k, auto const& x) {
      if constexpr (Program::pure) return program.evaluate(first + k, x);
      else return held.memo_at(k);
    };

    held.take(in, first, count, rank, threads);
    team.barrier();
    for (int l = rank; l < leaves; l += threads) {
      aggregate sum = Program::identity();
      each_item(l, [&](int k, auto const& x) {
        auto const m = program.evaluate(first + k, x);
        if constexpr (!Program::pure) held.memo_at(k) = m;
        sum = program.combine(sum, program.lift(first + k, x, m));
      });
      held.sum_of_leaf(l) = sum;
    }
    team.barrier();
    for (int g = rank; g < used; g += threads) {  // a leaf's sum becomes what is before it in its group
      aggregate running = Program::identity();
      for (int l = g * chunk::leaves; l < (g + 1) * chunk::leaves && l < leaves; ++l) {
        aggregate const own = held.sum_of_leaf(l);
        held.sum_of_leaf(l) = running;
        running             = program.combine(running, own);
      }
      held.sum_of_group(g) = running;
    }
    team.barrier();

    int passed      = 0;  // groups that `all` has
    auto const pass = [&](int until) {
      for (; passed < until; ++passed) all = program.combine(all, held.sum_of_group(passed));
    };
    if constexpr (writes)
      for (int l = rank; l < leaves; l += threads) {
        pass(l / chunk::leaves);
        aggregate before = program.combine(all, held.sum_of_leaf(l));
        each_item(l, [&](int k, auto const& x) {
          auto const m       = memo_of(k, x);
          auto const through = program.combine(before, program.lift(first + k, x, m));
          if constexpr (Program::shape == output_shape::mapped) held.result_at(k) = program.result(x, m, before);
          else write_kept(program, first + k, x, m, before);
          before = through;
        });
      }
    pass(used);
    if constexpr (writes) team.barrier();
    if constexpr (Program::shape == output_shape::mapped) {
      auto const out = program.output();
      for (int k = rank; k < count; k += threads) out(first + k) = held.result_at(k);
    }
  }
  return all;
}

}  // namespace onepass::ONEPASS_ABI
