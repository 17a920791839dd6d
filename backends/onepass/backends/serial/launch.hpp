// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/engine/program.hpp>
#include <onepass/place.hpp>

namespace onepass::serial {

/// The reference: items in order, one after another.
template <class Program>
void run(Program const& program, extent n)
{
  const auto in     = program.input();
  auto       prefix = program.initial();
  for (extent i = 0; i < n; ++i) {
    const typename Program::item_type item = in(i);
    const auto                        m    = program.evaluate(i, item);
    if constexpr (Program::shape == output_shape::mapped) program.output()(i) = program.result(item, m, prefix);
    prefix = program.combine(prefix, program.lift(m));
  }
  program.finish(prefix);
}

}  // namespace onepass::serial
