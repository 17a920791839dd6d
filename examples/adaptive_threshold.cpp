// SPDX-License-Identifier: Apache-2.0
// Binarises a photographed page that is lit from one side: a pixel is ink if it is darker than nine tenths of the mean
// around it. The means come from a summed-area table, four reads per pixel, however large the neighbourhood.
#include <onepass/box_filter.hpp>

#include <cstdio>

int main(int argc, char** argv)
{
  using exec_space = Kokkos::DefaultExecutionSpace;
  using page       = Kokkos::View<std::uint8_t**, Kokkos::LayoutRight, exec_space>;
  Kokkos::ScopeGuard const kokkos(argc, argv);
  exec_space const exec;
  int const rows = 600, columns = 900, radius = 24;

  // Strokes, three pixels wide, on paper that is three times as bright on the right as on the left: the paper on the
  // left is darker than the ink on the right.
  page photo("photo", rows, columns), ink("ink", rows, columns);
  auto const is_stroke = KOKKOS_LAMBDA(int y, int x) { return y % 20 < 3 && x % 120 < 90; };
  auto const all       = Kokkos::MDRangePolicy<exec_space, Kokkos::Rank<2>>(exec, {0, 0}, {rows, columns});
  Kokkos::parallel_for(
      "photograph", all, KOKKOS_LAMBDA(int y, int x) {
        int const light = 80 + 160 * x / columns;
        photo(y, x)     = std::uint8_t(is_stroke(y, x) ? light * 6 / 10 : light);
      });

  Kokkos::View<std::uint32_t**, Kokkos::LayoutRight, exec_space> table("table", rows, columns);
  Kokkos::View<float**, Kokkos::LayoutRight, exec_space> mean("mean", rows, columns);
  onepass::summed_area_table(exec, photo, table);
  onepass::box_filter(exec, table, radius, mean);
  Kokkos::parallel_for(
      "compare", all, KOKKOS_LAMBDA(int y, int x) { ink(y, x) = photo(y, x) < 0.9f * mean(y, x); });

  int adaptive = 0, fixed = 0;  // misclassified pixels: by the local mean, and by one threshold for the page
  Kokkos::parallel_reduce(
      "judge", all, KOKKOS_LAMBDA(int y, int x, int& wrong) { wrong += (ink(y, x) != 0) != is_stroke(y, x); },
      adaptive);
  Kokkos::parallel_reduce(
      "judge", all, KOKKOS_LAMBDA(int y, int x, int& wrong) { wrong += (photo(y, x) < 100) != is_stroke(y, x); },
      fixed);
  std::printf("%d of %d pixels wrong by the mean around them, %d by one threshold\n", adaptive, rows * columns, fixed);
  return adaptive == 0 && fixed > 10000 ? 0 : 1;
}
