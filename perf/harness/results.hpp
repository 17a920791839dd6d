// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <benchmark/benchmark.h>

#include <string>
#include <vector>

namespace perf {

/// Keeps of each contender the repetition with the median time, with its spread and its share of the copy's speed.
class results : public benchmark::BenchmarkReporter {
public:
  bool ReportContext(Context const&) override { return true; }
  void ReportRuns(std::vector<Run> const& runs) override;

  void begin_race() { race_begin_ = kept_.size(); }
  void end_race();

  /// Google Benchmark's JSON with the stamp as its context; nothing to do without a path. False if it cannot be
  /// written.
  bool write(std::string const& path, std::string const& machine) const;

private:
  std::vector<Run> kept_;
  std::size_t race_begin_ = 0;
};

}  // namespace perf
