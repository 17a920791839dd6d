// expect: onepass: a scan by rows has no total
// SPDX-License-Identifier: Apache-2.0
#include <onepass/scan.hpp>

void refused(Kokkos::View<int**> in, Kokkos::View<int**> out, Kokkos::View<int> total)
{
  onepass::exclusive_scan(Kokkos::DefaultExecutionSpace{}, in, out, onepass::plus{}, 0, total);
}
