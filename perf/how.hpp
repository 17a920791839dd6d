// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "race.hpp"

namespace perf {

/// The machines that onepass enters with.
enum class how { automatic, chained, look_ahead, portable, portable_two_pass, serial };

/// In onepass_scan.hpp; compiled one item type a file.
template <class T>
call enter_scan(race const& r, how h);

/// In onepass_radix_sort.hpp.
template <class T>
call enter_radix_sort(race const& r, how h);

}  // namespace perf
