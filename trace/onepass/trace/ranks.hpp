// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace onepass::trace {

/// A whole number of the environment, or `otherwise` where there is none. Throws run_error for what is no number.
int number_of(char const* variable, int otherwise);

/// Which of the processes this is that a launcher has started together.
struct place_among_ranks {
  int rank = 0, ranks = 1;
};
/// As launchers tell it in the environment; throws run_error.
place_among_ranks this_rank();

}  // namespace onepass::trace
