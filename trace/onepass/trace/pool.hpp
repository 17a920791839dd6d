// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <atomic>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace onepass::trace {

/// Threads that wait for work. They begin before the program binds its own to cores, so they may run on all of them.
class pool {
public:
  explicit pool(unsigned threads)
  {
    for (unsigned t = 1; t < threads; ++t) threads_.emplace_back([this] { work(); });
  }
  ~pool()
  {
    {
      std::lock_guard const lock(mutex_);
      over_ = true;
    }
    begin_.notify_all();
    for (auto& t : threads_) t.join();
  }
  pool(pool const&) = delete;

  unsigned size() const { return unsigned(threads_.size()) + 1; }

  /// Calls f(0), ... f(parts - 1), the calling thread among those who do.
  void run(std::size_t parts, std::function<void(std::size_t)> const& f)
  {
    {
      std::lock_guard const lock(mutex_);
      task_  = &f;
      parts_ = parts;
      next_  = 0;
      busy_  = threads_.size();
      ++round_;
    }
    begin_.notify_all();
    draw();
    std::unique_lock lock(mutex_);
    done_.wait(lock, [this] { return busy_ == 0; });
  }

private:
  void draw()
  {
    for (std::size_t part; (part = next_.fetch_add(1)) < parts_;) (*task_)(part);
  }
  void work()
  {
    for (std::size_t seen = 0;;) {
      std::unique_lock lock(mutex_);
      begin_.wait(lock, [&] { return over_ || round_ != seen; });
      if (over_) return;
      seen = round_;
      lock.unlock();
      draw();
      lock.lock();
      if (--busy_ == 0) done_.notify_one();
    }
  }

  std::mutex mutex_;
  std::condition_variable begin_, done_;
  std::function<void(std::size_t)> const* task_ = nullptr;
  std::size_t parts_ = 0, busy_ = 0, round_ = 0;
  std::atomic<std::size_t> next_ = 0;
  bool over_                     = false;
  std::vector<std::thread> threads_;
};

}  // namespace onepass::trace
