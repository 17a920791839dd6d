// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <Kokkos_Core.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <mutex>
#include <string>
#include <utility>

// ADOPTED_TIMED("step", call)(arguments...) calls call(arguments...) and adds its time, from fence to fence, to the step. When
// the program ends, the steps are added to the file that ADOPTED_TIMES names: step, items, calls, seconds of the fastest
// call of that size, seconds of all. compare.py puts it around the calls that onepass takes, before and after.

namespace adopted {

struct step_times {
  long calls   = 0;
  double least = 1e30, all = 0;
};

class record {
public:
  static record& here()
  {
    static record all;
    return all;
  }
  void add(std::string const& step, long long items, double seconds)
  {
    std::lock_guard const lock(mutex_);
    auto& times = steps_[{step, items}];
    times.calls++;
    times.least = std::min(times.least, seconds);
    times.all += seconds;
  }
  ~record()
  {
    auto const* name = std::getenv("ADOPTED_TIMES");
    auto* const file = name ? std::fopen(name, "a") : nullptr;
    if (!file) return;
    for (auto const& [key, times] : steps_)
      std::fprintf(file, "%s,%lld,%ld,%.9f,%.9f\n", key.first.c_str(), key.second, times.calls, times.least, times.all);
    std::fclose(file);
  }

private:
  std::mutex mutex_;
  std::map<std::pair<std::string, long long>, step_times> steps_;
};

/// How many items the first argument has that is a policy, a View or a number, or the first two that are iterators; 0 where none is.
inline long long items_of() { return 0; }
template <class Iterator, class... Rest>
  requires requires(Iterator const& i)
  {
    typename Iterator::difference_type;
    *i;
    i - i;
  }
long long items_of(Iterator const& first, Iterator const& last, Rest const&...) { return (long long)(last - first); }
template <class First, class... Rest>
long long items_of(First const& first, Rest const&... rest)
{
  if constexpr (std::is_integral_v<First>) return (long long)(first);
  else if constexpr (requires {
                       first.end() - first.begin();
                       typename First::index_type;
                     })
    return (long long)(first.end() - first.begin());
  else if constexpr (Kokkos::is_view_v<First>) return (long long)(first.size());
  else return items_of(rest...);
}

/// A host space has finished when a call returns; asking it takes as long as a short call.
inline void finish()
{
  using memory = Kokkos::DefaultExecutionSpace::memory_space;
  if constexpr (!std::is_same_v<memory, Kokkos::HostSpace>) Kokkos::fence();
}

template <class Call, class... Args>
void timed(char const* step, Call const& call, Args&&... args)
{
  finish();
  auto const begin = std::chrono::steady_clock::now();
  call(std::forward<Args>(args)...);
  finish();
  std::chrono::duration<double> const took = std::chrono::steady_clock::now() - begin;
  record::here().add(step, items_of(args...), took.count());
}

}  // namespace adopted

#define ADOPTED_TIMED(step, ...)                                                                                       \
  [&](auto&&... timed_arguments) {                                                                                     \
    adopted::timed(                                                                                                    \
        step, [&](auto&&... a) { __VA_ARGS__(std::forward<decltype(a)>(a)...); },                                      \
        std::forward<decltype(timed_arguments)>(timed_arguments)...);                                                  \
  }
