// expect: onepass: an accumulator must be default constructible
// SPDX-License-Identifier: Apache-2.0
#include <onepass/scan.hpp>

struct item {
  int a;
  explicit item(int x)
      : a(x)
  {}
};

void call(Kokkos::DefaultHostExecutionSpace const& exec, Kokkos::View<item*, Kokkos::HostSpace> in,
          Kokkos::View<item*, Kokkos::HostSpace> out)
{
  onepass::inclusive_scan(exec, in, out, [](item const& x, item const& y) { return item(x.a + y.a); });
}
