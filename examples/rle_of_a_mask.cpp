// SPDX-License-Identifier: Apache-2.0
// The mask of an image, mostly stretches of one value, is encoded as runs and decoded from them. The number of runs
// stays on the device, also between encoder and decoder.
#include <onepass/run_length.hpp>

#include <cstdio>

int main(int argc, char** argv)
{
  using exec_space = Kokkos::DefaultExecutionSpace;
  Kokkos::ScopeGuard const kokkos(argc, argv);
  exec_space const exec;
  int const side = 1024, n = side * side;

  // A disk with a hole.
  Kokkos::View<std::uint8_t*, exec_space> mask("mask", n), again("again", n), symbols("symbols", n);
  Kokkos::View<int*, exec_space> lengths("lengths", n);
  Kokkos::parallel_for(
      "draw", Kokkos::RangePolicy<exec_space>(exec, 0, n), KOKKOS_LAMBDA(int i) {
        int const x = i % side - side / 2, y = i / side - side / 2, square = x * x + y * y;
        mask(i) = square < side * side / 5 && square > side * side / 20;
      });

  onepass::workspace<exec_space> scratch(exec);
  auto const here = onepass::on(exec).with(scratch);
  Kokkos::View<onepass::extent, exec_space> runs("runs"), total("total");
  onepass::run_length_encode(here, mask, symbols, lengths, runs);
  onepass::run_length_decode(here, onepass::first(symbols, runs), lengths, again, total);

  auto const before   = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), mask);
  auto const after    = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), again);
  onepass::extent all = 0, count = 0, changes = 1;
  Kokkos::deep_copy(all, total);
  Kokkos::deep_copy(count, runs);
  bool right = all == n;
  for (int i = 0; i < n; ++i) {
    right = right && before(i) == after(i);
    changes += i > 0 && before(i) != before(i - 1);
  }
  if (!right || count != changes) {
    std::printf("%lld runs of %lld pixels are not the mask\n", static_cast<long long>(count),
                static_cast<long long>(all));
    return 1;
  }
  std::printf("%d pixels in %lld runs: %.1f bytes of mask for one of runs\n", n, static_cast<long long>(count),
              double(n) / (5.0 * double(count)));
  return 0;
}
