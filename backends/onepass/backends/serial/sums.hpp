// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/engine/sums.hpp>
#include <onepass/execution/place.hpp>

namespace onepass::ONEPASS_ABI::backends::serial {

template <class Where>
extent most_private_sums(Where const&, int)
{
  return extent(1) << 20;
}
template <class Program, class Where>
std::size_t bytes_of_sums(std::type_identity<Program>, Where const&, extent, extent)
{
  return 0;
}

template <place_like Where, sum_program Program>
void queue_at_once(backend, Where const&, Program const& given)
{
  Program const program = given.loaded();
  auto const keys       = program.keys();
  auto const values     = program.values();
  extent const bins     = program.bins();
  for (extent i = 0, n = program.size(); i < n; ++i)
    if (extent const b = program.bin(keys(i)); 0 <= b && b < bins)
      program.template put<false>(b, static_cast<typename Program::amount_type>(program.amount(b, values(i))));
}

}  // namespace onepass::ONEPASS_ABI::backends::serial
