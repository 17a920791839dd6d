// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "arrays.hpp"

namespace tools::diff {

/// Runs the program of a recording again, up to the kernel where it parted, and gives the View that it leaves there.
/// Throws usage_error where the program can not be run again, or does not get there.
array dump_again(recording const&, parting const&);

}  // namespace tools::diff
