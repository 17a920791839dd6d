// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/extent.hpp>
#include <onepass/portability.hpp>

#include <type_traits>

namespace onepass::ONEPASS_ABI {

/// What one thread adds up of a program of sums_since_flag (engine/items/inside.hpp): items [i, last), of which the
/// first has that flag and no other one has any.
template <class Program, class In>
ONEPASS_FUNCTION auto sum_since_flag(Program const& program, In const& in, extent i, extent last, bool flag)
{
  constexpr int strips = 4;
  auto const sums      = program.sum_algebra();
  auto sum             = std::remove_cvref_t<decltype(sums)>::identity();
  if (i < last) sum = program.sum_of(in(i), flag), ++i;
  if (extent const strip = (last - i) / strips; strip >= 16) {  // some at a time need not wait for each other
    decltype(sum) part[strips];
    for (int k = 0; k < strips; ++k) part[k] = program.sum_of(in(i + k * strip), false);
    for (extent j = 1; j < strip; ++j)
      for (int k = 0; k < strips; ++k) part[k] = sums.combine(part[k], program.sum_of(in(i + k * strip + j), false));
    for (int k = 0; k < strips; ++k) sum = sums.combine(sum, part[k]);
    i += strips * strip;
  }
  for (; i < last; ++i) sum = sums.combine(sum, program.sum_of(in(i), false));
  return sum;
}

}  // namespace onepass::ONEPASS_ABI
