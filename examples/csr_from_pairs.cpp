// SPDX-License-Identifier: Apache-2.0
// A list of (row, column) pairs, sorted, with some pairs several times, becomes a sparse matrix in CSR form: the
// distinct pairs, the number of repetitions of each as its value, and where every row begins. The numbers of entries
// stay on the device.
#include <onepass/csr.hpp>
#include <onepass/run_length.hpp>
#include <onepass/zip.hpp>

#include <cstdio>
#include <map>
#include <utility>

int main(int argc, char** argv)
{
  using exec_space = Kokkos::DefaultExecutionSpace;
  using number     = Kokkos::View<onepass::extent, exec_space>;
  Kokkos::ScopeGuard const kokkos(argc, argv);
  exec_space const exec;
  int const n = 300000, rows = 50000;

  // Pairs as from a neighbour search: rows may be empty, and pairs may occur more than once.
  Kokkos::View<int*, exec_space> row("row", n), column("column", n);
  Kokkos::parallel_for(
      "pairs", Kokkos::RangePolicy<exec_space>(exec, 0, n), KOKKOS_LAMBDA(int i) {
        int const group = i / 9;  // nine pairs at a time, of three columns
        row(i)          = int(std::int64_t(group) * rows / (n / 9 + 1));
        column(i)       = group * 3 + i % 9 / 3;
      });

  // The distinct pairs and the repetitions of each; then where every row begins.
  onepass::workspace<exec_space> scratch(exec);
  auto const here = onepass::on(exec).with(scratch);
  Kokkos::View<int*, exec_space> entry_row("entry row", n), entry_column("entry column", n), times("times", n);
  Kokkos::View<onepass::extent*, exec_space> offsets("offsets", rows + 1);
  number unlike("unlike");
  onepass::run_length_encode(here, onepass::zip(row, column), onepass::zip(entry_row, entry_column), times, unlike);
  onepass::offsets_from_sorted(here, onepass::first(entry_row, unlike), offsets);

  // The reference: the same with a std::map, on the host.
  auto const mirror = [](auto const& view) { return Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), view); };
  auto const r = mirror(row), c = mirror(column), er = mirror(entry_row), ec = mirror(entry_column), t = mirror(times);
  auto const o = mirror(offsets);
  std::map<std::pair<int, int>, int> expected;
  for (int i = 0; i < n; ++i) ++expected[{r(i), c(i)}];
  bool right        = o(rows) == onepass::extent(expected.size());
  onepass::extent k = 0;
  for (auto const& [pair, count] : expected) {
    right = right && er(k) == pair.first && ec(k) == pair.second && t(k) == count && o(pair.first) <= k
            && k < o(pair.first + 1);
    ++k;
  }
  if (!right) {
    std::printf("the matrix is not that of the pairs\n");
    return 1;
  }
  std::printf("%d pairs, %lld entries in %d rows\n", n, static_cast<long long>(o(rows)), rows);
  return 0;
}
