// SPDX-License-Identifier: Apache-2.0
#include "track.hpp"
#include "harness/clock.hpp"

#include <cmath>

namespace perf::hunt {

namespace {

/// Rivals whose first calls take this many times as long as those of the fastest are not timed further.
constexpr double hopeless = 3;

struct timed {
  runner const* who;
  double first;  ///< seconds of one call
  int batch = 1;
  std::vector<double> seconds{};

  void repeat() { seconds.push_back(seconds_of(batch, who->queue) / batch); }
  double at(double part) const { return seconds[std::size_t(part * double(seconds.size() - 1) + .5)]; }
};

bool is_onepass(timed const& one) { return one.who->name == "onepass"; }

/// The contenders with correct output.
std::vector<timed> verified(trial const& t, std::vector<std::string>& wrong)
{
  std::vector<timed> right;
  for (auto const& who : t.runners()) try {
      t.spoil();
      double once = seconds_of(1, who.queue);
      if (!t.right()) {
        wrong.push_back(who.name);
        continue;
      }
      if (once < .1) once = std::min(seconds_of(1, who.queue), seconds_of(1, who.queue));  // the first call is slower
      right.push_back({&who, once});
    } catch (std::exception const& e) {
      wrong.push_back(who.name + ": " + e.what());
    }
  return right;
}

/// Onepass, and the rivals that may be fastest.
std::vector<timed> promising(std::vector<timed> all)
{
  double best = HUGE_VAL;
  for (auto const& one : all)
    if (!is_onepass(one)) best = std::min(best, one.first);
  std::erase_if(all, [&](auto const& one) { return !is_onepass(one) && one.first > hopeless * best; });
  return all;
}

}  // namespace

standing race(trial const& t, pace const& p)
{
  standing found;
  auto all     = promising(verified(t, found.wrong));
  double round = 0;
  for (auto& one : all) {
    one.batch = std::clamp(int(p.batch_seconds / std::max(one.first, 1e-7)), 1, 1000);
    round += one.batch * one.first;
  }
  int const repetitions = std::clamp(int(p.case_seconds / std::max(round, 1e-9)), p.least, p.repetitions);
  for (int k = 0; k < repetitions; ++k) {
    std::rotate(all.begin(), all.begin() + (k > 0 && all.size() > 1), all.end());
    for (auto& one : all) one.repeat();
  }
  for (auto& one : all) {
    std::sort(one.seconds.begin(), one.seconds.end());
    auto const median = one.at(.5);
    if (is_onepass(one)) {
      found.onepass = median;
      found.spread  = (one.at(.75) - one.at(.25)) / median;
    } else if (found.rival.empty() || median < found.rivals) {
      found.rival  = one.who->name;
      found.rivals = median;
    }
  }
  return found;
}

}  // namespace perf::hunt
