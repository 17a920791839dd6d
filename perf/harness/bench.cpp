// SPDX-License-Identifier: Apache-2.0
#include "bench.hpp"
#include "clock.hpp"
#include "options.hpp"
#include "results.hpp"
#include "stamp.hpp"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <optional>

namespace perf {

namespace {

/// A contender in a race: its call, and the number of calls of a timed batch.
struct runner {
  std::string name;
  call queue;
  int batch;
};

/// Lets a contender run once and compares its output.
void verify(race const& r, suite const& s, contender const& c, call const& queue)
{
  s.poison(r);
  queue();
  Kokkos::fence("perf: end of the verified run");
  if (!is_copy(c.name) && !s.right(r)) throw std::runtime_error("the output is wrong");
}

/// The contenders with correct output, each with a batch long enough to be timed. The others are reported and left out.
std::vector<runner> verified(race const& r, suite const& s, options const& asked, bool& all_right)
{
  std::vector<runner> kept;
  for (auto const& c : contenders()) {
    if (!asked.wants(c.name)) continue;
    try {
      auto const queue = c.enter(r);
      if (!queue) continue;
      verify(r, s, c, queue);
      double const once = std::min(seconds_of(1, queue), seconds_of(1, queue));
      kept.push_back({c.name, queue, std::clamp(int(asked.batch_seconds / std::max(once, 1e-7)), 1, 1000)});
    } catch (std::exception const& e) {
      std::fprintf(stderr, "bench: %s %s %lld: %s is left out: %s\n", r.primitive.c_str(), r.type.c_str(),
                   static_cast<long long>(r.items), c.name.c_str(), e.what());
      all_right = false;
    }
  }
  return kept;
}

/// Repeats all contenders in random order, as often as the time allows. all_right: false if a contender was left out.
std::vector<row> race_all(race const& r, suite const& s, options const& asked, double seconds_left, bool& all_right)
{
  auto const runners = verified(r, s, asked, all_right);
  double round       = 0;
  for (auto const& one : runners) round += seconds_of(one.batch, one.queue);
  int const repetitions = std::clamp(int(seconds_left / round), asked.least_repetitions, asked.repetitions);

  for (auto const& one : runners)
    benchmark::RegisterBenchmark(one.name.c_str(),
                                 [&](benchmark::State& state) {
                                   for (auto _ : state)
                                     state.SetIterationTime(seconds_of(one.batch, one.queue) / one.batch);
                                 })
        ->UseManualTime()
        ->Iterations(1)
        ->Repetitions(repetitions)
        ->Unit(benchmark::kMicrosecond);
  results found(r);
  benchmark::RunSpecifiedBenchmarks(&found, "all");
  benchmark::ClearRegisteredBenchmarks();
  return found.take();
}

}  // namespace

int run(int argc, char** argv, char const* problem, std::unique_ptr<suite> given)
{
  options asked;
  if (int const stop = asked.read(argc, argv, *given); stop >= 0) return stop;

  if (auto const missing = missing_device(); !missing.empty()) {
    std::fprintf(stderr, "bench: %s\n", missing.c_str());
    return 2;
  }
  char name[] = "bench", shuffled[] = "--benchmark_enable_random_interleaving=true";
  char* flags[]  = {name, shuffled};
  int flag_count = 2;
  benchmark::Initialize(&flag_count, flags);
  Kokkos::ScopeGuard const kokkos(Kokkos::InitializationSettings().set_disable_warnings(true));
  auto const owned = std::move(given);  // its memory is freed before Kokkos is finalised
  auto& s          = *owned;

  auto const start   = std::chrono::steady_clock::now();
  auto const elapsed = [&] { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(); };
  std::optional<record> kept;
  bool all_right = true;
  try {
    if (!asked.results.empty()) kept.emplace(asked.results, problem, stamp);  // first, so that errors show at once
    auto races = double(asked.types.size() * asked.primitives.size() * asked.sizes.size());
    for (auto const& type : asked.types) {
      s.prepare(type, *std::max_element(asked.sizes.begin(), asked.sizes.end()));
      for (auto const& primitive : asked.primitives)
        for (auto const items : asked.sizes) {
          if (elapsed() > asked.max_seconds)
            throw std::runtime_error("the time is up; give more --max-seconds or fewer sizes");
          auto const seconds = (asked.max_seconds - elapsed()) / races--;
          auto const rows    = race_all(s.make(primitive, type, items), s, asked, seconds, all_right);
          if (kept) kept->keep(rows);
        }
    }
  } catch (std::exception const& e) {
    std::fprintf(stderr, "bench: %s\n", e.what());
    all_right = false;
  }
  return all_right ? 0 : 1;
}

}  // namespace perf
