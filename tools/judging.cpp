// SPDX-License-Identifier: Apache-2.0
#include "judging.hpp"

namespace tools {

std::string fault_of(std::vector<rank_part> const& ranks, bool in_blocks)
{
  auto const number = [](std::int64_t n) { return std::to_string(n); };
  std::int64_t end  = 0;
  for (std::size_t k = 0; k < ranks.size(); ++k) {
    auto const& p   = ranks[k];
    auto const rank = "rank " + std::to_string(k);
    if (p.wrong >= 0) return "differs on " + rank + " from item " + number(p.wrong) + " on";
    if (p.first != end) return rank + " has items from " + number(p.first) + " on, not from " + number(end);
    if (in_blocks) end += p.count;
    else if (p.count != p.wanted) return rank + " has " + number(p.count) + " items, not " + number(p.wanted);
    if (in_blocks && p.total != p.wanted)
      return rank + " says that there are " + number(p.total) + " items, not " + number(p.wanted);
  }
  if (in_blocks && end != ranks.back().wanted)
    return "all ranks have " + number(end) + " items, not " + number(ranks.back().wanted);
  return {};
}

}  // namespace tools
