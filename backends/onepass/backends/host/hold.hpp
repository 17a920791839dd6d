// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/version.hpp>

#include <cstddef>

namespace onepass::ONEPASS_ABI::backends::host {

/// Sums of floats without rounding, two doubles in each of some lanes.
struct held_lanes {
  static constexpr int lanes = 16;

  double high[lanes] = {}, low[lanes] = {};
};

/// Adds n items, a multiple of the lanes, in vector registers. If the lanes can not hold the sums, nothing is added and
/// the result is false. Defined where onepass was built with Google Highway, which sets ONEPASS_HIGHWAY.
bool hold_in_lanes(float const* in, std::size_t n, held_lanes& sums);
/// The same of f64.
bool hold_in_lanes(double const* in, std::size_t n, held_lanes& sums);

}  // namespace onepass::ONEPASS_ABI::backends::host
