// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/engine/items/chained.hpp>
#include <onepass/engine/items/two_pass.hpp>
#include <onepass/execution/workspace.hpp>

#include <concepts>

namespace onepass {

// clang-format off
/// An algorithm of tiles that are their own affair, but for one value that each tells those behind it: what is a kernel
/// of teams elsewhere. A tile is swept up, which gives what it tells, and down, when everything before it is known.
///
///   aggregate_type                  what a tile tells: trivially copyable, at most 64 bytes
///   identity(), initial()           neutral; what precedes tile 0
///   combine(older, newer)           associates; need not commute
///   extent tiles(threads)           how many tiles there are for teams of so many threads, one at least
///   std::size_t stage_bytes(threads)  memory of such a team; downsweep finds there what upsweep has left
///   held                            what each thread keeps from one to the other; it is made without a value
///   aggregate upsweep(team, tile, held)         reads the tile; every thread returns what it tells. Waits for nobody;
///                                   where there are two passes it runs twice
///   void downsweep(team, tile, held, before)    writes the tile, given everything before it
///   void finish(all)                once, by one thread, with everything combined
///
/// The team has threads (a constant, 1 on hosts), rank(), barrier(), stage() (16-byte aligned) and
/// exclusive_scan(program, own, total), one aggregate a thread in order of rank. All its threads run both sweeps. So
/// waits end as those of every chained schedule do: a tile is drawn by a running team, and has told its aggregate before
/// it waits (chained.hpp).
template <class P>
concept tile_program = requires(P const p, typename P::aggregate_type const& a, typename P::held& h,
                                lone_team const& team, extent tile) {
  { P::identity() } -> std::same_as<typename P::aggregate_type>;
  { p.initial() } -> std::same_as<typename P::aggregate_type>;
  { p.combine(a, a) } -> std::same_as<typename P::aggregate_type>;
  { p.tiles(1) } -> std::same_as<extent>;
  { p.stage_bytes(1) } -> std::same_as<std::size_t>;
  { p.upsweep(team, tile, h) } -> std::same_as<typename P::aggregate_type>;
  p.downsweep(team, tile, h, a);
  p.finish(a);
};

/// Optional, of a program whose tiles one thread with a cache of its own would rather make in another way:
///
///   alone(table)         the tile program that the serial and the host backend run in its place, by teams of one
///   table_words, word(i) what that looks up; `table` is null where there are too few lookups() to make it first
template <class P>
concept works_alone = requires(P const p, std::uint32_t const* table, extent i) {
  { p.alone(table) } -> tile_program;
  { p.lookups() } -> std::same_as<extent>;
  { p.word(i) } -> std::same_as<std::uint32_t>;
  { P::table_words } -> std::convertible_to<extent>;
};
// clang-format on

/// What a program of a single tile need not say. It is the work of one team, which has nobody to wait for: it needs no
/// board, no schedule and no workspace.
struct single_tile {
  using aggregate_type = char;
  struct held {};

  ONEPASS_FUNCTION static constexpr extent tiles(int) { return 1; }
  ONEPASS_FUNCTION static constexpr char identity() { return 0; }
  ONEPASS_FUNCTION static constexpr char initial() { return 0; }
  ONEPASS_FUNCTION static constexpr char combine(char, char) { return 0; }
  template <class Team>
  ONEPASS_FUNCTION static char upsweep(Team const&, extent, held&)
  {
    return 0;
  }
  ONEPASS_FUNCTION static void finish(char) {}
};

/// One thread's part of a tile, as the schedules want it.
template <class Program, class Team>
class program_tile {
public:
  ONEPASS_FUNCTION program_tile(Program const& program, Team const& team, extent index)
      : program_(program)
      , team_(team)
      , index_(index)
  {}

  ONEPASS_FUNCTION auto upsweep() { return program_.upsweep(team_, index_, held_); }
  ONEPASS_FUNCTION static void arrange() {}
  ONEPASS_FUNCTION void downsweep(typename Program::aggregate_type const& before)
  {
    program_.downsweep(team_, index_, held_, before);
  }

private:
  Program const& program_;
  Team const& team_;
  extent index_;
  typename Program::held held_;
};

/// One tile after another on the calling thread, each swept up and down at once.
template <tile_program Program>
void run_serially(Program const& program, lone_team const& team)
{
  auto all = program.initial();
  for (extent tile = 0, tiles = program.tiles(1); tile < tiles; ++tile) {
    typename Program::held held;
    auto const own = program.upsweep(team, tile, held);
    program.downsweep(team, tile, held, all);
    all = program.combine(all, own);
  }
  program.finish(all);
}

/// Memory for the table of a program, or null where it is not worth making.
template <class Tuning, works_alone Program, class Exec>
std::uint32_t* room_for_table(Program const& program, workspace<Exec>& scratch)
{
  if (program.lookups() < lookups_a_word<Tuning> * Program::table_words) return nullptr;
  return reinterpret_cast<std::uint32_t*>(scratch.plain(std::size_t(Program::table_words) * sizeof(std::uint32_t)));
}

}  // namespace onepass
