// SPDX-License-Identifier: Apache-2.0
#include "trial.hpp"

namespace perf::hunt {

cell const& cell_of(dice const& d)
{
  // The highest random number wins. So a new family or type replaces some cases, and all others remain the same.
  auto const before = [&](cell const& a, cell const& b) {
    if (a.family != b.family) return d.bits("family " + a.family) < d.bits("family " + b.family);
    return d.bits("type " + a.type) < d.bits("type " + b.type);
  };
  return *std::max_element(cells().begin(), cells().end(), before);
}

}  // namespace perf::hunt
