// SPDX-License-Identifier: Apache-2.0
#include <ArborX.hpp>
#include <ArborX_DBSCAN.hpp>
#include <ArborX_HDBSCAN.hpp>
#include <Kokkos_Core.hpp>
#include <detail/ArborX_ExpandHalfToFull.hpp>
#include <detail/ArborX_NeighborList.hpp>

#include <cmath>
#include <cstdio>
#include <cstdlib>

// Calls what onepass takes in ArborX, with points of three floats alone (its own benchmarks have ten kinds of points, which takes
// long to compile): for each number of points searches, lists of neighbours, clusters, and a spanning tree. Prints what they give.

namespace {

using exec_space = Kokkos::DefaultExecutionSpace;
using memory     = exec_space::memory_space;
using point      = ArborX::Point<3, float>;
using sphere     = ArborX::Sphere<3, float>;

KOKKOS_INLINE_FUNCTION float hashed(unsigned i)
{
  i = (i ^ (i >> 16)) * 0x7feb352du;
  i = (i ^ (i >> 15)) * 0x846ca68bu;
  return float((i ^ (i >> 16)) >> 8) / 16777216.f;
}

long last(Kokkos::View<int*, memory> const& offsets)
{
  long sum = 0;
  Kokkos::parallel_reduce(
      "sum", Kokkos::RangePolicy<exec_space>(0, offsets.extent(0)),
      KOKKOS_LAMBDA(int i, long& s) { s += long(offsets(i)) * (i % 7 + 1); }, sum);
  return sum;
}

void step(int n, int turns)
{
  exec_space const space;
  // One point in a cube of 1, and half of them in clumps of 16.
  float const side      = std::cbrt(float(n));
  unsigned const clumps = unsigned(n) / 32u + 1u;
  Kokkos::View<point*, memory> const points("points", n);
  Kokkos::parallel_for(
      "fill", Kokkos::RangePolicy<exec_space>(space, 0, n), KOKKOS_LAMBDA(int i) {
        unsigned const at = i % 2 ? unsigned(i) : unsigned(i) % clumps * 1000003u;
        float const in    = i % 2 ? side : .3f;
        for (int d = 0; d < 3; d++)
          points(i)[d] =
              (i % 2 ? 0 : side * hashed(3u * at + unsigned(d))) + in * hashed(3u * unsigned(i) + unsigned(d));
      });
  Kokkos::View<decltype(ArborX::intersects(sphere{}))*, memory> const near("near", n);
  Kokkos::View<decltype(ArborX::nearest(point{}, 3))*, memory> const nearest("nearest", n);
  Kokkos::parallel_for(
      "ask", Kokkos::RangePolicy<exec_space>(space, 0, n), KOKKOS_LAMBDA(int i) {
        near(i)    = ArborX::intersects(sphere{points(i), .4f});
        nearest(i) = ArborX::nearest(points(i), 3);
      });
  for (int turn = 0; turn < turns; turn++) {
    ArborX::BoundingVolumeHierarchy const tree(space, ArborX::Experimental::attach_indices(points));
    Kokkos::View<typename decltype(tree)::value_type*, memory> values("values", 0);
    Kokkos::View<int*, memory> offsets("offsets", 0), indices("indices", 0), labels("labels", 0);
    tree.query(space, near, values, offsets);
    long const within = last(offsets);
    tree.query(space, nearest, values, offsets);
    long const closest = last(offsets);
    ArborX::Experimental::findHalfNeighborList(space, points, .4f, offsets, indices);
    long const half = last(offsets);
    ArborX::Details::expandHalfToFull(space, offsets, indices);
    long const full = last(offsets);
    ArborX::Experimental::findFullNeighborList(space, points, .4f, offsets, indices);
    long const direct = last(offsets);
    long clusters[2];
    using way = ArborX::DBSCAN::Implementation;
    for (way const implementation : {way::FDBSCAN, way::FDBSCAN_DenseBox}) {
      ArborX::DBSCAN::Parameters parameters;
      parameters.setImplementation(implementation);
      ArborX::dbscan(space, points, .4f, 2, labels, parameters);
      Kokkos::parallel_reduce(
          "clusters", Kokkos::RangePolicy<exec_space>(space, 0, n),
          KOKKOS_LAMBDA(int i, long& sum) { sum += labels(i) == i; }, clusters[implementation != way::FDBSCAN]);
    }
    auto const dendrogram =
        ArborX::Experimental::hdbscan(space, points, 4, ArborX::Experimental::DendrogramImplementation::UNION_FIND);
    auto const heights = dendrogram._parent_heights;
    double height      = 0;
    Kokkos::parallel_reduce(
        "heights", Kokkos::RangePolicy<exec_space>(space, 0, heights.extent(0)),
        KOKKOS_LAMBDA(int i, double& sum) { sum += heights(i); }, height);
    if (turn == 0)
      std::printf(
          "%d points: %ld within, %ld nearest, %ld half, %ld full, %ld direct, %ld and %ld clusters, height %.3f\n", n,
          within, closest, half, full, direct, clusters[0], clusters[1], height);
  }
}

}  // namespace

int main(int argc, char** argv)
{
  Kokkos::ScopeGuard const kokkos(argc, argv);
  for (int i = 1; i < argc; i++) {
    int const n = std::atoi(argv[i]);
    step(n, n <= 1000 ? 20 : n <= 10000 ? 5 : 1);
  }
}
