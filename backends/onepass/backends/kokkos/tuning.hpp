// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/engine/tuning.hpp>

namespace onepass::backends::kokkos {

/// What Kokkos gives a team on a device, less what it keeps for itself.
inline constexpr std::size_t most_team_scratch = 46 * 1024;

template <class Exec, class Tuning>
constexpr tuning tuning_for()
{
  tuning t;
  if constexpr (on_host<Exec>) {
    t.threads = 1;
    t.packs   = 1024;
  } else {
    // H200, 2026-11: 256 threads of 144 bytes, four teams a multiprocessor, a window of 32 (perf/results/h200).
    t.threads    = 256;
    t.packs      = 9;
    t.min_teams  = 4;
    t.persistent = true;
  }
  if constexpr (std::is_same_v<Tuning, tiny_tuning>) {
    t.threads    = on_host<Exec> ? 1 : 32;
    t.packs      = 1;
    t.persistent = false;
  }
  return t;
}

}  // namespace onepass::backends::kokkos
