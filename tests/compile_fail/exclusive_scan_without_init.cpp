// expect: onepass: an exclusive scan with an operator that has no identity needs an init
// SPDX-License-Identifier: Apache-2.0
#include <onepass/scan.hpp>

struct newest {
  ONEPASS_FUNCTION int operator()(int, int newer) const { return newer; }
};

void refused(Kokkos::View<int*> in, Kokkos::View<int*> out)
{
  onepass::exclusive_scan(Kokkos::DefaultExecutionSpace{}, in, out, newest{});
}
