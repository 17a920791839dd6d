// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/engine/program.hpp>
#include <onepass/place.hpp>

namespace onepass::serial {

/// The reference: items in order, one after another.
template <class Program>
void run(Program const& given, extent n)
{
  const Program program = given;  // a copy, that no store to the output can change
  const auto    in      = program.input();
  auto          prefix  = program.initial();
  if constexpr (Program::shape == output_shape::mapped) {
    const auto out = program.output();
    for (extent i = 0; i < n; ++i) {
      const typename Program::item_type item = in(i);
      const auto                        m    = program.evaluate(i, item);
      out(i)                                 = program.result(item, m, prefix);
      prefix                                 = program.combine(prefix, program.lift(m));
    }
  } else
    for (extent i = 0; i < n; ++i) prefix = program.combine(prefix, program.lift(program.evaluate(i, in(i))));
  program.finish(prefix);
}

}  // namespace onepass::serial
