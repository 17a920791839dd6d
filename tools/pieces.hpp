// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <atomic>
#include <cstddef>
#include <functional>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

namespace tools {

/// From so many hardware threads on, several help to read and to write a file; on fewer, one does it as fast and the
/// rest have other work.
inline constexpr unsigned many_threads = 8;

/// A thread that does some work and is not missed: where there are no more threads, there is none.
template <class Work>
std::jthread helper(Work&& work)
{
  try {
    return std::jthread(std::forward<Work>(work));
  } catch (std::system_error const&) {
    return {};
  }
}

/// Calls work(k), which does not throw, for each k < n: on threads that help, and on the one that calls take().
class shared_pieces {
public:
  shared_pieces(std::size_t n, std::size_t helpers, std::function<void(std::size_t)> work)
      : n_(n)
      , work_(std::move(work))
  {
    while (helpers_.size() < helpers)
      helpers_.push_back(helper([this] {
        while (take()) {}
      }));
  }
  ~shared_pieces() { next_ = n_; }
  shared_pieces(shared_pieces const&) = delete;

  /// Does the next piece; false if none is left to begin.
  bool take()
  {
    auto const k = next_++;
    if (k < n_) work_(k);
    return k < n_;
  }

private:
  std::size_t n_;
  std::function<void(std::size_t)> work_;
  std::atomic<std::size_t> next_ = 0;
  std::vector<std::jthread> helpers_;  // the last member: they end before what they use
};

}  // namespace tools
