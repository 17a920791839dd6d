// SPDX-License-Identifier: Apache-2.0
#include "results.hpp"

#include <algorithm>
#include <cstdio>

namespace perf {

void results::ReportRuns(std::vector<Run> const& runs)
{
  std::vector<double> times;
  for (auto const& r : runs)
    if (r.run_type == Run::RT_Iteration) times.push_back(r.real_accumulated_time);
  if (times.empty()) return;
  std::sort(times.begin(), times.end());
  auto const n        = times.size();
  auto const median   = times[n / 2];
  auto const quartile = n / 4;
  auto const spread   = (times[n - 1 - quartile] - times[quartile]) / median;
  rows_.push_back({runs.front().family_index,
                   {race_.primitive, race_.type, race_.items, runs.front().run_name.function_name, median,
                    times.front(), spread, std::int64_t(n), race_.bytes, 0}});
}

std::vector<row> results::take()
{
  std::sort(rows_.begin(), rows_.end(), [](auto const& a, auto const& b) { return a.first < b.first; });
  std::vector<row> rows;
  double copy = 0;
  for (auto const& [entered, r] : rows_) {
    if (is_copy(r.contender) && (copy == 0 || r.seconds < copy)) copy = r.seconds;
    rows.push_back(r);
  }
  for (auto& r : rows) {
    r.copy          = copy;
    auto const name = r.primitive + "/" + r.type + "/" + std::to_string(r.items) + "/" + r.contender;
    std::printf("%-48s %12.2f us %9.2f GB/s %8.2f Gitem/s  share %5.3f  spread %5.3f  x%ld\n", name.c_str(),
                r.seconds * 1e6, double(r.bytes) / r.seconds * 1e-9, double(r.items) / r.seconds * 1e-9,
                copy / r.seconds, r.spread, long(r.repetitions));
  }
  std::fflush(stdout);
  return rows;
}

}  // namespace perf
