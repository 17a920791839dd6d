// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "record.hpp"

namespace perf {

/// Where, with what and when this is measured: date, commit, compiler, device, driver, clocks. What a build or a
/// machine does not have is empty.
stamp_fields stamp();

}  // namespace perf
