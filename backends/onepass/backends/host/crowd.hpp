// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/backends/host/tuning.hpp>
#include <onepass/extent.hpp>

#include <atomic>
#include <chrono>

namespace onepass::ONEPASS_ABI::backends::host {

/// Whether other programs keep this one's threads from their cores. A parallel region ends when its last thread has
/// come and gone, and on a crowded machine that may take time slices of everybody else, for work of microseconds. The
/// threads' runtime cannot be asked, so regions are watched: after one whose threads came late, the calling thread does
/// what is small alone for some calls, twice as many each time, and then tries again: the sooner, the longer those take
/// (docs/decisions, 24).
class crowd {
  using clock = std::chrono::steady_clock;

public:
  /// The one of this process.
  static crowd& here()
  {
    static crowd all;
    return all;
  }

  /// While it rests, all threads are taken, however late they come: for those who ask what a call allocates, which may
  /// be less where it works alone.
  class rest {
  public:
    rest() { here().rests_ = true; }
    ~rest() { here().rests_ = false; }
    rest(rest const&)            = delete;
    rest& operator=(rest const&) = delete;
  };

  /// Whether the calling thread does work of so many bytes alone.
  bool keeps_alone(extent bytes)
  {
    if (bytes > crowd_tuning.alone_to || left_.load(std::memory_order_relaxed) <= 0 || rests_) return false;
    left_.fetch_sub(int(1 + bytes / crowd_tuning.call_bytes), std::memory_order_relaxed);
    return true;
  }

  /// Tells of a region: how late the last thread began, how long the one worked that worked longest, and how long the
  /// calling one waited behind its own work.
  void saw(clock::duration late, clock::duration worked, clock::duration waited)
  {
    auto const calls = calls_.load(std::memory_order_relaxed);
    if (late > crowd_tuning.late || waited > crowd_tuning.late + worked) {
      left_.store(calls, std::memory_order_relaxed);
      calls_.store(std::min(2 * calls, crowd_tuning.most_calls), std::memory_order_relaxed);
    } else calls_.store(std::max(calls / 2, crowd_tuning.least_calls), std::memory_order_relaxed);
  }

  /// Watches one region, from its construction to its end.
  class watch {
  public:
    clock::time_point begins()
    {
      auto const now = clock::now();
      raise(began_, now - begin_);
      return now;
    }
    /// A thread that began then.
    void ends(int thread, clock::time_point began)
    {
      auto const now = clock::now();
      raise(worked_, now - began);
      if (thread == 0) own_end_ = now;  // in most runtimes the calling thread
    }
    ~watch()
    {
      auto const most = [](auto const& of) { return clock::duration(of.load(std::memory_order_relaxed)); };
      here().saw(most(began_), most(worked_), clock::now() - own_end_);
    }

  private:
    static void raise(std::atomic<clock::rep>& most, clock::duration to)
    {
      for (auto seen = most.load(std::memory_order_relaxed);
           seen < to.count() && !most.compare_exchange_weak(seen, to.count(), std::memory_order_relaxed);) {}
    }

    clock::time_point begin_ = clock::now(), own_end_ = begin_;
    std::atomic<clock::rep> began_{0}, worked_{0};
  };

private:
  std::atomic<int> left_{0}, calls_{crowd_tuning.least_calls};
  std::atomic<bool> rests_{false};
};

}  // namespace onepass::ONEPASS_ABI::backends::host
