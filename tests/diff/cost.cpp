// SPDX-License-Identifier: Apache-2.0
//
// What a trace costs: so many kernels over so many Views of so many MiB together, each of which changes one View or all
// of them. Prints the time of a kernel; run it under `onepass trace --kernels none --no-between`, which only waits
// behind each kernel, and under `onepass trace`.
#include <Kokkos_Core.hpp>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace {

constexpr int most = 64;
struct pointers {
  double* at[most];
};

/// A number between 0 and 1 that does not come to rest, so that its bits are those of a simulation.
KOKKOS_INLINE_FUNCTION double changed(double x) { return 3.9 * x * (1 - x); }

}  // namespace

int main(int argc, char** argv)
{
  if (argc < 5 || std::atoi(argv[2]) < 1 || std::atoi(argv[2]) > most) {
    std::fprintf(stderr, "usage: cost KERNELS VIEWS MIB one|all, at most %d Views\n", most);
    return 2;
  }
  Kokkos::ScopeGuard const kokkos(argc, argv);
  int const kernels = std::atoi(argv[1]), count = std::atoi(argv[2]);
  auto const items = std::size_t(std::atol(argv[3])) * (1 << 20) / sizeof(double) / std::size_t(count);
  bool const all   = std::string(argv[4]) == "all";
  using field      = Kokkos::View<double*>;
  std::vector<field> fields;
  for (int v = 0; v < count; ++v) {
    fields.emplace_back("field " + std::to_string(v), items);
    auto const x = fields.back();
    Kokkos::parallel_for(
        "begin", items, KOKKOS_LAMBDA(std::size_t i) { x(i) = 1e-3 * double(1 + i % 991); });
  }
  pointers every{};
  for (int v = 0; v < count; ++v) every.at[v] = fields[std::size_t(v)].data();
  Kokkos::fence();
  Kokkos::Timer const timer;
  for (int k = 0; k < kernels; ++k) {
    auto const x = fields[std::size_t(k % count)], y = fields[std::size_t((k + 1) % count)];
    if (!all)
      Kokkos::parallel_for(
          "change one", items, KOKKOS_LAMBDA(std::size_t i) { y(i) = changed(.5 * (x(i) + y(i))); });
    else
      Kokkos::parallel_for(
          "change all", items, KOKKOS_LAMBDA(std::size_t i) {
            for (int v = 0; v < count; ++v) every.at[v][i] = changed(every.at[v][i]);
          });
  }
  Kokkos::fence();
  std::printf("%.1f us a kernel\n", timer.seconds() / kernels * 1e6);
}
