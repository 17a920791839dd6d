// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/engine/ranges.hpp>
#include <onepass/execution/place.hpp>

namespace onepass::ONEPASS_ABI::backends::serial {

template <class Program, class Where>
extent tiles_of_ranges(std::type_identity<Program>, Where const&, extent)
{
  return 0;
}

template <place_like Where, range_program Program>
void queue_at_once(backend, Where const&, Program const& program, extent)
{
  program.alone(0, program.size());
}

}  // namespace onepass::ONEPASS_ABI::backends::serial
