// expect: onepass: teams wait for each other in such a kernel
// SPDX-License-Identifier: Apache-2.0
#include <onepass/in_situ.hpp>

// As on a device that is not known to do otherwise.
template <>
inline constexpr bool onepass::teams_progress<Kokkos::DefaultHostExecutionSpace> = false;

void call(onepass::workspace<Kokkos::DefaultHostExecutionSpace>& scratch, Kokkos::DefaultHostExecutionSpace const& exec)
{
  onepass::make_tile_chain<int>(onepass::on(exec).with(scratch), 10);
}
