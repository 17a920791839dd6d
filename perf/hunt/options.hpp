// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "track.hpp"

#include <cmath>

namespace perf::hunt {

/// The command line.
struct options {
  std::uint64_t seed = 1, first = 0, end = 100;
  double seconds = HUGE_VAL;
  double memory  = 8;  ///< GiB
  std::vector<std::string> families;
  std::string results;
  bool again = false, list = false;
  pace timing;

  /// The exit code where the program shall stop, else -1.
  int read(int argc, char** argv);

  bool wants(cell const& c) const
  {
    return families.empty() || std::find(families.begin(), families.end(), c.family) != families.end();
  }
};

}  // namespace perf::hunt
