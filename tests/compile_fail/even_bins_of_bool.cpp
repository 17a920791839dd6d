// expect: onepass: histogram_even takes items that are numbers, and no bool
// SPDX-License-Identifier: Apache-2.0
#include <onepass/histogram.hpp>

void call(Kokkos::DefaultHostExecutionSpace const& exec, Kokkos::View<bool*, Kokkos::HostSpace> in,
          Kokkos::View<int*, Kokkos::HostSpace> counts)
{
  onepass::histogram_even(exec, in, counts, false, true);
}
