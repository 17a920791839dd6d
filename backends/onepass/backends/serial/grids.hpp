// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/engine/grids.hpp>
#include <onepass/execution/place.hpp>

namespace onepass::ONEPASS_ABI::backends::serial {

/// Row by row: the sum of a row so far, plus the output above.
template <place_like Where, grid_program Program>
void queue_at_once(backend, Where const&, Program const& program)
{
  auto const in  = program.input();
  auto const out = program.output();
  for (extent p = 0; p < in.planes; ++p)
    for (extent y = 0; y < in.rows; ++y) {
      typename Program::value_type row{};
      for (extent x = 0; x < in.columns; ++x) {
        row = row + program.value(in(p, y, x));
        out.set(p, y, x, y > 0 ? out(p, y - 1, x) + row : row);
      }
    }
}

}  // namespace onepass::ONEPASS_ABI::backends::serial
