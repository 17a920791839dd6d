// expect: onepass: the operator must be callable as op(item, previous)
// SPDX-License-Identifier: Apache-2.0
#include <onepass/adjacent_difference.hpp>

struct alone {
  ONEPASS_FUNCTION int operator()(int x) const { return x; }
};

void refused(Kokkos::View<int*> in, Kokkos::View<int*> out)
{
  onepass::adjacent_difference(Kokkos::DefaultExecutionSpace{}, in, out, alone{});
}
