// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "race.hpp"

#ifdef ONEPASS_HAS_TBB
#include <execution>
#endif

namespace perf {

/// Adds the contenders "std", on the calling thread, and "std.par", which the GNU library runs on TBB if there is one.
/// Enter{}(race, policy...) makes the call.
template <class Enter>
struct std_entries {
  entry sequential{"std", [](race const& r) { return Enter{}(r); }};
#ifdef ONEPASS_HAS_TBB
  entry parallel{"std.par", [](race const& r) { return Enter{}(r, std::execution::par); }};
#endif
};

}  // namespace perf
