// SPDX-License-Identifier: Apache-2.0
#include "pipeline.hpp"

#include <array>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>

namespace tools {

namespace {

using step = std::function<void(std::size_t)>;

/// How far the steps are.
class progress_of_steps {
public:
  explicit progress_of_steps(std::size_t n)
      : end_(n)
  {}

  /// Takes all parts through step s.
  void run(int s, step const& work)
  {
    for (std::size_t k = 0; may_begin(s, k); ++k) {
      try {
        work(k);
      } catch (...) {
        end_before(k, std::current_exception());
        return;
      }
      std::lock_guard const lock(mutex_);
      done_[std::size_t(s) + 1] = k + 1;
      changed_.notify_all();
    }
  }

  /// Parts from k on go no further.
  void end_before(std::size_t k, std::exception_ptr const& why)
  {
    std::lock_guard const lock(mutex_);
    if (k >= end_) return;
    end_    = k;
    thrown_ = why;
    changed_.notify_all();
  }

  void rethrow() const
  {
    if (thrown_) std::rethrow_exception(thrown_);
  }

private:
  /// Waits until step s may begin with part k; false if it will not.
  bool may_begin(int s, std::size_t k)
  {
    std::unique_lock lock(mutex_);
    auto const before = std::size_t(s), behind = std::size_t(s) + 2;
    changed_.wait(lock, [&] {
      return k >= end_
             || ((before == 0 || done_[before] > k) && (behind >= done_.size() || k < done_[behind] + parts_between));
    });
    return k < end_;
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::size_t end_;
  std::array<std::size_t, 4> done_{};  // by the number of the step, from 1 on
  std::exception_ptr thrown_;
};

}  // namespace

void run_pipeline(std::size_t n, step const& first, step const& middle, step const& last)
{
  if (n <= 1) {
    if (n == 1) first(0), middle(0), last(0);
    return;
  }
  progress_of_steps all(n);
  {
    std::jthread front, back;
    try {
      front = std::jthread([&] { all.run(0, first); });
      back  = std::jthread([&] { all.run(2, last); });
    } catch (std::system_error const&) {  // there are no more threads
      all.end_before(0, std::current_exception());
    }
    all.run(1, middle);
  }
  all.rethrow();
}

}  // namespace tools
