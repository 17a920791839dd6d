// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/backends/kokkos/board.hpp>
#include <onepass/engine/items/tile.hpp>
#include <onepass/engine/lookback.hpp>
#include <onepass/engine/raking.hpp>
#include <onepass/execution/tuning.hpp>

namespace onepass::ONEPASS_ABI::backends::kokkos {

/// A Kokkos team as the engine's team: scratch and barriers, no vector lanes, no intrinsics.
template <class Member, class Program, team_tuning Numbers, int Threads>
class team {
  using aggregate = typename Program::aggregate_type;

  template <class Algebra>
  using network               = raking<Threads, Numbers.radix, typename Algebra::aggregate_type>;
  static constexpr int window = Numbers.window < Threads ? Numbers.window : Threads;

public:
  static constexpr int threads = Threads;

  struct shared {
    std::uint64_t ticket;
    union {
      typename network<Program>::memory sums;
      typename network<algebra_for<Program>>::memory inside;
    };
    window_memory<aggregate, window> seen;
  };

  /// Memory of a team whose stage has so many bytes.
  static constexpr std::size_t scratch_bytes(std::size_t stage)
  {
    return stage + sizeof(shared) + 2 * alignof(std::max_align_t);
  }

  ONEPASS_FUNCTION team(Member const& member, std::size_t stage)
      : member_(member)
      , stage_(static_cast<char*>(member.team_scratch(0).get_shmem_aligned(stage, 16)))
      , shared_(static_cast<shared*>(member.team_scratch(0).get_shmem_aligned(sizeof(shared), 16)))
  {}

  ONEPASS_FUNCTION int rank() const { return Threads == 1 ? 0 : member_.team_rank(); }
  ONEPASS_FUNCTION void barrier() const
  {
    if constexpr (Threads > 1) member_.team_barrier();
  }
  ONEPASS_FUNCTION char* stage() const { return stage_; }

  /// f(rank), once a thread.
  template <class F>
  ONEPASS_FUNCTION void each(F const& f) const
  {
    f(rank());
  }

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

  template <class Board>
  ONEPASS_FUNCTION aggregate look_back(Program const& program, Board const& board,
                                       typename Board::ticket const& mine) const
  {
    if constexpr (Threads == 1) return onepass::look_back(board, mine, program);
    else return look_back_window(*this, shared_->seen, window, board, mine, program);
  }

private:
  Member const& member_;
  char* stage_;
  shared* shared_;
};

}  // namespace onepass::ONEPASS_ABI::backends::kokkos
