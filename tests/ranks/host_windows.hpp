// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/ranks/programs/windows.hpp>

#include <chrono>
#include <condition_variable>
#include <cstring>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace ranks_test {

/// Work that a thread of its own does in order, at some time, as a device's stream does.
class stream {
public:
  stream()
      : running_([this] { run(); })
  {}
  ~stream()
  {
    push({});
    running_.join();
  }

  void push(std::function<void()> work)
  {
    std::lock_guard const lock(mutex_);
    work_.push_back(std::move(work));
    ++pushed_;
    changed_.notify_all();
  }
  std::size_t pushed() const { return pushed_; }
  void wait_for(std::size_t number)
  {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return done_ >= number; });
  }

private:
  void run()
  {
    for (std::uint64_t step = reinterpret_cast<std::uintptr_t>(this);; ++step) {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [&] { return !work_.empty(); });
      auto const work = std::exchange(work_.front(), {});
      work_.pop_front();
      lock.unlock();
      if (!work) return;
      if (step * 0x9e3779b97f4a7c15u >> 59 == 0) std::this_thread::sleep_for(std::chrono::microseconds(100));
      work();
      lock.lock();
      ++done_;
      changed_.notify_all();
    }
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::function<void()>> work_;
  std::size_t pushed_ = 0, done_ = 0;
  std::thread running_;
};

/// A window of a rank that is a thread, whose copies are done behind its back.
class host_window {
public:
  static constexpr bool of_devices = false;
  struct handle {
    std::byte const* memory;
  };

  host_window(std::size_t slots, std::size_t slot_bytes)
      : slot_bytes_(slot_bytes)
      , own_(slots * slot_bytes)
      , put_(slots)
      , got_(slots)
  {}
  handle told() const { return {own_.data()}; }
  void open(int rank, int ranks, handle const& theirs)
  {
    opened_.resize(std::size_t(ranks));
    opened_[std::size_t(rank)] = theirs.memory;
  }
  void close() { opened_.clear(); }

  static bool are_apart(std::vector<handle> const&) { return true; }
  handle share(int kind, std::size_t bytes)
  {
    shared_[kind] = std::vector<line>(bytes / sizeof(line) + 1);
    std::memset(shared(kind), 0xff, bytes);
    return {shared(kind)};
  }
  void clear(int kind, std::size_t bytes) { std::memset(shared(kind), 0, bytes); }
  std::byte* shared(int kind) { return shared_[kind].data()->bytes; }
  std::byte* reach(int, handle const& theirs) { return const_cast<std::byte*>(theirs.memory); }
  void close_shared(int) {}

  void put(std::size_t slot, std::size_t at, std::byte const* from, std::size_t bytes)
  {
    queue(puts_, own_.data() + slot * slot_bytes_ + at, from, bytes);
  }
  void get(int rank, std::size_t slot, std::size_t at, std::byte* to, std::size_t bytes)
  {
    queue(gets_, to, opened_[std::size_t(rank)] + slot * slot_bytes_ + at, bytes);
  }
  void copy(std::byte const* from, std::byte* to, std::size_t bytes)
  {
    if (bytes > 0) queue(puts_, to, from, bytes);
  }
  void mark_copy(std::size_t number)
  {
    copied_.resize(number + 1);
    copied_[number] = puts_.pushed();
  }
  void await_copy(std::size_t number) { puts_.wait_for(copied_[number]); }
  void mark_put(std::size_t slot) { put_[slot] = puts_.pushed(); }
  void mark_got(std::size_t slot) { got_[slot] = gets_.pushed(); }
  void await_put(std::size_t slot) { puts_.wait_for(put_[slot]); }
  void await_got(std::size_t slot) { gets_.wait_for(got_[slot]); }
  void finish()
  {
    puts_.wait_for(puts_.pushed());
    gets_.wait_for(gets_.pushed());
  }

private:
  struct alignas(256) line {
    std::byte bytes[256];
  };

  static void queue(stream& by, std::byte* to, std::byte const* from, std::size_t bytes)
  {
    by.push([=] { std::memcpy(to, from, bytes); });
  }

  std::size_t slot_bytes_;
  std::vector<std::byte> own_;
  std::vector<line> shared_[2];
  std::vector<std::byte const*> opened_;
  std::vector<std::size_t> put_, got_, copied_;
  stream puts_, gets_;
};

/// Ranks whose payloads go through windows of the host.
class with_windows final : public onepass::ranks::detail::through_windows<host_window> {
public:
  using through_windows::through_windows;
  std::string how() const override { return "through windows of the host"; }
};

}  // namespace ranks_test
