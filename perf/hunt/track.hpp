// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "trial.hpp"

namespace perf::hunt {

/// Times of the contenders of one case that are right.
struct standing {
  double onepass = 0;              ///< seconds of a call; 0: onepass is wrong
  double spread  = 0;              ///< of those, the distance between the quartiles over the median
  std::string rival;               ///< the fastest; empty: there is none
  double rivals = 0;               ///< its seconds
  std::vector<std::string> wrong;  ///< who gave another answer, or threw, and what
};

struct pace {
  double batch_seconds = 1e-3;  ///< short calls are timed in batches this long
  double case_seconds  = 2;     ///< fewer repetitions, so that timing a case takes about as long
  int repetitions      = 11;
  int least            = 3;
};

/// Verifies all, then times onepass and the rivals that may be the fastest in turn.
standing race(trial const& t, pace const& p);

}  // namespace perf::hunt
