// expect: onepass: a reduction with an operator that has no identity needs an init
// SPDX-License-Identifier: Apache-2.0
#include <onepass/reduce.hpp>

struct newest {
  ONEPASS_FUNCTION int operator()(int, int newer) const { return newer; }
};

void refused(Kokkos::View<int*> in, Kokkos::View<int> total)
{
  onepass::reduce(Kokkos::DefaultExecutionSpace{}, in, total, newest{});
}
