// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/engine/lanes.hpp>
#include <onepass/execution/place.hpp>

namespace onepass::ONEPASS_ABI::backends::serial {

template <class Exec, class Backend, class Tuning, lane_program Program>
void queue_at_once(backend, place<Exec, Backend, Tuning> const&, Program const& program)
{
  program.run_tiles(0, program.tiles());
}

}  // namespace onepass::ONEPASS_ABI::backends::serial
