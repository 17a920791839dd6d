// expect: onepass: init does not convert to the accumulator
// SPDX-License-Identifier: Apache-2.0
#include <onepass/scan.hpp>

void refused(Kokkos::View<int*> in, Kokkos::View<int*> out)
{
  onepass::exclusive_scan(Kokkos::DefaultExecutionSpace{}, in, out, onepass::plus{}, "zero");
}
