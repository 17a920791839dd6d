// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

namespace tools {

/// What carries calls over ranks in this build.
std::string over_ranks();

}  // namespace tools
