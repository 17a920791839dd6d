// SPDX-License-Identifier: Apache-2.0
// Particles move, and those that leave the box are removed: the indices of the others are selected once, and every
// array is compacted by them. The number of particles stays on the device; nothing waits until the results are checked.
#include <onepass/select.hpp>

#include <cstdio>
#include <vector>

using exec_space = Kokkos::DefaultExecutionSpace;

struct particles {
  Kokkos::View<float*, exec_space> x, y, vx, vy;
  Kokkos::View<int*, exec_space> id;

  explicit particles(int n)
      : x("x", n)
      , y("y", n)
      , vx("vx", n)
      , vy("vy", n)
      , id("id", n)
  {}
};

struct in_the_box {
  Kokkos::View<float*, exec_space> x, y;
  KOKKOS_FUNCTION bool operator()(int i) const { return x(i) >= 0 && x(i) < 1 && y(i) >= 0 && y(i) < 1; }
};

int main(int argc, char** argv)
{
  Kokkos::ScopeGuard const kokkos(argc, argv);
  exec_space const exec;
  onepass::workspace<exec_space> scratch(exec);
  int const n = 1 << 18, steps = 40;

  // On a lattice of 512 x 512 points; speeds are multiples of 2^-10, so that floats are exact.
  particles now(n), packed(n);
  Kokkos::parallel_for(
      "start", Kokkos::RangePolicy<exec_space>(exec, 0, n), KOKKOS_LAMBDA(int i) {
        now.x(i)  = float(i % 512) / 512;
        now.y(i)  = float(i / 512) / 512;
        now.vx(i) = float(i * 7 % 33 - 16) / 1024;
        now.vy(i) = float(i * 5 % 17 - 8) / 1024;
        now.id(i) = i;
      });
  Kokkos::View<int*, exec_space> stays("stays", n);
  Kokkos::View<onepass::extent, exec_space> alive("alive"), left("left");
  Kokkos::deep_copy(exec, alive, n);

  for (int step = 0; step < steps; ++step) {
    Kokkos::parallel_for(
        "move", Kokkos::RangePolicy<exec_space>(exec, 0, n), KOKKOS_LAMBDA(int i) {
          if (i >= alive()) return;
          now.x(i) += now.vx(i);
          now.y(i) += now.vy(i);
        });
    auto const all = onepass::first(onepass::counting<int>{0, n}, alive);
    onepass::select_if(onepass::on(exec).with(scratch), all, stays, left, in_the_box{now.x, now.y});
    Kokkos::parallel_for(
        "pack", Kokkos::RangePolicy<exec_space>(exec, 0, n), KOKKOS_LAMBDA(int k) {
          if (k >= left()) return;
          int const i  = stays(k);
          packed.x(k)  = now.x(i);
          packed.y(k)  = now.y(i);
          packed.vx(k) = now.vx(i);
          packed.vy(k) = now.vy(i);
          packed.id(k) = now.id(i);
        });
    std::swap(now, packed);
    std::swap(alive, left);
  }

  // The reference: each particle by itself, on the host.
  std::vector<int> expected;
  for (int i = 0; i < n; ++i) {
    float x = float(i % 512) / 512, y = float(i / 512) / 512;
    bool inside = true;
    for (int step = 0; step < steps && inside; ++step) {
      x += float(i * 7 % 33 - 16) / 1024;
      y += float(i * 5 % 17 - 8) / 1024;
      inside = x >= 0 && x < 1 && y >= 0 && y < 1;
    }
    if (inside) expected.push_back(i);
  }
  onepass::extent count = 0;
  Kokkos::deep_copy(count, alive);
  auto const id = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), now.id);
  bool right    = count == onepass::extent(expected.size());
  for (std::size_t k = 0; right && k < expected.size(); ++k) right = id(k) == expected[k];
  if (!right) {
    std::printf("%lld particles are left, not these %zu in their order\n", static_cast<long long>(count),
                expected.size());
    return 1;
  }
  std::printf("%lld of %d particles are in the box after %d steps, in their order\n", static_cast<long long>(count), n,
              steps);
  return 0;
}
