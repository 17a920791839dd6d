// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "files.hpp"
#include "pieces.hpp"

#include <condition_variable>
#include <fcntl.h>
#include <linux/magic.h>
#include <mutex>
#include <sys/statfs.h>

namespace tools {

/// Room of a file, reserved stretch by stretch by a thread of its own. It is there before it is written, so
/// that a mapping of it cannot fail.
class reservation {
public:
  reservation(int file, std::size_t writers)
      : file_(file)
      , writers_(writers)
  {
    thread_ = helper([this](std::stop_token const& stop) { run(stop); });
    if (!thread_.joinable()) failed_ = true;
  }

  /// How many threads copy to a mapping of this file. Measured, GB/s: a new file of tmpfs is written by one thread at
  /// 2.1, a mapping of reserved room by 4 and 8 at 4.9 and 8.8; ext4 at 2.9, by 4 and 8 at 3.7 and .9, but at 1.5 where
  /// more room is reserved meanwhile. On others none.
  static std::size_t writers_for(int file, output_file::size_is size)
  {
    struct statfs on;
    if (::fstatfs(file, &on) != 0) return 0;
    if (on.f_type == TMPFS_MAGIC) return 8;
    return on.f_type == EXT4_SUPER_MAGIC && size == output_file::size_is::known ? 4 : 0;
  }
  std::size_t writers() const { return writers_; }

  /// Goes on to reserve so many bytes.
  void up_to(std::uint64_t bytes)
  {
    std::lock_guard const lock(mutex_);
    goal_ = std::max(goal_, bytes);
    changed_.notify_all();
  }

  /// Waits until so many bytes are reserved; false if they will not be.
  bool holds(std::uint64_t bytes)
  {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return reserved_ >= bytes || goal_ < bytes || failed_; });
    return reserved_ >= bytes;
  }

  /// Reserves no more.
  void end() { thread_ = {}; }

private:
  void run(std::stop_token const& stop)
  {
    constexpr std::uint64_t stretch = 32 << 20;
    std::unique_lock lock(mutex_);
    while (changed_.wait(lock, stop, [&] { return reserved_ < goal_; }) && !stop.stop_requested()) {
      auto const begin = reserved_, bytes = std::min(stretch, goal_ - begin);
      lock.unlock();
      bool const done = again([&] { return ::fallocate(file_, 0, off_t(begin), off_t(bytes)); }) == 0;
      lock.lock();
      reserved_ += done ? bytes : 0;
      failed_ = !done;
      changed_.notify_all();
      if (failed_) return;  // not an error: what has no room is found out by writing
    }
  }

  int file_;
  std::size_t writers_;
  std::mutex mutex_;
  std::condition_variable_any changed_;
  std::uint64_t goal_ = 0, reserved_ = 0;
  bool failed_ = false;
  std::jthread thread_;  // the last member: it ends before what it uses
};

}  // namespace tools
