// SPDX-License-Identifier: Apache-2.0
// Teams of a kernel in every shape, each with items of its own; on hosts also such as several threads emulate.
#pragma once
#include "guarded.hpp"
#include "host_teams.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <string>
#include <thread>
#include <vector>

namespace test {

inline constexpr bool on_device = !onepass::on_host<exec_space>;

/// Around leaves of 8, groups of 128 and chunks of up to 1024 items. Each team has its own number.
inline std::vector<extent> const sizes{0, 1, 2, 7, 8, 9, 31, 127, 128, 129, 257, 511, 513, 1023, 1024, 1025, 3000};
inline extent const all_items = std::accumulate(sizes.begin(), sizes.end(), extent(0));
inline int const league       = int(sizes.size());

inline std::vector<int> offsets_of_teams()
{
  std::vector<int> offsets{0};
  for (extent const n : sizes) offsets.push_back(offsets.back() + int(n));
  return offsets;
}

/// A host thread as a member of a team that Kokkos would not make.
class emulated : public test::member {
public:
  using execution_space = exec_space;

  emulated(meeting& barrier, int rank, int threads, int team, std::vector<onepass::pack>& scratch)
      : member(barrier, rank, scratch)
      , threads_(threads)
      , team_(team)
  {}
  int team_size() const { return threads_; }
  int league_rank() const { return team_; }

private:
  int threads_, team_;
};

struct team_shape {
  int threads, lanes;
  bool of_the_space;
};
inline std::vector<team_shape> shapes()
{
  if (on_device)
    return {{1, 1, true}, {7, 1, true}, {32, 1, true}, {128, 1, true}, {1024, 1, true}, {32, 4, true}, {3, 8, true}};
  std::vector<team_shape> fit{{1, 1, true}, {3, 1, false}, {17, 1, false}};
  if (exec_space{}.concurrency() > 1) fit.push_back({2, 1, true});
  return fit;
}

/// Runs job(member) on all teams, with so much scratch memory of a level. A job of many registers has fewer threads
/// than a shape asks for.
template <class Job>
void on_teams_of(team_shape shape, std::size_t bytes, int level, Job const& job)
{
  if (shape.of_the_space) {
    auto const policy = [&](int threads) {
      Kokkos::TeamPolicy<exec_space> teams(exec_space{}, league, threads, shape.lanes);
      return teams.set_scratch_size(level, Kokkos::PerTeam(bytes));
    };
    int const most = policy(1).team_size_max(job, Kokkos::ParallelForTag{});
    Kokkos::parallel_for("test::team", policy(std::min(shape.threads, most)), job);
  } else if constexpr (!on_device) {
    for (int team = 0; team < league; ++team) {
      meeting barrier(shape.threads);
      std::vector<onepass::pack> scratch(bytes / sizeof(onepass::pack) + 1);
      std::vector<std::thread> threads;
      for (int rank = 0; rank < shape.threads; ++rank)
        threads.emplace_back([&, rank] { job(emulated(barrier, rank, shape.threads, team, scratch)); });
      for (auto& thread : threads) thread.join();
    }
  }
}

/// Calls test(run) for every shape of teams, where run(bytes, job, level) runs a job.
template <class Test>
void with_all_shapes(Test const& test)
{
  for (auto const shape : shapes()) {
    SCOPED_TRACE(std::to_string(shape.threads) + " x " + std::to_string(shape.lanes) + " threads");
    test([&](std::size_t bytes, auto const& job, int level = 0) { on_teams_of(shape, bytes, level, job); });
  }
}

/// The part of a team.
template <class T>
struct ragged {
  int const* offsets;
  T* items;

  template <class Member>
  ONEPASS_FUNCTION unmanaged<T> operator()(Member const& team) const
  {
    int const first = offsets[team.league_rank()];
    return unmanaged<T>(items + first, std::size_t(offsets[team.league_rank() + 1] - first));
  }
};

}  // namespace test
