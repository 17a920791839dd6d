// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "race.hpp"

namespace perf {

/// Seconds that `calls` queued one after another take on the device.
double seconds_of(int calls, call const& queue);

/// Why Kokkos cannot start here; empty if it can.
std::string missing_device();

}  // namespace perf
