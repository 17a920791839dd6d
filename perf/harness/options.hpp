// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "bench.hpp"

namespace perf {

/// The command line of every benchmark.
struct options {
  std::vector<std::int64_t> sizes;
  std::vector<std::string> types, primitives, only;
  std::string results;  ///< folder; empty: results are not stored
  double max_seconds    = 600;
  double batch_seconds  = 5e-4;  ///< short calls are timed in batches this long
  int repetitions       = 30;
  int least_repetitions = 5;

  /// The exit code if the program is to stop, else -1.
  int read(int argc, char** argv, suite const& s);

  bool wants(std::string const& contender) const;
};

}  // namespace perf
