// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/backends/run_in_situ.hpp>
#include <onepass/checks.hpp>
#include <onepass/engine/lookback.hpp>

namespace onepass::ONEPASS_ABI {

/// \defgroup in_situ Allocation inside a kernel
/// For kernels of your own: in one pass, each team gets the combination of what all teams before it produced, for
/// example where to write results whose number is not known beforehand. Works with any Kokkos team policy, on every
/// space whose teams make progress (below), without a second kernel and without waiting on the host.
///
///     auto ranges = onepass::make_tile_allocator(onepass::on(exec).with(scratch), tiles, out.extent(0), total);
///     auto policy = Kokkos::TeamPolicy<>(exec, tiles, 128);
///     policy.set_scratch_size(0, Kokkos::PerTeam(ranges.scratch_bytes()));
///     Kokkos::parallel_for("mine", policy, KOKKOS_LAMBDA(member const& team) {
///       auto const tile = ranges.enter(team);            // tile.index() in place of team.league_rank()
///       ...                                              // find out how many results there are
///       auto const mine = tile.claim(how_many);          // ordered as the tiles are, contiguous
///       ...                                              // write mine.size results from mine.begin on
///     });
///
/// Rules of the kernel: the league has as many teams as the maker was given tiles; every team calls enter() once,
/// before it does anything that depends on its tile, and claim() (or look_back()) exactly once, with 0 if it has no
/// results. All threads of a team make both calls, outside nested parallel loops, with the same argument. The workspace
/// serves one such kernel at a time, in the order of its instance, as for the calls of the library.
///
/// Why every wait ends: tiles are numbered in the order in which teams enter, so all earlier tiles belong to teams that
/// are already running, and a team publishes its own part before it waits. Running teams must keep making progress, as
/// CUDA blocks and operating-system threads do; a space without that guarantee is refused by the compiler.
///
/// Cost: enter() is one atomic addition and a barrier; claim() publishes two descriptors, polls those of earlier tiles,
/// 32 at a time, and takes some barriers. The make_ functions allocate only if the workspace must grow.
///
/// Source: in-situ allocation by look-back, Merrill & Garland 2016; see docs/references.md.
/// \{

/// Gives each team the combination of the values of all teams before it. Made by make_tile_chain(). Trivially copyable;
/// capture it by value.
template <class T>
class tile_chain {
public:
  static constexpr int window = 32;  ///< number of tiles polled together

  /// For make_tile_chain().
  tile_chain(team_board const& shared, extent tiles)
      : board_(shared)
      , tiles_(tiles)
  {}

  /// Memory of level 0 that the policy must set aside for every team, besides the kernel's own.
  static constexpr std::size_t scratch_bytes() { return sizeof(memory) + 32; }

  /// A team's handle to the chain.
  template <class Team>
  class entered;

  /// Draws the team's tile. All threads of the team call it, once.
  template <class Team>
  ONEPASS_FUNCTION entered<Team> enter(Team const& team) const
  {
    return entered<Team>(*this, team);
  }

  /// The number of tiles of the kernel.
  ONEPASS_FUNCTION extent tiles() const { return tiles_; }

private:
  struct memory {
    std::uint64_t ticket;
    window_memory<T, window> seen;
  };

  team_board board_;
  extent tiles_;
};

template <class T>
template <class Team>
class tile_chain<T>::entered {
public:
  /// For tile_chain::enter().
  ONEPASS_FUNCTION entered(tile_chain const& chain, Team const& team)
      : chain_(chain)
      , team_(team)
      , memory_(static_cast<memory*>(team.team_scratch(0).get_shmem_aligned(sizeof(memory), 16)))
  {
    Kokkos::single(Kokkos::PerTeam(team), [&] {
      memory_->ticket = chain.board_.draw(chain.tiles_, chain.tiles_ * descriptor<T>::words).word();
    });
    team.team_barrier();
    mine_ = team_board::ticket::of(memory_->ticket);
  }

  /// The number of the team's tile, 0 to tiles - 1, in the order of the chain.
  ONEPASS_FUNCTION extent index() const { return mine_.index; }
  /// Whether no tile comes after this one.
  ONEPASS_FUNCTION bool is_last() const { return mine_.index == chain_.tiles_ - 1; }

  /// init · the `own` of tile 0 · … · that of the tile before this one, for every thread. op(older, newer) must be
  /// associative; it need not be commutative or have an identity.
  template <class Op>
  ONEPASS_FUNCTION T look_back(T const& own, Op const& op, T const& init) const
  {
    T before = init;
    if (mine_.index > 0) {
      publish(tile_status::aggregate, own);
      int const size = team_.team_size();
      before = look_back_window(ranks{team_}, memory_->seen, size < window ? size : window, chain_.board_, mine_,
                                joining<Op>{op});
    }
    publish(tile_status::inclusive_prefix, op(before, own));
    return before;
  }

private:
  /// As look_back_window() wants a team: a thread's vector lanes are one rank.
  struct ranks {
    Team const& team;

