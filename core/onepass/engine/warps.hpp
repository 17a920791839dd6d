// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/portability.hpp>

namespace onepass::ONEPASS_ABI {

/// A team whose warps can work on their own. A warp has
///
///   lanes, lane                  their number, a constant; the calling one
///   int count(bool)              lanes that say so, for all of them
///   those(bool)                  the same as bits
///   scan(unsigned)               x(0) + … + x(lane)
///   broadcast(x, from)           a lane's x
///   exchange(x, bits)            the x of the lane whose number differs in these bits
///   max(x), match(x)             the greatest x; the lanes with the same x, as bits
///   reduce(algebra, x)           x(0) · x(1) · …, for lane 0
///   sync()                       what lanes have written is seen by all of them
template <class Team>
concept team_of_warps = requires(Team const& team)
{
  team.warp().lanes;
};

}  // namespace onepass::ONEPASS_ABI
