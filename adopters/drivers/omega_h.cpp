// SPDX-License-Identifier: Apache-2.0
#include <Omega_h_array.hpp>
#include <Omega_h_array_ops.hpp>
#include <Omega_h_for.hpp>
#include <Omega_h_int_scan.hpp>
#include <Omega_h_library.hpp>
#include <Omega_h_sort.hpp>

#include <cstdio>
#include <cstdlib>

// Calls what onepass takes in Omega_h with arrays of the sizes that meshes have: marks and degrees to offsets, gaps that are filled
// from the left, few values sorted, and tuples of one to three vertices sorted, as those of entities are. Prints what they give.

namespace {

using Omega_h::GO;
using Omega_h::I32;
using Omega_h::I8;
using Omega_h::LO;

OMEGA_H_INLINE unsigned hashed(unsigned i)
{
  i = (i ^ (i >> 16)) * 0x7feb352du;
  i = (i ^ (i >> 15)) * 0x846ca68bu;
  return i ^ (i >> 16);
}

template <class T, class F>
Omega_h::Read<T> made(LO n, F const& f)
{
  Omega_h::Write<T> all(n);
  Omega_h::parallel_for(
      n, OMEGA_H_LAMBDA(LO i) { all[i] = T(f(i)); });
  return all;
}

long mixed(Omega_h::LOs const& of)
{
  Omega_h::HostRead<LO> const items(of);
  long sum = 0;
  for (LO i = 0; i < items.size(); i++) sum += long(items[i]) * (i % 1000 + 1);
  return sum;
}

void step(LO n, int turns)
{
  auto const marks = made<I8>(
      n, OMEGA_H_LAMBDA(LO i) { return hashed(unsigned(i)) % 3 == 0; });
  auto const degrees = made<LO>(
      n, OMEGA_H_LAMBDA(LO i) { return hashed(unsigned(i)) % 7; });
  auto const ranks = made<I32>(
      n, OMEGA_H_LAMBDA(LO i) { return hashed(unsigned(i)) % 4; });
  auto const global = made<GO>(
      n, OMEGA_H_LAMBDA(LO i) { return hashed(unsigned(i)); });
  // Vertices of neighbouring entities are near each other.
  auto const pairs = made<LO>(
      2 * n, OMEGA_H_LAMBDA(LO i) { return LO(unsigned(i / 6) + hashed(unsigned(i)) % 64u); });
  auto const triples = made<LO>(
      3 * n, OMEGA_H_LAMBDA(LO i) { return LO(unsigned(i / 9) + hashed(unsigned(i)) % 64u); });
  auto const single = made<LO>(
      n, OMEGA_H_LAMBDA(LO i) { return LO(hashed(unsigned(i)) % unsigned(n)); });
  for (int turn = 0; turn < turns; turn++) {
    auto const by_marks   = Omega_h::offset_scan(marks);
    auto const by_degrees = Omega_h::offset_scan(degrees);
    Omega_h::Write<LO> gaps(n);
    Omega_h::parallel_for(
        n, OMEGA_H_LAMBDA(LO i) { gaps[i] = i == 0 || hashed(unsigned(i)) % 3 == 0 ? i : -1; });
    Omega_h::fill_right(gaps);
    Omega_h::LOs few, fan;
    Omega_h::Read<I32> values;
    Omega_h::sort_small_range(ranks, &few, &fan, &values);
    long const sorted[] = {mixed(Omega_h::sort_by_keys(single)), mixed(Omega_h::sort_by_keys(global)),
                           mixed(Omega_h::sort_by_keys(pairs, 2)), mixed(Omega_h::sort_by_keys(triples, 3))};
    if (turn == 0)
      std::printf("%d items: %ld %ld offsets, %ld filled, %ld few, %ld %ld %ld %ld sorted\n", n, mixed(by_marks),
                  mixed(by_degrees), mixed(gaps), mixed(few), sorted[0], sorted[1], sorted[2], sorted[3]);
  }
}

}  // namespace

int main(int argc, char** argv)
{
  auto const library = Omega_h::Library(&argc, &argv);
  for (int i = 1; i < argc; i++) {
    LO const n = std::atoi(argv[i]);
    step(n, n <= 1000 ? 50 : n <= 10000 ? 10 : n <= 100000 ? 3 : 1);
  }
}
