// SPDX-License-Identifier: Apache-2.0
#include "pipeline.hpp"

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
  progress_of_steps(std::size_t n, std::size_t steps)
      : end_(n)
      , done_(steps)
  {}

  /// Takes all parts through step s.
  void run(std::size_t s, step const& work)
  {
    for (std::size_t k = 0; may_begin(s, k); ++k) {
      try {
        work(k);
      } catch (...) {
        end_before(k, std::current_exception());
        return;
      }
      std::lock_guard const lock(mutex_);
      done_[s] = k + 1;
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
  bool may_begin(std::size_t s, std::size_t k)
  {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return k >= end_ || (is_there(s, k) && has_place(s, k)); });
    return k < end_;
  }

  bool is_there(std::size_t s, std::size_t k) const { return s == 0 || done_[s - 1] > k; }

  bool has_place(std::size_t s, std::size_t k) const
  {
    for (auto behind = s + 1; behind < done_.size(); ++behind)
      if (k >= done_[behind] + places_for(behind - s)) return false;
    return true;
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::size_t end_;
  std::vector<std::size_t> done_;  // by each step
  std::exception_ptr thrown_;
};

}  // namespace

void run_pipeline(std::size_t n, std::vector<step> const& steps, std::size_t here)
{
  if (n <= 1) {
    for (auto const& step : steps)
      if (n == 1) step(0);
    return;
  }
  progress_of_steps all(n, steps.size());
  {
    std::vector<std::jthread> others;
    try {
      for (std::size_t s = 0; s < steps.size(); ++s)
        if (s != here) others.emplace_back([&, s] { all.run(s, steps[s]); });
    } catch (std::system_error const&) {  // there are no more threads
      all.end_before(0, std::current_exception());
    }
    all.run(here, steps[here]);
  }
  all.rethrow();
}

}  // namespace tools
