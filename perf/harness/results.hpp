// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "race.hpp"
#include "record.hpp"

#include <benchmark/benchmark.h>

namespace perf {

/// Makes a row of the repetitions of each contender.
class results : public benchmark::BenchmarkReporter {
public:
  explicit results(race const& r)
      : race_(r)
  {}

  bool ReportContext(Context const&) override { return true; }
  void ReportRuns(std::vector<Run> const& runs) override;

  /// The rows in the order of entry, once all have run; prints them.
  std::vector<row> take();

private:
  race const& race_;
  std::vector<std::pair<std::int64_t, row>> rows_;  ///< and when their contender entered
};

}  // namespace perf
