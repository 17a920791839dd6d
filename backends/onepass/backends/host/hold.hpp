// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/version.hpp>

#include <cstddef>

namespace onepass::ONEPASS_ABI::backends::host {

/// Sums of floats without rounding, three doubles in each of some lanes: each of the three has a unit, which depends on
/// `top` alone, and is a multiple of it.
struct held_lanes {
  static constexpr int lanes = 16, parts = 3;

  double part[parts][lanes] = {};
  int top                   = 0;  ///< items are less than 2^top
  std::size_t added         = 0;  ///< items so far
};

/// Adds n items, a multiple of the lanes, in vector registers. If the lanes can not hold the sums, nothing is added and
/// the result is false. Empty lanes take a `top` for the items at hand, and can if these span some 60 binades or fewer.
/// Defined where onepass was built with Google Highway, which sets ONEPASS_HIGHWAY.
bool hold_in_lanes(float const* in, std::size_t n, held_lanes& sums);
/// The same of f64.
bool hold_in_lanes(double const* in, std::size_t n, held_lanes& sums);

}  // namespace onepass::ONEPASS_ABI::backends::host
