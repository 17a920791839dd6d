// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "trial.hpp"

namespace perf::hunt {

/// The times of one case.
struct standing {
  double onepass = 0;              ///< seconds per call; 0: its output is wrong
  double spread  = 0;              ///< the distance between its quartiles over the median
  std::string rival;               ///< the fastest; empty if there is none
  double rivals = 0;               ///< its seconds
  std::vector<std::string> wrong;  ///< contenders with another result, or with an exception and its text
};

struct pace {
  double batch_seconds = 1e-3;  ///< length of a timed batch of short calls
  double case_seconds  = 2;     ///< time limit of a case, about; reduces the repetitions
  int repetitions      = 11;
  int least            = 3;
};

/// Verifies all contenders, then times onepass and the rivals that may be fastest, in turn.
standing race(trial const& t, pace const& p);

}  // namespace perf::hunt
