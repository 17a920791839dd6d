// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/ranks/transport.hpp>

#include <algorithm>
#include <condition_variable>
#include <cstring>
#include <exception>
#include <functional>
#include <map>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <vector>

namespace onepass::ONEPASS_ABI::ranks {

/// The ranks of one process: threads. For tests of programs that run over ranks, without MPI and under sanitizers; and
/// for a process with several devices.
/// \ingroup ranks
class threads final : public transport {
public:
  /// Called with a rank before it tells others something and before it reads what they told: tests delay ranks there.
  using hook = std::function<void(int rank)>;

  /// What the ranks share.
  class meeting {
  public:
    /// Of `size` ranks.
    explicit meeting(int size, hook before_step = {})
        : before_step_(std::move(before_step))
        , to_(std::size_t(size))
    {}

    /// A rank has left for good: all others that wait for it, or will, throw.
    void leave()
    {
      std::lock_guard const lock(mutex_);
      left_ = true;
      changed_.notify_all();
    }

  private:
    friend class threads;

    /// Returns once f() holds, which changes under the lock.
    template <class F>
    void wait_until(std::unique_lock<std::mutex>& lock, F const& f)
    {
      changed_.wait(lock, [&] { return f() || left_; });
      if (!f()) throw std::runtime_error("onepass::ranks::threads: a rank has ended, and others still wait for it");
    }

    void wait()
    {
      std::unique_lock lock(mutex_);
      if (++arrived_ == to_.size()) {
        arrived_ = 0;
        ++round_;
        changed_.notify_all();
      } else {
        wait_until(lock, [this, now = round_] { return round_ != now; });
      }
    }

    hook before_step_;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::size_t arrived_ = 0, round_ = 0;
    bool left_ = false;
    struct told {
      std::vector<std::uint64_t> words;   // of all ranks
      std::size_t arrived = 0, read = 0;  // ranks that have told theirs, and that have read all
      bool differ = false;                // whether ranks told different numbers of words
    };
    std::map<std::size_t, told> told_;                         // by the number of the exchange
    std::vector<std::span<piece<std::byte const> const>> to_;  // of each rank
  };

  /// Rank `rank` at a meeting.
  threads(meeting& all, int rank)
      : all_(&all)
      , rank_(rank)
  {}

  int rank() const override { return rank_; }
  int size() const override { return int(all_->to_.size()); }
  std::string name() const override { return std::to_string(size()) + " threads of one process"; }

  std::unique_ptr<words_under_way> begin_words(std::span<std::uint64_t const> mine,
                                               std::span<std::uint64_t> theirs) override
  {
    auto const number = exchanges_++;
    step();
    std::lock_guard const lock(all_->mutex_);
    auto& told = all_->told_[number];
    if (told.arrived == 0) told.words.resize(theirs.size());
    if (told.words.size() != theirs.size()) told.differ = true;
    else std::copy(mine.begin(), mine.end(), told.words.begin() + std::ptrdiff_t(std::size_t(rank_) * mine.size()));
    if (++told.arrived == all_->to_.size()) all_->changed_.notify_all();
    return std::make_unique<listening>(*this, number, theirs);
  }

  void exchange_payloads(std::span<piece<std::byte const> const> to, std::span<piece<std::byte> const> from,
                         residence) override
  {
    step();
    {
      std::lock_guard const lock(all_->mutex_);
      all_->to_[std::size_t(rank_)] = to;
    }
    all_->wait();
    step();
    for (std::size_t r = 0; r < from.size(); ++r) {
      auto const& sent = all_->to_[r][std::size_t(rank_)];
      if (sent.bytes != from[r].bytes)
        throw std::logic_error("onepass::ranks::threads: a rank sends another number of bytes than is received");
      if (sent.bytes) std::memcpy(from[r].data, sent.data, sent.bytes);
    }
    all_->wait();
  }

  void meet() override
  {
    step();
    all_->wait();
  }

private:
  /// An exchange of words, of which the own ones are told.
  class listening final : public words_under_way {
  public:
    listening(threads& mine, std::size_t number, std::span<std::uint64_t> theirs)
        : mine_(mine)
        , number_(number)
        , theirs_(theirs)
    {}
    bool test() override
    {
      std::lock_guard const lock(mine_.all_->mutex_);
      return all_told();
    }
    void finish() override
    {
      auto& all = *mine_.all_;
      mine_.step();
      std::unique_lock lock(all.mutex_);
      all.wait_until(lock, [&] { return all_told(); });
      auto const told   = all.told_.find(number_);
      bool const differ = told->second.differ;
      if (!differ) std::copy_n(told->second.words.begin(), theirs_.size(), theirs_.begin());
      if (++told->second.read == all.to_.size()) all.told_.erase(told);
      if (differ) throw std::logic_error("onepass::ranks::threads: ranks tell each other different numbers of words");
    }

  private:
    bool all_told() const { return mine_.all_->told_.at(number_).arrived == mine_.all_->to_.size(); }

    threads& mine_;
    std::size_t number_;
    std::span<std::uint64_t> theirs_;
  };

  void step() const
  {
    if (all_->before_step_) all_->before_step_(rank_);
  }

  meeting* all_;
  int rank_;
  std::size_t exchanges_ = 0;  // of words, so far
};

/// Calls f(rank) on `size` threads, each with its transport, and returns when all have. If any throws, this throws what
/// the first of them threw, and no other is left waiting; nor if there are not so many threads.
/// \ingroup ranks
template <class F>
void on_threads(int size, F const& f, threads::hook before_step = {})
{
  threads::meeting all(size, std::move(before_step));
  std::vector<std::exception_ptr> thrown(static_cast<std::size_t>(size));
  std::vector<std::thread> running;
  std::exception_ptr not_started;
  try {
    for (int r = 0; r < size; ++r)
      running.emplace_back([&, r] {
        threads mine(all, r);
        try {
          f(mine);
        } catch (...) {
          thrown[std::size_t(r)] = std::current_exception();
          all.leave();
        }
      });
  } catch (...) {  // those that run wait for ranks that never come
    not_started = std::current_exception();
    all.leave();
  }
  for (auto& thread : running) thread.join();
  if (not_started) std::rethrow_exception(not_started);
  for (auto const& e : thrown)
    if (e) std::rethrow_exception(e);
}

}  // namespace onepass::ONEPASS_ABI::ranks
