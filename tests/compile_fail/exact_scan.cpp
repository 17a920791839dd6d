// expect: onepass: this has no exact form
// SPDX-License-Identifier: Apache-2.0
#include <onepass/execution/exactly.hpp>
#include <onepass/scan.hpp>

void refused(Kokkos::View<float*> in, Kokkos::View<float*> out)
{
  onepass::exclusive_scan(onepass::exactly(Kokkos::DefaultExecutionSpace{}), in, out);
}
