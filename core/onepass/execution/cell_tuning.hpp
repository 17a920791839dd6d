// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/execution/tuning.hpp>

namespace onepass::ONEPASS_ABI {

/// Numbers of sort_by_cell and offsets on host threads. Items whose cells are few, or nearly in order, are counted by
/// each thread for all cells at once, and put in place; others are sorted by the digits of their cells.
struct cell_tuning {
  extent from;        ///< fewer items are counted by the calling thread,
  extent cells_each;  ///< if there are at most so many cells for each, or else sorted
  extent share;       ///< items of a thread, at least: to wake one takes as long as many of them
  extent items_each;  ///< items for each counter of a thread, at least; for as many as cells one thread counts,
  extent helpers;     ///< where there are no more threads than these
  extent pairs;       ///< pairs of neighbouring items that are looked at
  extent near;        ///< two cells that are no farther apart than this are near each other
  extent at_random;   ///< so few counters, of all threads, are gone to in whatever order the items are
  extent cached;      ///< counters of a thread that are mostly in a cache; more, gone to at random, are asked for ahead
  extent offsets;     ///< a thread finds so many offsets one after another
  bool records;       ///< Views that are permuted in place lie in records between: little is read at random

  template <class F>
  void each(F const& f) const
  {
    f("from", from), f("cells_each", cells_each), f("share", share), f("items_each", items_each), f("helpers", helpers);
    f("pairs", pairs), f("near", near), f("at_random", at_random);
    f("cached", cached), f("offsets", offsets), f("records", records);
  }
};
template <class Tuning>
constexpr cell_tuning cell_tuning_for(bool host = true)
{
  if (is_tiny<Tuning>)
    return {.from       = 64,
            .cells_each = 0,
            .share      = 16,
            .items_each = 2,
            .helpers    = 1,
            .pairs      = 64,
            .near       = 2,
            .at_random  = 200,
            .cached     = 5,
            .offsets    = 3,
            .records    = host};
  return {.from       = extent(1) << 15,
          .cells_each = 4,
          .share      = extent(1) << 17,
          .items_each = 2,
          .helpers    = 4,
          .pairs      = 1024,
          .near       = 16,
          .at_random  = extent(1) << 23,
          .cached     = extent(1) << 18,
          .offsets    = 64,
          .records    = host};  // on an H200 they take 2.3 times as long
}

/// Numbers of sort_by_cell on CUDA, where items that are nearly in order are sorted by runs (programs/cell_runs.hpp).
struct run_tuning {
  extent from;         ///< fewer items are sorted by digits at once
  extent share;        ///< of the items may be runs: one in so many
  extent most_in_ten;  ///< runs in ten items of the stretches that are looked at before, at most
  int resident;        ///< threads of the device for each of its threads that find runs

  template <class F>
  void each(F const& f) const
  {
    f("from", from), f("share", share), f("most_in_ten", most_in_ten), f("resident", resident);
  }
};
template <class Tuning>
constexpr run_tuning run_tuning_for()
{
  if (is_tiny<Tuning>) return {.from = 600, .share = 3, .most_in_ten = 3, .resident = 1 << 10};
  return {.from = extent(1) << 24, .share = 4, .most_in_ten = 2, .resident = 2};
}

/// Numbers of apply_permutation on CUDA, where rows go through records if they are taken at random
/// (programs/permute_by_records.hpp).
struct record_tuning {
  extent from;         ///< fewer rows are moved at once
  extent pairs;        ///< of neighbours that are looked at
  extent near;         ///< rows no farther apart than this are near each other
  std::size_t fewest;  ///< Views, at least
  std::size_t least;   ///< bytes of a record, at least
  std::size_t most;    ///< and at most
  std::size_t stage;   ///< bytes of a team's stage, at most
  int resident;        ///< threads of the device for each of its threads that move rows

  template <class F>
  void each(F const& f) const
  {
    f("from", from), f("pairs", pairs), f("near", near), f("fewest", fewest), f("least", least), f("most", most);
    f("stage", stage), f("resident", resident);
  }
};
template <class Tuning>
constexpr record_tuning record_tuning_for()
{
  if (is_tiny<Tuning>)
    return {.from     = 500,
            .pairs    = 100,
            .near     = 8,
            .fewest   = 2,
            .least    = 16,
            .most     = 256,
            .stage    = 2048,
            .resident = 1 << 10};
  return {.from     = extent(1) << 20,
          .pairs    = 1024,
          .near     = 8,
          .fewest   = 2,
          .least    = 16,
          .most     = 512,
          .stage    = 24 << 10,
          .resident = 2};
}

}  // namespace onepass::ONEPASS_ABI
