// SPDX-License-Identifier: Apache-2.0
// All pairs of discs that touch, in two dimensions: discs are sorted into cells as wide as a disc, so each disc checks
// nine cells only. The pairs of each disc are counted, a scan of the counts gives each disc its position in the list,
// and the list is filled: count, scan, fill, without atomics, so the list always has the same order.
#include <onepass/apply_permutation.hpp>
#include <onepass/csr.hpp>
#include <onepass/sort_by_cell.hpp>

#include <cstdio>

using exec_space = Kokkos::DefaultExecutionSpace;
template <class T>
using array = Kokkos::View<T*, exec_space>;

constexpr int side = 64, cells = side * side;  // of a box of 1 x 1
constexpr float diameter = 1.0f / side;

struct point {
  float x, y;
  KOKKOS_FUNCTION int column() const { return int(x * side); }
  KOKKOS_FUNCTION int line() const { return int(y * side); }
  KOKKOS_FUNCTION bool touches(point const& other) const
  {
    float const dx = x - other.x, dy = y - other.y;
    return dx * dx + dy * dy < diameter * diameter;
  }
};
struct pair {
  int first, second;
};

/// Calls f(j) for each disc j > i that touches disc i; discs are in the order of their cells, which begin at `begin`.
template <class F>
KOKKOS_FUNCTION void each_partner(array<point> const& discs, array<int> const& begin, int i, F const& f)
{
  point const p = discs(i);
  for (int line = Kokkos::max(p.line() - 1, 0); line <= Kokkos::min(p.line() + 1, side - 1); ++line) {
    int const from = line * side + Kokkos::max(p.column() - 1, 0),
              to   = line * side + Kokkos::min(p.column() + 1, side - 1);
    for (int j = Kokkos::max(begin(from), i + 1); j < begin(to + 1); ++j)  // three cells of a row are one range
      if (p.touches(discs(j))) f(j);
  }
}

int main(int argc, char** argv)
{
  Kokkos::ScopeGuard const kokkos(argc, argv);
  exec_space const exec;
  int const n = 5000;
  onepass::workspace<exec_space> scratch(exec);
  auto const here        = onepass::on(exec).with(scratch);
  auto const discs_range = Kokkos::RangePolicy<exec_space>(exec, 0, n);

  array<point> discs("discs", n);
  array<int> cell("cell", n), order("order", n), begin("begin", cells + 1);
  Kokkos::parallel_for(
      "scatter", discs_range, KOKKOS_LAMBDA(int i) {
        discs(i) = {float(i * 2654435761u >> 8) / 16777216.0f, float((i * 2246822519u + 12345u) >> 8) / 16777216.0f};
        cell(i)  = discs(i).line() * side + discs(i).column();
      });
  onepass::sort_by_cell(here, cell, begin, order);
  onepass::apply_permutation(here, order, discs);

  array<int> partners("partners", n), place("place", n + 1);
  Kokkos::parallel_for(
      "count", discs_range, KOKKOS_LAMBDA(int i) {
        int count = 0;
        each_partner(discs, begin, i, [&](int) { ++count; });
        partners(i) = count;
      });
  int number = 0;
  onepass::counts_to_offsets(here, partners, place, number);  // waits, since the list is to be allocated
  array<pair> pairs("pairs", number);
  Kokkos::parallel_for(
      "fill", discs_range, KOKKOS_LAMBDA(int i) {
        int at = place(i);
        each_partner(discs, begin, i, [&](int j) { pairs(at++) = {i, j}; });
      });

  auto const found = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), pairs);
  auto const all   = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), discs);
  int expected = 0, wrong = 0;
  for (int i = 0; i < n; ++i)
    for (int j = i + 1; j < n; ++j) expected += all(i).touches(all(j));
  for (int k = 0; k < number; ++k) {
    auto const [i, j]   = found(k);
    bool const in_order = k == 0 || found(k - 1).first < i || (found(k - 1).first == i && found(k - 1).second < j);
    wrong += !(0 <= i && i < j && j < n && all(i).touches(all(j)) && in_order);
  }
  std::printf("%d discs, %d pairs that touch (%d by looking at all), %d wrong\n", n, number, expected, wrong);
  return number == expected && number > 0 && wrong == 0 ? 0 : 1;
}
