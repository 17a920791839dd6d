// SPDX-License-Identifier: Apache-2.0
// The snippets of docs/migration.md, in the order of the page: tests/house/migration.py checks that each stands here.
#include <onepass/each.hpp>
#include <onepass/kokkos.hpp>
#include <onepass/parallel_scan.hpp>
#include <onepass/partition.hpp>
#include <onepass/run_length.hpp>

#include <cstdio>

using exec_space = Kokkos::DefaultExecutionSpace;

bool moved_by_a_namespace(exec_space const& exec, Kokkos::View<int*> v)
{
  namespace KE = onepass::kokkos;  // was: namespace KE = Kokkos::Experimental;

  int const sum  = KE::reduce(exec, v);
  auto const end = KE::remove_if(
      exec, KE::begin(v), KE::end(v), KOKKOS_LAMBDA(int x) { return x % 2 == 1; });
  auto const most = KE::max_element("largest", exec, v);
  return sum == 499500 && end - KE::begin(v) == 500 && most - KE::begin(v) == 999;
}

bool results(exec_space const& exec, Kokkos::View<int const*> in, Kokkos::View<int*> out)
{
  int total = 0;
  onepass::exclusive_scan(exec, in, out, onepass::plus{}, 0, total);  // waits, since the total is a variable

  Kokkos::View<int> const on_device("total");
  onepass::exclusive_scan(exec, in, out, onepass::plus{}, 0, on_device);  // waits for nothing
  int copied = 0;
  Kokkos::deep_copy(copied, on_device);
  return total == copied;
}

bool functors(exec_space const& exec, Kokkos::View<int const*> counts, Kokkos::View<int*> offsets)
{
  int total = 0;
  onepass::parallel_scan(  // was: Kokkos::parallel_scan(
      "offsets", Kokkos::RangePolicy<exec_space>(exec, 0, counts.extent(0)),
      KOKKOS_LAMBDA(int i, int& update, bool is_final) {
        if (is_final) offsets(i) = update;
        update += counts(i);
      },
      total);

  int sum = 0;  // was: amrex::Scan::PrefixSum<int>(n, in, out, amrex::Scan::Type::exclusive, amrex::Scan::retSum)
  onepass::scan_each(
      exec, onepass::extent(counts.extent(0)), KOKKOS_LAMBDA(onepass::extent i) { return counts(i); },
      KOKKOS_LAMBDA(onepass::extent i, int before) { offsets(i) = before; }, onepass::plus{}, 0, sum);
  return total == sum;
}

bool pieces(exec_space const& exec, Kokkos::View<int const*> in, Kokkos::View<int*> keys, Kokkos::View<int*> lengths)
{
  onepass::workspace<exec_space> scratch(exec);  // in place of the bytes that a first call of CUB asks for
  auto const here = onepass::on(exec).with(scratch).named("runs");
  Kokkos::View<onepass::extent> const runs("runs");
  onepass::run_length_encode(here, in, keys, lengths, runs);
  Kokkos::View<int> const items("items");
  onepass::reduce(here, onepass::first(lengths, runs), items);  // as many as the call before has counted

  int sum = 0;
  Kokkos::deep_copy(sum, items);
  return sum == int(in.extent(0));
}

int main(int argc, char** argv)
{
  Kokkos::ScopeGuard const kokkos(argc, argv);
  exec_space const exec;
  Kokkos::View<int*> const v("v", 1000), a("a", 1000), b("b", 1000), positions("positions", 1000);
  Kokkos::parallel_for(
      "positions", Kokkos::RangePolicy<exec_space>(exec, 0, 1000), KOKKOS_LAMBDA(int i) {
        v(i)         = i;
        positions(i) = i / 3;
      });
  char const* wrong = nullptr;
  if (!moved_by_a_namespace(exec, v)) wrong = "the names";
  if (!results(exec, positions, a)) wrong = "results";
  if (!functors(exec, positions, a)) wrong = "functors";
  if (!pieces(exec, positions, a, b)) wrong = "pieces";
  std::printf(wrong ? "%s went wrong\n" : "all agree\n", wrong);
  return wrong ? 1 : 0;
}
