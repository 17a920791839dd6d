// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/backends/kokkos/board.hpp>
#include <onepass/engine/items/tile.hpp>
#include <onepass/engine/lookback.hpp>
#include <onepass/engine/raking.hpp>
#include <onepass/execution/tuning.hpp>

namespace onepass::backends::kokkos {

/// A Kokkos team as the engine's team: scratch and barriers, no vector lanes, no intrinsics.
template <class Member, class Program, team_tuning Numbers, int Threads>
class team {
  using aggregate = typename Program::aggregate_type;

  template <class Algebra>
  using network               = raking<Threads, Numbers.radix, typename Algebra::aggregate_type>;
  static constexpr int window = Numbers.window < Threads ? Numbers.window : Threads;
  static constexpr int nearby = window % 8 == 0 ? 8 : window;  ///< tiles of a window that one thread folds

  /// What tiles have published, combined.
  struct sight {
    aggregate value;
    bool whole;  ///< goes back to the beginning
  };

public:
  static constexpr int threads = Threads;

  struct shared {
    std::uint64_t ticket;
    union {
      typename network<Program>::memory sums;
      typename network<algebra_for<Program>>::memory inside;
    };
    sight seen[window];
    sight groups[window / nearby];
  };

  static constexpr std::size_t scratch_bytes(int items)
  {
    return stage_bytes<Program>(items) + sizeof(shared) + 2 * alignof(std::max_align_t);
  }

  ONEPASS_FUNCTION team(Member const& member, int items)
      : member_(member)
      , stage_(static_cast<char*>(member.team_scratch(0).get_shmem_aligned(stage_bytes<Program>(items), 16)))
      , shared_(static_cast<shared*>(member.team_scratch(0).get_shmem_aligned(sizeof(shared), 16)))
  {}

  ONEPASS_FUNCTION int rank() const { return Threads == 1 ? 0 : member_.team_rank(); }
  ONEPASS_FUNCTION void barrier() const
  {
    if constexpr (Threads > 1) member_.team_barrier();
  }
  ONEPASS_FUNCTION char* stage() const { return stage_; }

  /// One thread draws, all know.
  template <class Board>
  ONEPASS_FUNCTION typename Board::ticket draw(Board const& board, extent draws, extent used) const
  {
    if (rank() == 0) shared_->ticket = board.draw(draws, used).word();
    barrier();
    return Board::ticket::of(shared_->ticket);
  }

  template <class Algebra>
  ONEPASS_FUNCTION auto exclusive_scan(Algebra const& algebra, typename Algebra::aggregate_type const& own,
                                       typename Algebra::aggregate_type& total) const
  {
    if constexpr (Threads == 1) {
      total = own;
      return Algebra::identity();
    } else if constexpr (std::is_same_v<Algebra, Program>)
      return network<Algebra>::exclusive_scan(*this, shared_->sums, algebra, own, total);
    else return network<Algebra>::exclusive_scan(*this, shared_->inside, algebra, own, total);
  }

  /// A window of descriptors at once, one a thread; groups of them are folded by one thread each, then every thread
  /// folds the groups.
  template <class Board>
  ONEPASS_FUNCTION aggregate look_back(Program const& program, Board const& board,
                                       typename Board::ticket const& mine) const
  {
    if constexpr (Threads == 1) return onepass::look_back(board, mine, program);
    else {
      auto prefix = Program::identity();
      for (extent last = mine.index - 1;; last -= window) {
        extent const tile = last - rank();
        if (rank() < window) {
          if (tile >= 0) {
            auto const seen       = board.template wait<aggregate>(tile, mine.epoch);
            shared_->seen[rank()] = {seen.value(), seen.status(mine.epoch) == tile_status::inclusive_prefix};
          } else shared_->seen[rank()] = {Program::identity(), true};  // never reached: tile 0 ends the walk
        }
        barrier();
        if (rank() < window / nearby)
          shared_->groups[rank()] = folded<nearby>(program, shared_->seen + rank() * nearby);
        barrier();
        auto const all = folded<window / nearby>(program, shared_->groups);
        prefix         = program.combine(all.value, prefix);
        if (all.whole) return prefix;
      }
    }
  }

private:
  /// Sights, the newest first, up to one that is whole.
  template <int Count>
  ONEPASS_FUNCTION static sight folded(Program const& program, sight const* from)
  {
    sight all{Program::identity(), false};
    ONEPASS_UNROLL for (int k = 0; k < Count; ++k)
    {
      sight const older = from[k];  // whether it is needed or not: so all loads leave before the first is waited for
      if (!all.whole) all = {program.combine(older.value, all.value), older.whole};
    }
    return all;
  }

  Member const& member_;
  char* stage_;
  shared* shared_;
};

}  // namespace onepass::backends::kokkos
