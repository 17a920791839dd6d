// SPDX-License-Identifier: Apache-2.0
#include <Cabana_Core.hpp>
#include <Kokkos_Core.hpp>

#include <cmath>
#include <cstdio>
#include <cstdlib>

// Calls what onepass takes in Cabana, at sizes of which its own benchmarks have none: for each number of particles a list of
// cells, lists of neighbours in CSR form, and a removal, as a step of a particle code makes them. Prints what they give.

namespace {

using exec_space = Kokkos::DefaultExecutionSpace;
using memory     = exec_space::memory_space;
using particles  = Cabana::AoSoA<Cabana::MemberTypes<double[3], double[3], int>, memory>;

KOKKOS_INLINE_FUNCTION double hashed(unsigned i)
{
  i = (i ^ (i >> 16)) * 0x7feb352du;
  i = (i ^ (i >> 15)) * 0x846ca68bu;
  return (i ^ (i >> 16)) / 4294967296.;
}

void step(int n, int turns)
{
  double const side    = std::cbrt(double(n));  // one particle in a cube of 1
  double const low[3]  = {0, 0, 0};
  double const high[3] = {side, side, side};
  for (int turn = 0; turn < turns; turn++) {
    particles all("particles", n);
    auto const places = Cabana::slice<0>(all);
    auto const ids    = Cabana::slice<2>(all);
    Kokkos::parallel_for(
        "fill", Kokkos::RangePolicy<exec_space>(0, n), KOKKOS_LAMBDA(int i) {
          for (int d = 0; d < 3; d++) places(i, d) = side * hashed(3u * unsigned(i) + unsigned(d));
          ids(i) = i;
        });
    double const cell[3] = {1, 1, 1};
    auto const cells     = Cabana::createLinkedCellList(places, cell, low, high);
    long neighbours      = 0;
    if (n <= 100000) {
      Cabana::VerletList<memory, Cabana::HalfNeighborTag, Cabana::VerletLayoutCSR, Cabana::TeamOpTag> const near(
          places, 0, std::size_t(n), 1., 1., low, high);
      neighbours = long(near._data.neighbors.extent(0));
    }
    // A twentieth leaves, as in a step of a code whose particles are absorbed or sent away.
    Kokkos::View<int*, memory> const stays("stays", n);
    int kept = 0;
    Kokkos::parallel_reduce(
        "choose", Kokkos::RangePolicy<exec_space>(0, n),
        KOKKOS_LAMBDA(int i, int& sum) { sum += stays(i) = hashed(unsigned(i) + 77u) >= .05; }, kept);
    Cabana::remove(exec_space(), kept, stays, all);
    long sum         = 0;
    auto const after = Cabana::slice<2>(all);
    Kokkos::parallel_reduce(
        "sum", Kokkos::RangePolicy<exec_space>(0, kept),
        KOKKOS_LAMBDA(int i, long& s) { s += long(after(i)) * (i + 1); }, sum);
    if (turn == 0)
      std::printf("%d particles: %d cells, %ld neighbours, %zu stay, %ld\n", n, cells.totalBins(), neighbours,
                  std::size_t(all.size()), sum);
  }
}

}  // namespace

int main(int argc, char** argv)
{
  Kokkos::ScopeGuard const kokkos(argc, argv);
  for (int i = 1; i < argc; i++) {
    int const n = std::atoi(argv[i]);
    step(n, n <= 10000 ? 50 : n <= 100000 ? 10 : 3);
  }
}
