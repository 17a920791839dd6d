// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/extent.hpp>

namespace onepass::ONEPASS_ABI {

/// Of `pairs` pairs of neighbours, spread over n items, those of which holds(i) is true, where i is the first of the
/// two: a sample, by which a host judges the order of all.
template <class Holds>
extent count_neighbours(extent n, extent pairs, Holds const& holds)
{
  extent const step = (n - 1) / pairs;
  extent count      = 0;
  for (extent p = 0; p < pairs; ++p) count += holds(p * step) ? 1 : 0;
  return count;
}

}  // namespace onepass::ONEPASS_ABI
