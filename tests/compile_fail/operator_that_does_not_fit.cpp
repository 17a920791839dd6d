// expect: onepass: the operator must be callable as op(older, newer) with two const accumulators and return one
// SPDX-License-Identifier: Apache-2.0
#include <onepass/scan.hpp>

struct takes_one {
  ONEPASS_FUNCTION int operator()(int x) const { return x; }
};

void refused(Kokkos::View<int*> in, Kokkos::View<int*> out)
{
  onepass::inclusive_scan(Kokkos::DefaultExecutionSpace{}, in, out, takes_one{});
}
