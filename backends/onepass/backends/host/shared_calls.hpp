// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/backends/host/cached_tile.hpp>
#include <onepass/backends/host/leaf.hpp>
#include <onepass/backends/host/shared_walk.hpp>
#include <onepass/engine/items/neighbours.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <string>

namespace onepass::ONEPASS_ABI::backends::host {

/// A program whose calls of users' functions are shared by threads, however few they are, once they are known to be
/// dear.
template <class P>
concept shares_calls = calls_users<P> && !shares_walks<P> && !pairs_neighbours<P>;

/// Whether functions of a program have cost so little that the clock, which takes as long as a hundred items, need not
/// be asked again: not of calls that are much larger than those.
class call_luck {
public:
  template <class Tuning>
  bool keeps_alone(extent n)
  {
    return n <= 4 * items_.load(std::memory_order_relaxed)
           && luck_.keeps_alone(1 + n / call_tuning_for<Tuning>().counted);
  }
  void saw(bool dear, extent n)
  {
    if (!dear) items_.store(n, std::memory_order_relaxed);
    luck_.saw(dear);
  }

private:
  thread_luck luck_;
  std::atomic<extent> items_{0};  ///< of the last call whose functions were cheap
};
template <class Program>
inline constinit call_luck luck_with;

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
/// What a user's function throws ends the reading and writing, not the handing on, and is thrown once all are back.
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
      auto total = Program::identity();
      unless_failed([&] { total = mine.upsweep(); });
      for (int turn = 0; known_.load(std::memory_order_acquire) < t; ++turn) thread_words::pause(turn);
      auto const before = front_;
      unless_failed([&] { front_ = program_.combine(before, total); });
      known_.store(t + 1, std::memory_order_release);
      unless_failed([&] { mine.downsweep(before, none, false); });
    }
  }

  /// Everything combined, once all threads are back.
  aggregate const& all() const
  {
    if (error_) std::rethrow_exception(error_);
    return front_;
  }

private:
  template <class F>
  void unless_failed(F const& work)
  {
    if (failed_.load(std::memory_order_relaxed)) return;
    try {
      work();
    } catch (...) {
      if (!failed_.exchange(true)) error_ = std::current_exception();
    }
  }

  Program const& program_;
  extent first_, n_, items_;
  std::atomic<extent> next_{0}, known_{0};  ///< the first tile that nobody has, and that lacks what precedes it
  aggregate front_;                         ///< what precedes tile known_
  std::atomic<bool> failed_{false};
  std::exception_ptr error_;
};

/// Runs a program of few items in stretches, each longer than the one before, until one has told that the rest takes
/// longer than waking threads; these then share it. Named by label(). False, and nothing is done, where there are none.
template <class Tuning, class Exec, shares_calls Program, class Label>
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
  double each = 0, rest = 0;  // microseconds
  bool dear = false;
  for (extent some = 1; first < n && !dear; some = std::min(4 * some, std::max(n / 8, numbers.longest))) {
    auto const begin  = clock::now();
    extent const last = std::min(first + some, n);
    before            = through_tile(program, first, last, before, false);
    double const took = since(begin);
    each              = took / double(last - first);
    rest              = each * double(n - last);
    first             = last;
    dear              = some > 1 && took >= numbers.told_by && each >= numbers.dear && rest >= numbers.alone_for;
  }
  luck_with<Program>.saw(dear, n);
  if (first == n) return program.finish(before, n), true;
  bool const delays = numbers.alone_for > 0 && rest < numbers.slow_for;
  bool const alone  = numbers.alone_for > 0 && crowd::here().keeps_alone(extent(rest) * numbers.bytes_each);
  if (alone || (delays && thread_luck::here().keeps_alone()))
    return program.finish(through_tile(program, first, n, before, false), n), true;
  auto const tiles   = extent(std::clamp<double>(rest, 4, double(threads * numbers.tiles_each)));
  extent const whole = each < 1 ? numbers.whole : 1;
  extent const items = div_up(div_up(n - first, tiles), whole) * whole;
  handed_tiles<Program> all(program, first, n, before, items);
  auto const begin = clock::now();
  on_threads(label(), space, std::min(threads, div_up(n - first, items)), [&](int) { all.work(); });
  if (delays) thread_luck::here().saw(since(begin) < rest);
  program.finish(all.all(), n);
  return true;
}

}  // namespace onepass::ONEPASS_ABI::backends::host
