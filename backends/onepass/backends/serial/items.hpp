// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/engine/items/serial.hpp>
#include <onepass/execution/place.hpp>

namespace onepass::ONEPASS_ABI::backends::serial {

template <class Exec, class Backend, class Tuning, item_program Program>
void queue_at_once(backend, place<Exec, Backend, Tuning> const& where, Program const& program, item_count count)
{
  require(where.chosen == schedule::automatic || where.chosen == schedule::serial, where.label,
          ": the serial backend has no ", name_of(where.chosen), " schedule; it has serial");
  run_serially(program, count());
}

}  // namespace onepass::ONEPASS_ABI::backends::serial
