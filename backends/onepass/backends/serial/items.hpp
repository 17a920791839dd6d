// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/engine/items/serial.hpp>
#include <onepass/execution/place.hpp>

namespace onepass::ONEPASS_ABI::backends::serial {

template <place_like Where, item_program Program>
void queue_at_once(backend, Where const& where, Program const& program, item_count count)
{
  auto const chosen = schedule_of(where);
  require(chosen == schedule::automatic || chosen == schedule::serial, label_of(where), ": the serial backend has no ",
          name_of(chosen), " schedule; it has serial");
  run_serially(program, count());
}

}  // namespace onepass::ONEPASS_ABI::backends::serial
