// SPDX-License-Identifier: Apache-2.0
// The time of each stage of the classic summed-area table for RGB images, and of the single pass.
#include <onepass/classic/images.hpp>
#include <onepass/summed_area_table.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <vector>

using exec_space = Kokkos::DefaultExecutionSpace;
template <class T>
using cube = Kokkos::View<T***, Kokkos::LayoutRight, exec_space>;

/// The median of several runs, in microseconds.
template <class Queue>
double microseconds(exec_space const& exec, Queue const& queue)
{
  std::vector<double> all;
  for (int i = 0; i < 12; ++i) {
    exec.fence();
    auto const begin = std::chrono::steady_clock::now();
    queue();
    exec.fence();
    all.push_back(std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - begin).count());
  }
  all.erase(all.begin());  // the first run has cold caches
  std::nth_element(all.begin(), all.begin() + 5, all.end());
  return all[5];
}

int main(int argc, char** argv)
{
  Kokkos::ScopeGuard const kokkos(argc, argv);
  exec_space const exec;
  onepass::workspace scratch(exec);
  auto const here = onepass::on(exec).with(scratch);
  long wrong      = 0;
  std::printf("%11s %12s %8s %10s %8s %10s %11s %8s %12s   us\n", "RGB", "deinterleave", "rows", "transpose", "rows",
              "transpose", "interleave", "sum", "single pass");
  for (int const side : {512, 1024}) {
    cube<std::uint8_t> const image("image", side, side, 3);
    cube<std::uint32_t> const lying("lying", 3, side, side), standing("standing", 3, side, side),
        classic("classic", side, side, 3), single("single", side, side, 3);
    Kokkos::parallel_for(
        "photograph", Kokkos::MDRangePolicy<exec_space, Kokkos::Rank<3>>(exec, {0, 0, 0}, {side, side, 3}),
        KOKKOS_LAMBDA(int y, int x, int c) { image(y, x, c) = std::uint8_t(y * 7 + x * 13 + c * 61); });
    namespace by_stage    = onepass::classic;
    double const stages[] = {
        microseconds(exec, [&] { by_stage::deinterleave(here, image, lying); }),
        microseconds(exec, [&] { by_stage::scan_rows(here, lying, standing); }),
        microseconds(exec, [&] { by_stage::transpose(here, lying, standing); }),
        microseconds(exec, [&] { by_stage::scan_rows(here, standing, lying); }),
        microseconds(exec, [&] { by_stage::transpose(here, standing, lying); }),
        microseconds(exec, [&] { by_stage::interleave(here, lying, classic); }),
    };
    double const at_once = microseconds(exec, [&] { onepass::summed_area_table(here, image, single); });
    std::printf("%4d x %4d", side, side);
    double sum = 0;
    for (int i = 0; i < 6; ++i) {
      constexpr int widths[] = {13, 8, 10, 8, 10, 11};
      std::printf(" %*.1f", widths[i], stages[i]);
      sum += stages[i];
    }
    std::printf(" %8.1f %12.1f\n", sum, at_once);

    by_stage::summed_area_table(here, image,
                                classic);  // the stages above were timed separately: here they run in sequence
    long differing = 0;
    Kokkos::parallel_reduce(
        "compare", Kokkos::MDRangePolicy<exec_space, Kokkos::Rank<3>>(exec, {0, 0, 0}, {side, side, 3}),
        KOKKOS_LAMBDA(int y, int x, int c, long& count) { count += classic(y, x, c) != single(y, x, c); }, differing);
    wrong += differing;
  }
  std::printf("%ld numbers differ\n", wrong);
  return wrong == 0 ? 0 : 1;
}
