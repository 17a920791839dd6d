// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/execution/tuning.hpp>

#include <algorithm>
#include <cstddef>

namespace onepass::ONEPASS_ABI::backends::kokkos {

// On host spaces a team is one thread. Numbers for devices were measured on an H200 (perf/results/h200).

/// Bytes of scratch memory that Kokkos gives a team on a device, less what it keeps for itself.
inline constexpr std::size_t most_team_scratch = 46 * 1024;

/// Item programs.
template <class Exec, class Tuning>
constexpr team_tuning item_tuning_for(std::size_t sum = 4)
{
  if (is_canonical<Tuning>) return canonical_teams_for(sum);
  if (on_host<Exec>) return {.threads = 1, .packs = is_tiny<Tuning> ? 1 : 1024};
  if (is_tiny<Tuning>) return {.threads = 32, .packs = 1, .min_teams = 4};
  return {.threads = 256, .packs = 9, .min_teams = 4, .window = 32, .persistent = true};
}

/// Range programs: canonical_tuning makes no difference to them.
template <class Exec, class Tuning>
constexpr team_tuning range_tuning_for()
{
  return item_tuning_for<Exec, std::conditional_t<is_canonical<Tuning>, measured_tuning, Tuning>>();
}

/// Round programs: teams of one thread take more at a time, which spares rounds.
template <class Exec, class Tuning>
constexpr team_tuning round_tuning_for(std::size_t bytes)
{
  if (on_host<Exec>) return {.threads = 1, .packs = is_tiny<Tuning> ? 1 : 8192};
  if (is_tiny<Tuning>) return {.threads = 32, .packs = 1, .min_teams = 1};
  // Of 48 KiB, Kokkos and the team itself take some.
  return {.threads = 256, .packs = 5, .min_teams = bytes <= 8 ? 4 : 2, .stage = 40 * 1024};
}

/// Segments that are sorted by digits.
template <class Exec, class Tuning>
constexpr digits_tuning digits_tuning_for()
{
  if (is_tiny<Tuning>) return {.mean = 3000};
  return {.mean = on_host<Exec> ? 4096 : extent(1) << 22};
}

/// The number of teams of a launch: `most`, or if that is 0, as many as have one in `share` of the threads that the
/// space runs at once.
template <class Exec>
extent teams_of_launch(Exec const& exec, extent most, int threads, int share = 1)
{
  return most ? most : std::max<extent>(exec.concurrency() / (threads * share), 1);
}

/// Bin programs.
struct bin_tuning {
  int threads;    ///< of a team
  int min_teams;  ///< resident teams wanted on a multiprocessor; limits registers
  int share;      ///< of the threads that a device runs at once, a launch has one in so many: each has more registers
  int reads;      ///< of 16 bytes that a thread has in flight
  int units;      ///< of 16 bytes that make a thread worth while
  extent most_teams;  ///< of a launch; 0: as many as the space runs at once
  int table_bins;     ///< counters of a team's table, at most
  int copies;         ///< of a counter, at most

  template <class F>
  void each(F const& f) const
  {
    f("threads", threads), f("min_teams", min_teams), f("share", share), f("reads", reads), f("units", units);
    f("most_teams", most_teams), f("table_bins", table_bins), f("copies", copies);
  }
};
template <class Exec, class Tuning>
constexpr bin_tuning bin_tuning_for()
{
  bin_tuning t{.threads    = 512,
               .min_teams  = 2,
               .share      = 2,
               .reads      = 2,
               .units      = 2,
               .most_teams = 0,
               .table_bins = 8192,
               .copies     = 32};
  if (on_host<Exec>) {
    t.threads = t.share = t.reads = t.copies = 1;
    t.units = t.table_bins = 4096;  // Kokkos gives a team 32 KiB
  }
  if (is_tiny<Tuning>) {
    t.threads = on_host<Exec> ? 1 : 32, t.units = 1, t.most_teams = 5;
    t.table_bins = 256, t.copies = on_host<Exec> ? 1 : 4;
  }
  return t;
}

/// Order programs.
struct pass_tuning {
  int threads;        ///< of a team
  int items;          ///< that a thread takes at a time
  extent most_teams;  ///< of a launch; 0: as many as the space runs at once

  template <class F>
  void each(F const& f) const
  {
    f("threads", threads), f("items", items), f("most_teams", most_teams);
  }
};
template <class Exec, class Tuning>
constexpr pass_tuning order_tuning_for()
{
  pass_tuning t{.threads = 256, .items = 16, .most_teams = 0};
  if (is_tiny<Tuning>) t = {.threads = 32, .items = 2, .most_teams = 5};
  if (on_host<Exec>) t.threads = 1, t.items = is_tiny<Tuning> ? 2 : 4096;
  return t;
}

/// Grid programs.
struct grid_tuning {
  int threads;        ///< of a team
  int rows, columns;  ///< of a tile; Kokkos gives a team on the host 32 KiB

  template <class F>
  void each(F const& f) const
  {
    f("threads", threads), f("rows", rows), f("columns", columns);
  }
};
template <class Exec, class Tuning>
constexpr grid_tuning grid_tuning_for(std::size_t value_bytes)
{
  int const threads = on_host<Exec> ? 1 : is_tiny<Tuning> ? 32 : 256;
  if (is_tiny<Tuning>) return {threads, 5, 9};
  if (value_bytes > 8 || is_canonical<Tuning>) return {threads, 32, 24};  // fits every space, and adds up alike on all
  if (on_host<Exec>) return {threads, 32, 768 / int(value_bytes)};
  return {threads, 64, 64};
}

/// Lane programs.
struct lane_tuning {
  int tiles;      ///< of a team, at most: those that share a table
  int min_teams;  ///< resident teams wanted on a multiprocessor; 4 would spill

  template <class F>
  void each(F const& f) const
  {
    f("tiles", tiles), f("min_teams", min_teams);
  }
};
template <class Exec, class Tuning>
constexpr lane_tuning lane_tuning_for(int table_group)
{
  return {on_host<Exec> || is_tiny<Tuning> ? 1 : table_group, 3};
}

/// Tile programs: the program says how many tiles there are for teams of that size.
template <class Exec, class Tuning>
constexpr team_tuning tile_tuning_for()
{
  if (on_host<Exec>) return {.threads = 1, .packs = 0};
  if (is_tiny<Tuning>) return {.threads = 32, .packs = 0};
  return {.threads = 256, .packs = 0, .min_teams = 4};
}

/// Calls f(what the numbers are for, the numbers) for all of the above.
template <class Exec, class F>
void each_tuning(F const& f)
{
  using t = measured_tuning;
  f("items", item_tuning_for<Exec, t>());
  f("items, canonical", item_tuning_for<Exec, canonical_tuning>());
  f("bins", bin_tuning_for<Exec, t>());
  f("orders", order_tuning_for<Exec, t>());
  f("grids, sums of 4 bytes", grid_tuning_for<Exec, t>(4));
  f("grids, sums of 16 bytes", grid_tuning_for<Exec, t>(16));
  f("lanes", lane_tuning_for<Exec, t>(8));
  f("rounds", round_tuning_for<Exec, t>(4));
  f("tiles", tile_tuning_for<Exec, t>());
}

}  // namespace onepass::ONEPASS_ABI::backends::kokkos
