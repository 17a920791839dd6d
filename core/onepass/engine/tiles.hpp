// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/engine/items/chained.hpp>
#include <onepass/engine/items/two_pass.hpp>

#include <concepts>

namespace onepass::ONEPASS_ABI {

// clang-format off
/// An algorithm that defines its own tiles and reads and writes them by all threads of a team. A tile has an aggregate;
/// the schedules are those of item programs: upsweep, then downsweep with the aggregates of all tiles before combined.
///
///   aggregate_type                  of a tile: trivially copyable, at most 64 bytes
///   identity(), initial()           neutral; what precedes tile 0
///   combine(older, newer)           associates; need not commute
///   extent tiles(threads)           how many tiles there are for teams of so many threads, one at least
///   std::size_t stage_bytes(threads)     the size of the stage of such a team, where downsweep finds what upsweep left
///   aggregate upsweep(team, tile)   reads the tile; every thread returns its aggregate. Must not wait for another
///                                   tile. With two-pass it runs twice
///   void downsweep(team, tile, before)   writes the tile, given everything before it
///   void finish(all)                once, by one thread, with everything combined
///
/// The team has threads (a constant, 1 on hosts), rank(), barrier() and stage(), which is aligned to 16 bytes. All its
/// threads run both sweeps. Waits end as those of every chained schedule do: a tile is drawn by a running team, and
/// publishes its aggregate before it waits (items/chained.hpp).
template <class P>
concept tile_program = requires(P const p, typename P::aggregate_type const& a, lone_team const& team, extent tile) {
  { P::identity() } -> std::same_as<typename P::aggregate_type>;
  { p.initial() } -> std::same_as<typename P::aggregate_type>;
  { p.combine(a, a) } -> std::same_as<typename P::aggregate_type>;
  { p.tiles(1) } -> std::same_as<extent>;
  { p.stage_bytes(1) } -> std::same_as<std::size_t>;
  { p.upsweep(team, tile) } -> std::same_as<typename P::aggregate_type>;
  p.downsweep(team, tile, a);
  p.finish(a);
};

/// Optional: bytes_alone(), what a tile that one thread takes reads; a page, if it does not say so.
///
/// Optional: run_alone() does everything on the calling thread of a host, as one would write it by hand.
template <class P>
concept runs_alone = tile_program<P> && requires(P const p) { p.run_alone(); };

/// Optional: adds_in_vectors, true if compilers make vectors of what one thread of a host does.
template <class P>
concept adds_in_vectors = requires { requires P::adds_in_vectors; };

/// Optional: alone() is the tile program that the serial and the host backend run instead. Their teams are one thread
/// with a cache of its own, for which another way may be faster.
template <class P>
concept works_alone = requires(P const p) {
  { p.alone() } -> tile_program;
};
// clang-format on

/// Base of a program with a single tile, which defines stage_bytes() and downsweep(), and if it likes the others. One
/// team runs it and waits for nothing, so it needs no workspace, and the schedule does not matter.
struct single_tile {
  using aggregate_type = char;

  ONEPASS_FUNCTION static constexpr extent tiles(int) { return 1; }
  ONEPASS_FUNCTION static constexpr char identity() { return 0; }
  ONEPASS_FUNCTION static constexpr char initial() { return 0; }
  ONEPASS_FUNCTION static constexpr char combine(char, char) { return 0; }
  template <class Team>
  ONEPASS_FUNCTION static char upsweep(Team const&, extent)
  {
    return 0;
  }
  ONEPASS_FUNCTION static void finish(char) {}
};

/// Base of a program that has either a single tile or several, as its parameters say.
struct several_tiles {};

template <class P>
concept single_tile_program = tile_program<P> && std::is_base_of_v<single_tile, P>;

/// A tile as one thread of the team sees it, for the schedules (items/chained.hpp, items/two_pass.hpp).
template <class Program, class Team>
class program_tile {
public:
  ONEPASS_FUNCTION program_tile(Program const& program, Team const& team, extent index)
      : program_(program)
      , team_(team)
      , index_(index)
  {}

  ONEPASS_FUNCTION auto upsweep() const { return program_.upsweep(team_, index_); }
  ONEPASS_FUNCTION static void arrange() {}
  ONEPASS_FUNCTION void downsweep(typename Program::aggregate_type const& before) const
  {
    program_.downsweep(team_, index_, before);
  }

private:
  Program const& program_;
  Team const& team_;
  extent index_;
};

/// The only tile of a program, by all threads of a team.
template <single_tile_program Program, class Team>
ONEPASS_FUNCTION void take_single_tile(Program const& program, Team const& team)
{
  (void)program.upsweep(team, 0);
  program.downsweep(team, 0, program.initial());
}

/// One tile after another on the calling thread, each swept up and down at once.
template <tile_program Program>
void run_serially(Program const& program, lone_team const& team)
{
  auto all = program.initial();
  for (extent tile = 0, tiles = program.tiles(1); tile < tiles; ++tile) {
    auto own = program.upsweep(team, tile);
    program.downsweep(team, tile, all);
    all = program.combine(all, own);
  }
  program.finish(all);
}

}  // namespace onepass::ONEPASS_ABI
