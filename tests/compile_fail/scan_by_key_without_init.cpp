// expect: onepass: an exclusive scan with an operator that has no identity needs an init
// SPDX-License-Identifier: Apache-2.0
#include <onepass/scan_by_key.hpp>

struct newest {
  ONEPASS_FUNCTION int operator()(int, int newer) const { return newer; }
};

void refused(Kokkos::View<int*> keys, Kokkos::View<int*> values, Kokkos::View<int*> out)
{
  onepass::exclusive_scan_by_key(Kokkos::DefaultExecutionSpace{}, keys, values, out, newest{});
}
