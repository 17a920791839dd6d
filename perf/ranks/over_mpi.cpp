// SPDX-License-Identifier: Apache-2.0
// What calls over ranks cost: N u32 items over as many ranks as there are, one row a call; with one rank the local
// call too, which the others are to be compared with. The time of a call is that of the slowest rank, from a barrier
// on: the least of all times and their median.
// usage: mpirun -n P bench_ranks [--log N] [--times N]     (docs/scale.md says how its table was made)
#include "../harness/mixed.hpp"

#include <onepass/onepass.hpp>
#include <onepass/ranks/histogram.hpp>
#include <onepass/ranks/mpi.hpp>
#include <onepass/ranks/reduce.hpp>
#include <onepass/ranks/repartition.hpp>
#include <onepass/ranks/runs.hpp>
#include <onepass/ranks/scan.hpp>
#include <onepass/ranks/select.hpp>
#include <onepass/ranks/sort.hpp>
#include <onepass/ranks/sort_by_cell.hpp>
#include <onepass/ranks/top_k.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

namespace {

using onepass::extent;
using space    = Kokkos::DefaultExecutionSpace;
using memory   = space::memory_space;
using u32      = std::uint32_t;
using items    = Kokkos::View<u32*, memory>;
namespace over = onepass::ranks;

struct mixed_items {
  items to;
  extent first;
  int right;
  KOKKOS_FUNCTION void operator()(extent i) const
  {
    to(std::size_t(i)) = u32(perf::mixed(std::uint64_t(first + i)) >> right);
  }
};
struct is_even {
  KOKKOS_FUNCTION bool operator()(u32 x) const { return x % 2 == 0; }
};
struct low_byte {
  KOKKOS_FUNCTION extent operator()(u32 x) const { return x & 255; }
};

items made(space const& exec, extent first, extent n, int right)
{
  items const view(Kokkos::view_alloc(exec, Kokkos::WithoutInitializing, "items"), std::size_t(n));
  Kokkos::parallel_for("make", Kokkos::RangePolicy<space, Kokkos::IndexType<extent>>(exec, 0, n),
                       mixed_items{view, first, right});
  exec.fence("made");
  return view;
}

class race {
public:
  race(over::transport& all, space const& exec, extent total, int times)
      : all_(all)
      , exec_(exec)
      , total_(total)
      , times_(times)
  {}

  void run(char const* name, std::function<void()> const& call, std::function<void()> const& local = {})
  {
    say(name, times_of(call));
    if (all_.size() == 1 && local) say((std::string("local ") + name).c_str(), times_of(local));
  }

private:
  void say(char const* name, std::vector<double> const& took) const
  {
    if (all_.rank() == 0)
      std::printf("%s,%d,%d,%lld,%.3f,%.3f\n", name, all_.size(), exec_.concurrency(), (long long)total_,
                  took.front() * 1e3, took[took.size() / 2] * 1e3);
  }

  /// In seconds, the least first.
  std::vector<double> times_of(std::function<void()> const& call)
  {
    std::vector<double> took;
    for (int k = -1; k < times_; ++k) {
      all_.meet();
      auto const start = std::chrono::steady_clock::now();
      call();
      exec_.fence("timed");
      std::chrono::duration<double> const here = std::chrono::steady_clock::now() - start;
      std::uint64_t mine;
      double const seconds = here.count();
      std::memcpy(&mine, &seconds, sizeof mine);
      std::vector<std::uint64_t> theirs(static_cast<std::size_t>(all_.size()));
      all_.exchange_words({&mine, 1}, theirs);
      if (k >= 0) took.push_back(std::bit_cast<double>(*std::max_element(theirs.begin(), theirs.end())));
    }
    std::sort(took.begin(), took.end());
    return took;
  }

