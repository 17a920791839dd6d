// expect: onepass: the extreme items with their positions may have at most 64 bytes
// SPDX-License-Identifier: Apache-2.0
#include <onepass/minmax.hpp>

struct large {
  double all[4];
  friend ONEPASS_FUNCTION bool operator<(large const& a, large const& b) { return a.all[0] < b.all[0]; }
};

void refused(Kokkos::View<large*> in, Kokkos::View<int> low, Kokkos::View<int> high)
{
  onepass::minmax_element(Kokkos::DefaultExecutionSpace{}, in, low, high);
}
