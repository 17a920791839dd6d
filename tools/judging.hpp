// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace tools {

/// What a rank says of its part of a result over ranks: `count` items, from number `first` of all on.
struct rank_part {
  std::int64_t wrong;  ///< the first item, counted over all ranks, that differs; -1 if none does
  std::int64_t first, count;
  std::int64_t total;   ///< how many all ranks have, as the call says
  std::int64_t wanted;  ///< how many there are to be
};

/// What is wrong with a result, of which each rank has a block behind those of the ranks before it, or all that is
/// wanted of it; empty if nothing is.
std::string fault_of(std::vector<rank_part> const& ranks, bool in_blocks);

}  // namespace tools