  over::transport& all_;
  space exec_;
  extent total_;
  int times_;
};

void race_all(over::transport& all, extent total, int times)
{
  space const exec;
  onepass::workspace<space> scratch(exec);
  auto const where  = onepass::on(exec).with(scratch);
  int const p       = all.size();
  extent const from = total * all.rank() / p, n = total * (all.rank() + 1) / p - from;
  auto const in = made(exec, from, n, 32), runs = made(exec, from / 8, n, 62), values = made(exec, from, n, 16);
  auto const out = made(exec, 0, n, 32), beside = made(exec, 0, n, 32);
  items const bins("bins", 256);
  Kokkos::View<u32, memory> const carry("carry");
  Kokkos::View<extent, memory> const count("count");
  Kokkos::View<u32, memory> const sum("sum");
  extent const k = std::min<extent>(1000, total);
  items const keys("keys", std::size_t(k));
  Kokkos::View<extent*, memory> const places("places", std::size_t(k));

  race r(all, exec, total, times);
  r.run(
      "reduce", [&] { over::reduce(all, where, in); }, [&] { onepass::reduce(where, in, sum); });
  r.run("reduce_nonblocking", [&] { over::reduce(over::nonblocking(all), where, in).wait(); });
  r.run(
      "exclusive_scan", [&] { over::exclusive_scan(all, where, in, out); },
      [&] { onepass::exclusive_scan(where, in, out); });
  r.run(
      "exclusive_scan_apart", [&] { over::exclusive_scan_apart(all, where, in, out, carry); },
      [&] { onepass::exclusive_scan(where, in, out); });
  r.run(
      "histogram", [&] { over::histogram(all, where, in, bins, low_byte{}); },
      [&] { onepass::histogram(where, in, bins, low_byte{}); });
  r.run(
      "select_if", [&] { over::select_if(all, where, in, out, is_even{}); },
      [&] { onepass::select_if(where, in, out, count, is_even{}); });
  r.run(
      "unique", [&] { over::unique(all, where, runs, out); }, [&] { onepass::unique(where, runs, out, count); });
  r.run(
      "run_length_encode", [&] { over::run_length_encode(all, where, runs, out, beside); },
      [&] { onepass::run_length_encode(where, runs, out, beside, count); });
  r.run(
      "reduce_by_key", [&] { over::reduce_by_key(all, where, runs, values, out, beside); },
      [&] { onepass::reduce_by_key(where, runs, values, out, beside, count); });
  r.run(
      "radix_sort", [&] { over::radix_sort(all, where, in, out); }, [&] { onepass::radix_sort(where, in, out); });
  r.run(
      "radix_sort_by_key", [&] { over::radix_sort_by_key(all, where, in, values, out, beside); },
      [&] { onepass::radix_sort_by_key(where, in, values, out, beside); });
  r.run(
      "top_k", [&] { over::top_k(all, where, in, k, keys, places); },
      [&] { onepass::top_k(where, in, k, keys, places); });

  // All items go to the next rank's half of the machine: what moves is what a network has to carry.
  extent const other = total * (p - all.rank()) / p - total * (p - all.rank() - 1) / p;
  auto const moved   = made(exec, 0, other, 32);
  r.run("repartition", [&] { over::repartition(all, where, in, moved); });

  extent const cells = 1 << 16, first = cells * all.rank() / p, own = cells * (all.rank() + 1) / p - first;
  auto const cell = made(exec, from, n, 48);
  items const offsets("offsets", std::size_t(own + 1));
  r.run("sort_by_cell", [&] { over::sort_by_cell(all, where, cell, offsets); });
}

}  // namespace

int main(int argc, char** argv)
{
  MPI_Init(&argc, &argv);
  {
    Kokkos::ScopeGuard const kokkos(argc, argv);
    int log = 24, times = 9;
    for (int a = 1; a + 1 < argc; a += 2) {
      if (std::strcmp(argv[a], "--log") == 0) log = std::atoi(argv[a + 1]);
      if (std::strcmp(argv[a], "--times") == 0) times = std::atoi(argv[a + 1]);
    }
    over::mpi all(MPI_COMM_WORLD);
    if (all.rank() == 0) std::printf("call,ranks,threads,items,least_ms,median_ms\n");
    race_all(all, extent(1) << log, times);
  }
  MPI_Finalize();
}
