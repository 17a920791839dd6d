// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/backends/host/threads.hpp>
#include <onepass/engine/items/walk.hpp>
#include <onepass/engine/thread_words.hpp>

#include <algorithm>
#include <atomic>
#include <bit>
#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace onepass::ONEPASS_ABI::backends::host {

/// A program that walks by itself, and keeps nothing from reading to writing: one thread may read for another.
template <class P>
concept shares_walks = walks<P> && std::is_same_v<typename P::kept, nothing>;

/// A walk of few items by several threads. The first that comes walks from the front, where all that comes before is
/// known, up to a part that others have read; these, and then the first too, read parts. When all are done, everything
/// before each part is known, and what was read is written by all. So items at the front are called once, and nobody
/// waits for a thread that has not begun: if none does, the first walks everything.
///
/// A thread reads and writes parts of its own before others': what it wrote in an earlier kernel, and what it has read,
/// is in its cache.
///
/// Source: the library's own.
template <shares_walks Program>
class shared_walk {
  using aggregate = typename Program::aggregate_type;
  using set       = std::uint64_t;  // of parts

public:
  static constexpr int most_parts = 64;

  /// Items [first, n), in so many parts, by so many threads.
  shared_walk(Program const& program, extent first, extent n, aggregate const& before, int parts, int threads)
      : program_(program)
      , first_(first)
      , items_(n - first)
      , parts_(parts)
      , threads_(threads)
      , unread_(below(parts))
      , unwritten_(below(parts))
      , front_(before)
  {}

  /// What each thread does. Flattened, since a loop over items keeps the program's members in registers only where its
  /// calls are inlined.
  [[gnu::noinline, gnu::flatten]] void work(int thread)
  {
    if (unwritten_.load(std::memory_order_relaxed) == 0) return;
    walked_program<Program> program = program_;
    set const own                   = below(parts_ * (thread + 1) / threads_) & ~below(parts_ * thread / threads_);
    if (!has_walker_.exchange(true, std::memory_order_relaxed)) {
      while (met_ < parts_ && remove(unread_, met_)) {
        remove(unwritten_, met_);
        front_ = program.walk(begin_of(met_), begin_of(met_ + 1), front_);
        ++met_;
        done_.fetch_add(1, std::memory_order_release);
      }
    }
    for (int part; (part = take(unread_, own, highest)) >= 0;) {
      std::construct_at(read_ + part, program.read(begin_of(part), begin_of(part + 1), nullptr));
      done_.fetch_add(1, std::memory_order_release);
    }
    for (int turn = 0; done_.load(std::memory_order_acquire) < parts_; ++turn) thread_words::pause(turn);
    int at      = met_;
    auto before = front_;
    for (int part; (part = take(unwritten_, own, lowest)) >= 0;) {
      if (part < at) at = met_, before = front_;
      for (; at < part; ++at) before = program.combine(before, read_[at]);
      (void)program.write(begin_of(part), begin_of(part + 1), before, nullptr);
    }
  }

  /// Everything combined, once all threads are back.
  aggregate all() const
  {
    auto all = front_;
    for (int part = met_; part < parts_; ++part) all = program_.combine(all, read_[part]);
    return all;
  }

private:
  extent begin_of(int part) const { return first_ + items_ * part / parts_; }

  static set below(int part) { return part == most_parts ? ~set(0) : (set(1) << part) - 1; }
  static int lowest(set parts) { return std::countr_zero(parts); }
  static int highest(set parts) { return most_parts - 1 - std::countl_zero(parts); }

  static bool remove(std::atomic<set>& from, int part)
  {
    return from.fetch_and(~(set(1) << part), std::memory_order_relaxed) >> part & 1;
  }
  /// One of the parts that are left, preferably an own one; -1 where none is.
  static int take(std::atomic<set>& left, set own, int (*which)(set))
  {
    for (auto seen = left.load(std::memory_order_relaxed); seen != 0;) {
      int const part = which(seen & own ? seen & own : seen);
      if (left.compare_exchange_weak(seen, seen & ~(set(1) << part), std::memory_order_relaxed)) return part;
    }
    return -1;
  }

