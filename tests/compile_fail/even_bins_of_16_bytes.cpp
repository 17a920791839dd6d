// expect: onepass: histogram_even takes integers of at most 8 bytes
// SPDX-License-Identifier: Apache-2.0
// compiled with: -std=gnu++20
#include <onepass/histogram.hpp>

void call(Kokkos::DefaultHostExecutionSpace const& exec, Kokkos::View<__int128*, Kokkos::HostSpace> in,
          Kokkos::View<int*, Kokkos::HostSpace> counts)
{
  onepass::histogram_even(exec, in, counts, 0, 100);
}
