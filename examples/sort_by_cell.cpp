// SPDX-License-Identifier: Apache-2.0
// Sorts particles by their cells, as a neighbour search needs them: one call gives where each cell begins and the order
// of the particles, and all their arrays are permuted at once. Nothing waits until the results are checked.
#include <onepass/apply_permutation.hpp>
#include <onepass/sort_by_cell.hpp>

#include <cstdio>

using exec_space = Kokkos::DefaultExecutionSpace;
template <class T>
using array = Kokkos::View<T*, exec_space>;

constexpr int side = 100, cells = side * side;  // of a box of 1 x 1

KOKKOS_FUNCTION std::uint32_t cell_of(double x, double y)
{
  return std::uint32_t(y * side) * side + std::uint32_t(x * side);
}

int main(int argc, char** argv)
{
  Kokkos::ScopeGuard const kokkos(argc, argv);
  exec_space const exec;
  int const n = 1'000'000;
  onepass::workspace<exec_space> scratch(exec);
  auto const here = onepass::on(exec).with(scratch);

  Kokkos::View<double* [2], exec_space> x("x", n);
  array<float> mass("mass", n);
  array<std::uint32_t> cell("cell", n), order("order", n);
  array<int> begin("begin", cells + 1);
  Kokkos::parallel_for(
      "particles", Kokkos::RangePolicy<exec_space>(exec, 0, n), KOKKOS_LAMBDA(int i) {
        x(i, 0) = double(i * 2654435761u) / 4294967296.0;  // where in the box
        x(i, 1) = double(i * 2246822519u + 12345u) / 4294967296.0;
        mass(i) = float(i);
        cell(i) = cell_of(x(i, 0), x(i, 1));
      });

  onepass::sort_by_cell(here, cell, begin, order);  // particles of a cell keep their order
  onepass::apply_permutation(here, order, x, mass, cell);

  auto const host   = [](auto const& view) { return Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), view); };
  auto const xs     = host(x);
  auto const masses = host(mass);
  auto const begins = host(begin);
  int i             = 0;
  for (int c = 0; c < cells; ++c) {
    for (float before = -1; i < begins(c + 1); before = masses(i++))
      if (cell_of(xs(i, 0), xs(i, 1)) != std::uint32_t(c) || !(masses(i) > before)) {
        std::printf("particle %d is not where it belongs: cell %d\n", i, c);
        return 1;
      }
  }
  if (i != n) {
    std::printf("%d particles of %d are in cells\n", i, n);
    return 1;
  }
  std::printf("%d particles in %d cells; the first has %d\n", n, cells, begins(1));
  return 0;
}
