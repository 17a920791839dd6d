// expect: onepass: items must be default constructible
// SPDX-License-Identifier: Apache-2.0
#include <onepass/select.hpp>

struct item {
  int a;
  explicit item(int x)
      : a(x)
  {}
};

void call(Kokkos::DefaultHostExecutionSpace const& exec, Kokkos::View<item*, Kokkos::HostSpace> in,
          Kokkos::View<item*, Kokkos::HostSpace> out, int& count)
{
  onepass::select_if(exec, in, out, count, [](item const& x) { return x.a > 0; });
}
