// SPDX-License-Identifier: Apache-2.0
#include <onepass/scan.hpp>
#include <onepass/version.hpp>

#include <Kokkos_Core.hpp>

#include <cstdio>

int main(int argc, char** argv)
{
  Kokkos::ScopeGuard const kokkos(argc, argv);
  using space     = Kokkos::DefaultExecutionSpace;
  int const items = 100000;
  Kokkos::View<int*, space> ones("ones", items), offsets("offsets", items);
  Kokkos::deep_copy(ones, 1);
  onepass::exclusive_scan(space(), ones, offsets);

  auto const seen = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), offsets);
  for (int i = 0; i < items; ++i) {
    if (seen(i) != i) {
      std::printf("offsets(%d) is %d\n", i, seen(i));
      return 1;
    }
  }
  std::printf("onepass %s: %d offsets are right\n", onepass::version, items);
}
