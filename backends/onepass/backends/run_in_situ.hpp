// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/backends/run.hpp>

#include <onepass/backends/kokkos/board.hpp>
#include <onepass/backends/kokkos/tuning.hpp>

namespace onepass::ONEPASS_ABI {

// What a kernel that is no program has of the machine, be it the user's own or a baseline. It is a kernel of Kokkos'
// teams, whatever backend its place names, so it shares words as they do.

using team_words = backends::kokkos::shared_words;
using team_board = board<team_words>;

/// Memory that a team of such a kernel may have on a device.
inline constexpr std::size_t most_team_memory = backends::kokkos::most_team_scratch;

}  // namespace onepass::ONEPASS_ABI
