// expect: onepass: floats need a table of floats
// SPDX-License-Identifier: Apache-2.0
#include <onepass/summed_area_table.hpp>

void call(Kokkos::DefaultHostExecutionSpace const& exec, Kokkos::View<float**, Kokkos::HostSpace> in,
          Kokkos::View<unsigned**, Kokkos::HostSpace> out)
{
  onepass::summed_area_table(exec, in, out);
}
