// expect: onepass: a table must be of u32, u64, f32 or f64
// SPDX-License-Identifier: Apache-2.0
#include <onepass/summed_area_table.hpp>

void call(Kokkos::DefaultHostExecutionSpace const& exec, Kokkos::View<float**, Kokkos::HostSpace> in,
          Kokkos::View<long double**, Kokkos::HostSpace> out)
{
  onepass::summed_area_table(exec, in, out);
}
