// SPDX-License-Identifier: Apache-2.0
#include "trial.hpp"

namespace perf::hunt {

cell const& cell_of(dice const& d)
{
  // The highest ticket wins, so that one more family or type takes some cases from all others and moves no other case.
  auto const before = [&](cell const& a, cell const& b) {
    if (a.family != b.family) return d.bits("family " + a.family) < d.bits("family " + b.family);
    return d.bits("type " + a.type) < d.bits("type " + b.type);
  };
  return *std::max_element(cells().begin(), cells().end(), before);
}

}  // namespace perf::hunt
