// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/engine/bins.hpp>
#include <onepass/execution/place.hpp>

namespace onepass::ONEPASS_ABI::backends::serial {

template <class Where>
extent most_private_bins(Where const&)
{
  return most_bins;
}
template <class Where>
std::size_t bytes_of_bins(Where const&, extent, extent)
{
  return 0;
}

template <place_like Where, bin_program Program>
void queue_at_once(backend, Where const&, Program const& program, item_count count)
{
  auto const counts = program.counts();
  auto const in     = program.input();
  extent const bins = program.bins();
  for (extent b = 0; b < bins; ++b) counts(b) = 0;
  for (extent i = 0; i < count(); ++i)
    if (extent const b = program.bin(in(i)); b < bins) ++counts(b);
}

}  // namespace onepass::ONEPASS_ABI::backends::serial
