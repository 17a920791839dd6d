// SPDX-License-Identifier: Apache-2.0
// y(i) = a(i) y(i-1) + b(i): each step is an affine map, and composition of maps is associative, so one scan gives all
// y.
#include <onepass/scan.hpp>

#include <cmath>
#include <cstdio>

/// y -> slope y + offset.
struct step {
  double slope, offset;
};

/// First the older map, then the newer one.
struct composed {
  KOKKOS_FUNCTION step operator()(step const& older, step const& newer) const
  {
    return {newer.slope * older.slope, newer.slope * older.offset + newer.offset};
  }
};

int main(int argc, char** argv)
{
  using exec_space = Kokkos::DefaultExecutionSpace;
  Kokkos::ScopeGuard const kokkos(argc, argv);
  exec_space const exec;
  int const n = 1'000'000;

  Kokkos::View<step*, exec_space> steps("steps", n);
  Kokkos::parallel_for(
      "steps", Kokkos::RangePolicy<exec_space>(exec, 0, n), KOKKOS_LAMBDA(int i) {
        steps(i) = {0.5 + 0.4 * (i % 7) / 7, double(i % 1001) - 500};
      });
  auto const given = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), steps);

  // In place. The start y(-1) = 3 is the constant map 3; after the scan the offset of map i is y(i).
  onepass::inclusive_scan(exec, steps, steps, composed{}, step{0, 3});

  auto const got = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), steps);
  double y       = 3;
  for (int i = 0; i < n; ++i) {
    y = given(i).slope * y + given(i).offset;
    if (!(std::abs(got(i).offset - y) <= 1e-9)) {
      std::printf("y(%d) is %.17g, not %.17g\n", i, y, got(i).offset);
      return 1;
    }
  }
  std::printf("y(%d) = %.6f\n", n - 1, y);
  return 0;
}
