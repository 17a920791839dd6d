// SPDX-License-Identifier: Apache-2.0
// Counts the entries of the rows of a sparse matrix on the device; their sums give where each row
// begins, and their total the number of entries, by which the memory for these is allocated.
#include <onepass/csr.hpp>

#include <cstdio>

int main(int argc, char** argv)
{
  using exec_space = Kokkos::DefaultExecutionSpace;
  Kokkos::ScopeGuard const kokkos(argc, argv);
  exec_space const exec;
  int const side = 700, rows = side * side;

  // The entries of each row of the five-point stencil on a grid of side x side points.
  Kokkos::View<int*, exec_space> counts("counts", rows);
  Kokkos::parallel_for(
      "count", Kokkos::RangePolicy<exec_space>(exec, 0, rows), KOKKOS_LAMBDA(int row) {
        int const x = row % side, y = row / side;
        counts(row) = 1 + (x > 0) + (x < side - 1) + (y > 0) + (y < side - 1);
      });

  // Counts fit in 32 bits, their sums may not: they are added in the output's item type.
  Kokkos::View<std::int64_t*, exec_space> offsets("offsets", rows + 1);
  std::int64_t entries = 0;
  onepass::counts_to_offsets(exec, counts, offsets, entries);
  Kokkos::View<int*, exec_space> columns("columns", entries);

  auto const got        = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), offsets);
  auto const count      = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), counts);
  std::int64_t expected = 0;
  for (int row = 0; row <= rows; ++row) {
    if (got(row) != expected) {
      std::printf("row %d begins at %lld, not at %lld\n", row, static_cast<long long>(expected),
                  static_cast<long long>(got(row)));
      return 1;
    }
    if (row < rows) expected += count(row);
  }
  std::printf("%d rows, %lld entries\n", rows, static_cast<long long>(entries));
  return entries == expected && std::int64_t(columns.extent(0)) == expected ? 0 : 1;
}
