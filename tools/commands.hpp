// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <stdexcept>

namespace tools {

struct request;

/// Thrown for wrong arguments or files: the program prints the sentence and exits with 2.
struct usage_error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Each command returns the program's exit code. Kokkos is initialised before.
int check(request const& asked);
int info(bool json);

}  // namespace tools
