// SPDX-License-Identifier: Apache-2.0
// Sums of floats whose last bit anybody can make again: canonically() against the twenty lines of canonical_tree.hpp.
#include "canonical_tree.hpp"

#include <onepass/scan.hpp>

#include <cstdio>
#include <cstring>
#include <functional>

int main(int argc, char** argv)
{
  Kokkos::ScopeGuard const kokkos(argc, argv);
  std::size_t const n = 1000000;
  std::vector<float> items(n);
  for (std::size_t i = 0; i < n; ++i) items[i] = 1.0f / float(i % 1000 + 1);

  Kokkos::View<float*> const in("in", n), out("out", n);
  auto const here  = Kokkos::create_mirror_view(in);
  auto const there = Kokkos::create_mirror_view(out);
  std::copy(items.begin(), items.end(), here.data());
  Kokkos::deep_copy(in, here);

  float sum = 0;
  onepass::exclusive_scan(onepass::canonically(Kokkos::DefaultExecutionSpace{}), in, out, onepass::plus{}, 0.5f, sum);
  Kokkos::deep_copy(there, out);

  float again         = 0;
  auto const expected = canonical_scan(items, 0.5f, -0.0f, std::plus{}, 144 / sizeof(float), again);
  bool const same     = std::memcmp(there.data(), expected.data(), n * sizeof(float)) == 0 && sum == again;
  std::printf("%.9g, and by twenty lines of C++ %.9g: %s\n", double(sum), double(again),
              same ? "the same bits everywhere" : "different bits");
  return same ? 0 : 1;
}
