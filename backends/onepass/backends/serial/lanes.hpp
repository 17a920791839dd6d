// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/engine/lanes.hpp>
#include <onepass/execution/place.hpp>

namespace onepass::ONEPASS_ABI::backends::serial {

template <place_like Where, lane_program Program>
void queue_at_once(backend, Where const&, Program const& program)
{
  program.run_tiles(0, program.tiles());
}

}  // namespace onepass::ONEPASS_ABI::backends::serial
