// SPDX-License-Identifier: Apache-2.0
// a(i) x(i-1) + b(i) x(i) + c(i) x(i+1) = d(i) by Thomas' elimination, its three recurrences as scans: that of the
// pivots is a fraction of linear functions, a 2 x 2 matrix; the other two are affine maps.
#include <onepass/scan.hpp>

#include <cmath>
#include <cstdio>

/// q -> (p q + r) / (s q + t). Maps compose as matrices multiply; a common factor does not matter, so the matrix is
/// scaled to stay near 1.
struct fraction {
  double p, r, s, t;
};
struct after_fraction {
  KOKKOS_FUNCTION fraction operator()(fraction const& o, fraction const& n) const
  {
    fraction const m{n.p * o.p + n.r * o.s, n.p * o.r + n.r * o.t, n.s * o.p + n.t * o.s, n.s * o.r + n.t * o.t};
    double const k = 1 / (Kokkos::fabs(m.s) + Kokkos::fabs(m.t));
    return {k * m.p, k * m.r, k * m.s, k * m.t};
  }
};

/// y -> slope y + offset.
struct affine {
  double slope, offset;
};
struct after_affine {
  KOKKOS_FUNCTION affine operator()(affine const& o, affine const& n) const
  {
    return {n.slope * o.slope, n.slope * o.offset + n.offset};
  }
};

KOKKOS_FUNCTION double a(int i) { return i == 0 ? 0 : 1 + 0.1 * (i % 3); }
KOKKOS_FUNCTION double b(int i) { return 4 + 0.2 * (i % 5); }
KOKKOS_FUNCTION double c(int i, int n) { return i == n - 1 ? 0 : 1 - 0.1 * (i % 4); }
KOKKOS_FUNCTION double d(int i) { return i % 11 - 5; }

int main(int argc, char** argv)
{
  using exec_space = Kokkos::DefaultExecutionSpace;
  Kokkos::ScopeGuard const kokkos(argc, argv);
  exec_space const exec;
  int const n = 300'000;
  Kokkos::RangePolicy<exec_space> const rows(exec, 0, n);

  // q(i) = c(i) / (b(i) - a(i) q(i-1)), from q(-1) = 0: the scanned maps applied to 0.
  Kokkos::View<fraction*, exec_space> q("q", n);
  Kokkos::parallel_for(
      "pivots", rows, KOKKOS_LAMBDA(int i) {
        q(i) = {0, c(i, n), -a(i), b(i)};
      });
  onepass::inclusive_scan(exec, q, q, after_fraction{});

  // y(i) = (d(i) - a(i) y(i-1)) / (b(i) - a(i) q(i-1)), from y(-1) = 0.
  Kokkos::View<affine*, exec_space> y("y", n), x("x, last first", n);
  Kokkos::parallel_for(
      "forward", rows, KOKKOS_LAMBDA(int i) {
        double const pivot = b(i) - (i == 0 ? 0 : a(i) * q(i - 1).r / q(i - 1).t);
        y(i)               = {-a(i) / pivot, d(i) / pivot};
      });
  onepass::inclusive_scan(exec, y, y, after_affine{}, affine{0, 0});

  // x(i) = y(i) - q(i) x(i+1), from x(n) = 0, so backwards.
  Kokkos::parallel_for(
      "backward", rows, KOKKOS_LAMBDA(int i) {
        x(n - 1 - i) = {-q(i).r / q(i).t, y(i).offset};
      });
  onepass::inclusive_scan(exec, x, x, after_affine{}, affine{0, 0});

  auto const solved = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), x);
  auto const at     = [&](int i) { return i < 0 || i >= n ? 0.0 : solved(n - 1 - i).offset; };
  double worst      = 0;
  for (int i = 0; i < n; ++i)
    worst = std::fmax(worst, std::abs(a(i) * at(i - 1) + b(i) * at(i) + c(i, n) * at(i + 1) - d(i)));
  std::printf("%d unknowns, largest residual %.1e\n", n, worst);
  return worst < 1e-12 ? 0 : 1;
}
