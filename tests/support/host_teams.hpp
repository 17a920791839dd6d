// SPDX-License-Identifier: Apache-2.0
// Teams of several host threads, which emulate a device's teams.
#pragma once
#include <onepass/backends/kokkos/team.hpp>

#include <condition_variable>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace test {

using onepass::pack;
using onepass::team_tuning;

/// Where so many threads wait for each other. They sleep at once: those of std::barrier spin and yield first, and
/// beside another busy process pay a time slice of that at every meeting.
class meeting {
public:
  explicit meeting(int threads)
      : threads_(threads)
  {}
  void arrive_and_wait()
  {
    std::unique_lock lock(mutex_);
    if (++arrived_ == threads_) {
      arrived_ = 0;
      ++round_;
      lock.unlock();  // who wakes takes it
      all_here_.notify_all();
    } else all_here_.wait(lock, [this, round = round_] { return round_ != round; });
  }

private:
  std::mutex mutex_;
  std::condition_variable all_here_;
  int threads_, arrived_ = 0;
  unsigned round_ = 0;
};

/// A Kokkos team member emulated on host threads.
class member {
public:
  member(meeting& barrier, int rank, std::vector<pack>& scratch)
      : barrier_(barrier)
      , rank_(rank)
      , scratch_(scratch)
  {}
  int team_rank() const { return rank_; }
  void team_barrier() const { barrier_.arrive_and_wait(); }
  member const& team_scratch(int) const { return *this; }
  void* get_shmem_aligned(std::size_t bytes, std::size_t) const
  {
    auto* const begin = scratch_.data() + used_;
    used_ += (bytes + sizeof(pack) - 1) / sizeof(pack);
    return begin;
  }

private:
  meeting& barrier_;
  int rank_;
  std::vector<pack>& scratch_;
  mutable std::size_t used_ = 0;
};

template <int Threads>
constexpr team_tuning numbers{.threads = Threads, .window = Threads < 3 ? Threads : 3, .radix = 2};

/// Runs `work(team, league rank)` on `teams` teams concurrently, each with a stage of that many bytes.
template <class Program, int Threads, class Work>
void on_teams_with(std::size_t stage, int teams, Work const& work)
{
  using team_type = onepass::backends::kokkos::team<member, Program, numbers<Threads>, Threads>;
  std::vector<std::thread> threads;
  std::vector<std::unique_ptr<meeting>> barriers;
  std::vector<std::vector<pack>> scratch(std::size_t(teams),
                                         std::vector<pack>(team_type::scratch_bytes(stage) / 16 + 2));
  for (int t = 0; t < teams; ++t) barriers.push_back(std::make_unique<meeting>(Threads));
  for (int t = 0; t < teams; ++t)
    for (int rank = 0; rank < Threads; ++rank)
      threads.emplace_back([&, t, rank] {
        member const mine(*barriers[std::size_t(t)], rank, scratch[std::size_t(t)]);
        work(team_type(mine, stage), t);
      });
  for (auto& thread : threads) thread.join();
}

/// The same for tiles of N items a thread.
template <class Program, int N, int Threads, class Work>
void on_teams(int teams, Work const& work)
{
  on_teams_with<Program, Threads>(onepass::stage_bytes<Program>(N * Threads), teams, work);
}

}  // namespace test
