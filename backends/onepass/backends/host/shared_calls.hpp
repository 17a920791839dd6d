// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/backends/host/cached_tile.hpp>
#include <onepass/backends/host/leaf.hpp>
#include <onepass/backends/host/shared_walk.hpp>
#include <onepass/engine/items/neighbours.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <string>

namespace onepass::ONEPASS_ABI::backends::host {

// clang-format off
/// A program that calls a user's function for each item, of which nothing but a call tells what it costs.
template <class P>
concept calls_users = !shares_walks<P> && !pairs_neighbours<P>
    && (walks<P> || tallies<P> || !(pure_program<P> || reads_flags<P> || flags_changes<P>));
// clang-format on

/// Whether functions of such a program have cost enough to ask the clock again, which takes as long as a hundred items.
template <class Program>
inline constinit thread_luck luck_with;

/// Items [first, last) of a program of tiles, on one thread that does not know the next one yet. Returns what precedes
/// that.
template <class Program>
[[gnu::always_inline]] inline typename Program::aggregate_type
through_tile(Program const& program, extent first, extent last, typename Program::aggregate_type const& before,
             bool stream)
{
  if constexpr (walks<Program>) return walk_some(program, first, last, before);
  else {
    cached_tile<Program> mine(program, first, last), none(program, last, last);
    auto const total = mine.upsweep();
    mine.downsweep(before, none, stream);
    return program.combine(before, total);
  }
}

/// Tiles by several threads without a workspace. Each takes the next one, reads it, waits for what precedes it, hands
/// on what precedes the next, and writes. Waits are finite, since all tiles before have been taken by running threads.
///
/// Source: the library's own.
template <class Program>
class handed_tiles {
  using aggregate = typename Program::aggregate_type;

public:
  /// Items [first, n), so many a tile, `before` precedes them.
  handed_tiles(Program const& program, extent first, extent n, aggregate const& before, extent items)
      : program_(program)
      , first_(first)
      , n_(n)
      , items_(items)
      , front_(before)
  {}

  /// What each thread does.
  void work()
  {
    for (extent t; (t = next_.fetch_add(1, std::memory_order_relaxed)) < div_up(n_ - first_, items_);) {
      extent const first = first_ + t * items_, last = std::min(first + items_, n_);
      cached_tile<Program> mine(program_, first, last), none(program_, last, last);
      auto const total = mine.upsweep();
      for (int turn = 0; known_.load(std::memory_order_acquire) < t; ++turn) thread_words::pause(turn);
      auto const before = front_;
      front_            = program_.combine(before, total);
      known_.store(t + 1, std::memory_order_release);
      mine.downsweep(before, none, false);
    }
  }

  /// Everything combined, once all threads are back.
  aggregate const& all() const { return front_; }

private:
  Program const& program_;
  extent first_, n_, items_;
  std::atomic<extent> next_{0}, known_{0};  ///< the first tile that nobody has, and that lacks what precedes it
  aggregate front_;                         ///< what precedes tile known_
};

/// Runs a program of few items in stretches, each longer than the one before, until one has told that the rest takes
/// longer than waking threads; these then share it. Named by label(). False, and nothing is done, where there are none.
template <class Tuning, class Exec, calls_users Program, class Label>
[[gnu::noinline]] bool share_calls(Label const& label, Exec const& space, Program const& program, extent n)
{
  using clock                    = std::chrono::steady_clock;
  constexpr call_numbers numbers = call_tuning_for<Tuning>();
  extent const threads           = threads_of(space);
  if (threads == 1 && !is_tiny<Tuning>) return false;
  auto const since = [](clock::time_point begin) {
    return std::chrono::duration<double, std::micro>(clock::now() - begin).count();
  };
  auto before  = program.initial();
  extent first = 0;
  double rest  = 0;  // microseconds
  bool dear    = false;
  for (extent some = 1; first < n && !dear; some *= 4) {
    auto const begin  = clock::now();
    extent const last = std::min(first + some, n);
    before            = through_tile(program, first, last, before, false);
    double const took = since(begin), each = took / double(last - first);
    rest  = each * double(n - last);
    first = last;
    dear  = some > 1 && took >= numbers.told_by && each >= numbers.dear && rest >= numbers.alone_for;
  }
  luck_with<Program>.saw(dear);
  if (first == n) return program.finish(before, n), true;
  bool const delays = numbers.alone_for > 0 && rest < numbers.slow_for;
  bool const alone  = numbers.alone_for > 0 && crowd::here().keeps_alone(extent(rest) * numbers.bytes_each);
  if (alone || (delays && thread_luck::here().keeps_alone()))
    return program.finish(through_tile(program, first, n, before, false), n), true;
  auto const tiles   = extent(std::clamp<double>(rest, 4, double(threads * numbers.tiles_each)));
  extent const items = div_up(div_up(n - first, tiles), numbers.whole) * numbers.whole;
  handed_tiles<Program> all(program, first, n, before, items);
  auto const begin = clock::now();
  on_threads(label(), space, std::min(threads, div_up(n - first, items)), [&](int) { all.work(); });
  if (delays) thread_luck::here().saw(since(begin) < rest);
  program.finish(all.all(), n);
  return true;
}

}  // namespace onepass::ONEPASS_ABI::backends::host
