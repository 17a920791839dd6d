// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "race.hpp"

namespace perf {

/// The seconds that `calls` calls, queued one after another, take on the device.
double seconds_of(int calls, call const& queue);

/// Why Kokkos cannot be initialised here; empty if it can.
std::string missing_device();

}  // namespace perf
