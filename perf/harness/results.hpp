// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "race.hpp"
#include "record.hpp"

#include <benchmark/benchmark.h>

namespace perf {

/// Makes a row from the repetitions of each contender.
class results : public benchmark::BenchmarkReporter {
public:
  explicit results(race const& r)
      : race_(r)
  {}

  bool ReportContext(Context const&) override { return true; }
  void ReportRuns(std::vector<Run> const& runs) override;

  /// The rows in the order of the contenders, when all have run; prints them.
  std::vector<row> take();

private:
  race const& race_;
  std::vector<std::pair<std::int64_t, row>> rows_;  ///< with the position of their contender
};

}  // namespace perf
