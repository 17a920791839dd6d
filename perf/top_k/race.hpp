// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "harness/inputs.hpp"
#include "harness/race.hpp"

#include <algorithm>

// The smallest items and their positions; how many is the number at the primitive's end.
namespace perf {

inline std::int64_t wanted(race const& r) { return std::min<std::int64_t>(r.variant(), r.items); }

}  // namespace perf
