// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "record.hpp"

namespace perf {

/// The date, commit, compiler, device, driver and clocks of a measurement. Values that a build or a machine does not
/// have are empty.
stamp_fields stamp();

}  // namespace perf
