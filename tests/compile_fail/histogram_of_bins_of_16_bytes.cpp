// expect: onepass: bin_of must be callable with an item and give an integer of at most 8 bytes
// SPDX-License-Identifier: Apache-2.0
// compiled with: -std=gnu++20
#include <onepass/histogram.hpp>

void call(Kokkos::DefaultHostExecutionSpace const& exec, Kokkos::View<__int128*, Kokkos::HostSpace> in,
          Kokkos::View<int*, Kokkos::HostSpace> counts)
{
  onepass::histogram(exec, in, counts, onepass::unchanged{});
}
