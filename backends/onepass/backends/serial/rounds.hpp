// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/engine/rounds.hpp>
#include <onepass/execution/place.hpp>

#include <limits>

namespace onepass::ONEPASS_ABI::backends::serial {

/// The reference merges, however long segments are.
template <class Where>
digits_tuning digits_of(Where const&, std::size_t)
{
  return {.mean = std::numeric_limits<extent>::max() >> 32};
}

template <class Program, class Where>
round_tiles tiles_of_rounds(std::type_identity<Program>, Where const&, extent n)
{
  return {n > 0, 0};
}

/// All positions are one tile, so the first round is the last.
template <place_like Where, round_program Program>
void queue_at_once(backend, Where const&, Program const& program)
{
  if (program.size() > 0) (void)program.begin_alone(program.size(), 0);
}

}  // namespace onepass::ONEPASS_ABI::backends::serial
