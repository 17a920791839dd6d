// expect: onepass: a reduction with an operator that has no identity needs an init
// SPDX-License-Identifier: Apache-2.0
#include <onepass/segmented.hpp>

struct newest {
  ONEPASS_FUNCTION int operator()(int, int newer) const { return newer; }
};

void refused(Kokkos::View<int*> in, Kokkos::View<int*> offsets, Kokkos::View<int*> sums)
{
  onepass::segmented_reduce(Kokkos::DefaultExecutionSpace{}, in, offsets, sums, newest{});
}
