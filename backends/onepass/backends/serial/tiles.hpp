// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/engine/tiles.hpp>
#include <onepass/execution/place.hpp>

#include <vector>

namespace onepass::backends::serial {

template <class Exec, tile_program Program, class Tuning>
void queue(place<Exec, backend, Tuning> const&, Program const& program, workspace<Exec>& scratch)
{
  if constexpr (works_alone<Program>) {
    auto* const table = room_for_table<Tuning>(program, scratch);
    for (extent i = 0; table && i < Program::table_words; ++i) table[i] = program.word(i);
    run_serially(program.alone(table), lone_team{});
  } else {
    std::vector<pack> stage(program.stage_bytes(1) / sizeof(pack) + 1);
    run_serially(program, lone_team{reinterpret_cast<char*>(stage.data())});
  }
}

}  // namespace onepass::backends::serial
