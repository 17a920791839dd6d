// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/engine/items/staged_columns.hpp>
#include <onepass/engine/items/thread_items.hpp>

namespace onepass::ONEPASS_ABI {

// One tile of a program on a team of threads. A team is what a backend offers:
//
//   threads, rank(), barrier()
//   stage()                       memory of the team, 16-byte aligned, stage_bytes<Program>(items) long
//   exclusive_scan(algebra, x, total)   of one aggregate per thread, in order of rank; the algebra is the program, or
//                                 what it uses inside a tile (engine/items/inside.hpp)
//
// Thread r holds items [r N, (r + 1) N) of the tile, in registers.

/// One thread as a team, with a stage that is given to it.
struct lone_team {
  static constexpr int threads = 1;

  char* memory = nullptr;

  ONEPASS_FUNCTION static constexpr int rank() { return 0; }
  ONEPASS_FUNCTION static void barrier() {}
  ONEPASS_FUNCTION char* stage() const { return memory; }
};

/// One tile of `program`, as one thread of the team sees it. The items stay in the stage, where they can be read again;
/// registers hold only what must not be computed twice.
template <int N, class Program, class Team>
class tile {
public:
  using item      = typename Program::item_type;
  using aggregate = typename Program::aggregate_type;

  static constexpr int items = N * Team::threads;

private:
  using stage  = stage_for<Program, items>;
  using thread = thread_items<N, Program, stage>;

public:
  ONEPASS_FUNCTION tile(Program const& program, Team const& team, extent index, extent n)
      : program_(program)
      , team_(team)
      , first_(index * items)
      , valid_(int(n - first_ < items ? n - first_ : items))
  {}

  /// Reads the tile and returns its aggregate; each item is evaluated once. When it returns, the whole tile is staged
  /// and nothing of the input will be read again.
  ONEPASS_FUNCTION aggregate upsweep()
  {
    stage{team_.stage()}.take(team_, program_.input(), first_, valid_);
    team_.barrier();
    auto const in = thread::of(program_, stage{team_.stage()}, team_.rank(), first_, valid_);
    in.evaluate(program_, memos_);
    static_assert(std::is_same_v<inside_kind<Program>, own_aggregates> || items < 1 << 16,
                  "onepass: a tile is too long for what travels inside it");
    before_ = team_.exclusive_scan(algebra_of(program_), in.combined(program_, memos_, team_.rank()), total_);
    return algebra_of(program_).after(Program::identity(), first_, total_);
  }

  /// Compacts before the look-back where that is possible, so that less is left to do after it, and no items have to
  /// stay in registers during it.
  ONEPASS_FUNCTION void arrange() const
  {
    if constexpr (arranges_early<Program>) compact(Program::identity(), [](auto const&) {});
  }

  /// Writes the tile's results, given everything before the tile.
  ONEPASS_FUNCTION void downsweep(aggregate const& prefix) const
  {
    if constexpr (Program::shape == output_shape::mapped) {
      using output  = typename Program::output_type;
      auto const in = mine();
      if constexpr (!results_replace_items<Program>) team_.barrier();  // all have read before any writes elsewhere
      in.results(program_, memos_, algebra_of(program_).after(prefix, first_, before_),
                 stage_of<output>() + team_.rank() * N);
      team_.barrier();
      stage_out<items>(team_, stage_of<output>(), program_.output(), first_, valid_);
    }
    if constexpr (Program::shape == output_shape::compacted) {
      auto const all   = algebra_of(program_).after(prefix, first_, total_);
      auto const write = [&](auto const& made) { made.template write<items>(team_, prefix, all); };
      if constexpr (arranges_early<Program>)
        each_staging<Program>([&](auto columns) { write(staged(Program::identity(), columns)); });
      else compact(prefix, write);
    }
  }

private:
  template <class T>
  ONEPASS_FUNCTION T* stage_of() const
  {
    return reinterpret_cast<T*>(team_.stage());
  }

  /// The columns in the stage, each at the alignment that it has behind `prefix`.
  template <int... C>
  ONEPASS_FUNCTION auto staged(aggregate const& prefix, std::integer_sequence<int, C...>) const
  {
    return staged_columns<Program, C...>(program_, team_.stage(), columns_behind<Program>(items), first_, valid_,
                                         prefix, algebra_of(program_).after(prefix, first_, total_));
  }

  /// Fills the columns in the stage and calls `use` on them: on those together that the stage holds side by side.
  template <class Use>
  ONEPASS_FUNCTION void compact(aggregate const& prefix, Use const& use) const
  {
    auto const in = mine();
    each_staging<Program>([&](auto columns) {
      auto const made = staged(prefix, columns);
      team_.barrier();  // the stage is free: items are in registers, the columns before are written
      in.compact(program_, memos_, prefix, first_, before_, made, columns);
      team_.barrier();
      use(made);
    });
  }

  /// The thread's items once more. Where memos are kept, nobody asks for the item before the tile, which another tile
  /// may overwrite by now.
  ONEPASS_FUNCTION thread mine() const
  {
    int const at = team_.rank() * N;
    if constexpr (pure_program<Program>)
      return thread::of(program_, stage{team_.stage()}, team_.rank(), first_, valid_);
    else return thread(stage{team_.stage()}, at, first_ + at, valid_ - at);
  }

  Program const& program_;
  Team const& team_;
  extent first_;
  int valid_;
  [[no_unique_address]] typename thread::memos memos_;
  inside_of<Program> before_, total_;
};

}  // namespace onepass::ONEPASS_ABI