  Program const& program_;
  extent first_, items_;
  int parts_, threads_;
  std::atomic<set> unread_, unwritten_;
  std::atomic<bool> has_walker_{false};
  std::atomic<int> done_{0};
  int met_ = 0;      ///< the first part that is read, once all are done
  aggregate front_;  ///< everything before it
  union {
    aggregate read_[most_parts];  ///< of parts from there on
  };
};

/// Whether threads came as soon as they were wanted. A thread that spins for the next region is there in a microsecond,
/// one that sleeps in fifty; which it is, regions tell. After one that took longer than the calling thread would have
/// alone, it works alone for some calls, twice as many each time, and then tries again.
class thread_luck {
public:
  static thread_luck& here()
  {
    static thread_luck all;
    return all;
  }
  /// Whether it works alone; a large call counts as several.
  bool keeps_alone(extent calls = 1)
  {
    auto const left = left_.load(std::memory_order_relaxed);
    if (left > 0) left_.store(int(left - calls), std::memory_order_relaxed);  // another thread's may be lost
    return left > 0;
  }
  void saw(bool gained)
  {
    auto const calls = calls_.load(std::memory_order_relaxed);
    if (!gained) left_.store(calls, std::memory_order_relaxed);
    calls_.store(gained ? std::max(calls / 2, least_calls) : std::min(2 * calls, crowd_tuning.most_calls),
                 std::memory_order_relaxed);
  }

private:
  static constexpr int least_calls = 2;
  std::atomic<int> left_{0}, calls_{least_calls};
};

/// Items [first, last), in a function of its own for the same reason.
template <walks Program>
[[gnu::noinline, gnu::flatten]] typename Program::aggregate_type
walk_some(Program const& given, extent first, extent last, typename Program::aggregate_type const& before)
{
  walked_program<Program> program = given;
  return program.walk(first, last, before);
}

/// Runs a program of few items. What user code costs is known once it has been called: the calling thread walks the
/// first items, and other threads help if the rest takes longer than waking them.
template <class Tuning, class Exec, shares_walks Program>
[[gnu::noinline]] void walk_few(std::string_view label, Exec const& space, Program const& given, extent n, extent bytes)
{
  using clock                    = std::chrono::steady_clock;
  constexpr walk_numbers numbers = walk_tuning_for<Tuning>();
  if (n <= numbers.alone_items) return run_serially(given, n);
  extent const threads = threads_of(space);
  if (threads == 1) return run_serially(given, n);
  extent const timed = std::clamp<extent>(n / 32, 16, 256), warm = timed / 4;
  auto const warmed = walk_some(given, 0, warm, given.initial());
  auto const begin  = clock::now();
  auto const before = walk_some(given, warm, warm + timed, warmed);
  auto const since  = [&] { return std::chrono::duration<double, std::micro>(clock::now() - begin).count(); };
  double const took = since(), rest = took / double(timed) * double(n - warm - timed);
  if (rest < numbers.alone_for || crowd::here().keeps_alone(bytes) || thread_luck::here().keeps_alone())
    return given.finish(walk_some(given, warm + timed, n, before), n);
  int const parts   = int(std::clamp<double>(rest, 4, shared_walk<Program>::most_parts));  // of a microsecond or more
  int const sharing = int(std::min<extent>(threads, parts / 2));
  shared_walk<Program> walk(given, warm + timed, n, before, parts, sharing);
  on_threads(std::string(label), space, sharing, [&](int t) { walk.work(t); });
  thread_luck::here().saw(since() < took + rest);
  given.finish(walk.all(), n);
}

}  // namespace onepass::ONEPASS_ABI::backends::host
