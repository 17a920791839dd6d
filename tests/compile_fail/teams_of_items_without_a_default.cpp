// expect: onepass: items must be default constructible
// SPDX-License-Identifier: Apache-2.0
#include <onepass/count.hpp>

struct item {
  int a;
  explicit item(int x)
      : a(x)
  {}
};

void call(Kokkos::DefaultHostExecutionSpace const& exec, Kokkos::View<item*, Kokkos::HostSpace> in, int& count)
{
  onepass::count_if(onepass::portably(exec), in, count, [](item const& x) { return x.a > 0; });
}
