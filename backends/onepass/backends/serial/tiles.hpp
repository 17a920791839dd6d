// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/engine/tiles.hpp>
#include <onepass/execution/place.hpp>

#include <memory>

namespace onepass::ONEPASS_ABI::backends::serial {

/// Nobody waits, so it takes no workspace.
template <class Exec, tile_program Program, class Tuning>
void queue_program(place<Exec, backend, Tuning> const& where, Program const& program)
{
  if constexpr (works_alone<Program>) queue_program(where, program.alone());
  else {
    std::unique_ptr<pack[]> const stage(new pack[program.stage_bytes(1) / sizeof(pack) + 1]);
    run_serially(program, lone_team{reinterpret_cast<char*>(stage.get())});
  }
}

}  // namespace onepass::ONEPASS_ABI::backends::serial