    template <class F>
    ONEPASS_FUNCTION void each(F const& f) const
    {
      Kokkos::single(Kokkos::PerThread(team), [&] { f(team.team_rank()); });
    }
    ONEPASS_FUNCTION void barrier() const { team.team_barrier(); }
  };
  template <class Op>
  struct joining {
    Op const& op;
    ONEPASS_FUNCTION T combine(T const& older, T const& newer) const { return op(older, newer); }
  };

  ONEPASS_FUNCTION void publish(tile_status status, T const& value) const
  {
    Kokkos::single(Kokkos::PerTeam(team_), [&] { chain_.board_.publish(mine_, status, value); });
    team_.team_barrier();  // no thread polls before the value is published
  }

  tile_chain const& chain_;
  Team const& team_;
  memory* memory_;
  team_board::ticket mine_{};
};

/// A chain for a kernel of `tiles` teams, 1 to 2^31 - 1. T is trivially copyable and has at most 64 bytes (checked at
/// compile time). The place names the workspace, which must outlive the kernel and grows here if necessary. Throws
/// precondition_error if the place has no workspace, or for any other number of tiles.
template <class T, place_like Where>
tile_chain<T> make_tile_chain(Where const& where, extent tiles)
{
  static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= 64,
                "onepass: what a chain carries must be trivially copyable and have at most 64 bytes");
  static_assert(teams_progress<space_of<Where>>,
                "onepass: teams wait for each other in such a kernel, and those of this space need not make progress");
  require(on(where).scratch != nullptr,
          "make_tile_chain: the kernel needs a workspace that outlives it; name one with on(exec).with(workspace)");
  require(tiles > 0 && tiles < extent(1) << 31, "make_tile_chain: a kernel of ", tiles, " teams; give 1 to 2^31 - 1");
  on(where).scratch->serve(on(where).space);
  auto board   = on(where).scratch->template make_board<team_words>(tiles * descriptor<T>::words);
  board.anchor = on(where).anchor;
  return {board, tiles};
}

/// The range that a tile may write: `size` results from `begin` on.
struct tile_range {
  extent begin;  ///< the sum of all earlier tiles' claims; exact even beyond the capacity
  extent size;   ///< the number of results that there is room for
  bool fits;     ///< whether that is all that was claimed
};

/// Gives the teams of one kernel ordered, contiguous ranges of an output of `capacity` items. Made by
/// make_tile_allocator(). Trivially copyable; capture it by value.
template <class Count>
class tile_allocator {
public:
  /// For make_tile_allocator().
  tile_allocator(tile_chain<extent> const& chain, extent capacity, Count* total)
      : chain_(chain)
      , capacity_(capacity)
      , total_(total)
  {}

  /// Memory of level 0 that the policy must set aside for every team, besides the kernel's own.
  static constexpr std::size_t scratch_bytes() { return tile_chain<extent>::scratch_bytes(); }

  /// A team's handle to the allocator.
  template <class Team>
  class entered {
  public:
    /// For tile_allocator::enter().
    ONEPASS_FUNCTION entered(tile_allocator const& all, Team const& team)
        : all_(all)
        , team_(team)
        , tile_(all.chain_, team)
    {}

    /// The number of the team's tile, 0 to tiles - 1, in the order of the ranges.
    ONEPASS_FUNCTION extent index() const { return tile_.index(); }

    /// Claims room for `asked` results, 0 or more. All threads of the team call it, once, with the same number.
    ONEPASS_FUNCTION tile_range claim(extent asked) const
    {
      extent const begin = tile_.look_back(asked, plus{}, extent(0));
      if (tile_.is_last()) Kokkos::single(Kokkos::PerTeam(team_), [&] { *all_.total_ = Count(begin + asked); });
      extent const room = all_.capacity_ > begin ? all_.capacity_ - begin : 0, size = asked < room ? asked : room;
      return {begin, size, size == asked};
    }

  private:
    tile_allocator const& all_;
    Team const& team_;
    typename tile_chain<extent>::entered<Team> tile_;
  };

  /// Draws the team's tile. All threads of the team call it, once.
  template <class Team>
  ONEPASS_FUNCTION entered<Team> enter(Team const& team) const
  {
    return entered<Team>(*this, team);
  }

private:
  tile_chain<extent> chain_;
  extent capacity_;
  Count* total_;
};

/// An allocator for a kernel of `tiles` teams and an output of `capacity` items. When the kernel has run, `total`, a
/// View of rank 0 of an integral type, holds the number of results claimed, even if it exceeds the capacity: then
/// enlarge the output and run again. Throws precondition_error as make_tile_chain() does, and for a negative capacity.
template <place_like Where, class Total>
tile_allocator<typename Total::value_type> make_tile_allocator(Where const& where, extent tiles, extent capacity,
                                                               Total const& total)
{
  check_count<space_of<Where>, Total>();
  require(capacity >= 0, "make_tile_allocator: a capacity of ", capacity, "; give 0 or more");
  return {make_tile_chain<extent>(where, tiles), capacity, total.data()};
}

/// \}

}  // namespace onepass::ONEPASS_ABI
