// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

// The part of the program that knows of ranks; its one library that sees MPI.
namespace tools {

/// What carries calls over ranks in this build.
std::string over_ranks();

/// A line of `onepass check --ranks`.
struct rank_row {
  std::string call;
  double seconds = 0, seconds_alone = 0;  ///< over ranks, the slowest one's; and of one rank, with all items
  bool equal = true;
  std::string result{};
};
struct rank_rows {
  int rank = 0, ranks = 1;
  std::string carrier{};  ///< what carries words and payloads
  std::size_t items = 0;  ///< of all ranks
  std::vector<rank_row> rows{};
};

/// Makes every call over the ranks of MPI_COMM_WORLD, of which each has a block of the items, and compares the bits of
/// its part with those of the call of one rank on all items. Starts MPI and ends it. Called by all ranks with the same
/// items; all return the same rows. Throws usage_error in a build without MPI.
///
/// A rank that throws on its way ends all, since others wait for it: said() tells people what is being thrown, and
/// gives the exit code.
rank_rows check_over_ranks(std::vector<std::uint32_t> const& items, std::function<int()> const& said);

}  // namespace tools
