// SPDX-License-Identifier: Apache-2.0
// Weak scaling: what calls over ranks cost beside the local call on as many items as each rank has. The local call runs
// on all ranks at once. A time is that of the slowest rank, from a barrier until its device has ended; the two calls
// take turns. What is sorted, moved and scanned is looked at afterwards.
// usage: mpirun -n P bench_ranks [--sizes 20,24,28] [--payloads WAY] [--calls NAME,...] [--seconds S]
//        [--keep MIB] [--results FOLDER]
#include "../harness/mixed.hpp"
#include "../harness/stamp.hpp"

#include <onepass/onepass.hpp>
#include <onepass/ranks/dealt.hpp>
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
#include <bit>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <functional>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

namespace {

using onepass::extent;
using space    = Kokkos::DefaultExecutionSpace;
using u32      = std::uint32_t;
using items    = Kokkos::View<u32*, space::memory_space>;
namespace over = onepass::ranks;

/// Bits of a random word for each item, or for so many items one; of two random words combined where only ones that
/// both have count.
struct random_bits {
  extent first;
  int shift;
  bool both;
  extent run = 1;
  KOKKOS_FUNCTION u32 operator()(extent i) const
  {
    auto const word = perf::mixed(std::uint64_t((first + i) / run));
    return u32((both ? word & word << 32 : word) >> shift);
  }
};
struct write_items {
  items to;
  random_bits of;
  KOKKOS_FUNCTION void operator()(extent i) const { to(std::size_t(i)) = of(i); }
};
struct add_mixed {
  items of;
  KOKKOS_FUNCTION void operator()(extent i, std::uint64_t& sum) const { sum += perf::mixed(of(std::size_t(i))); }
};
struct count_descents {
  items of;
  KOKKOS_FUNCTION void operator()(extent i, std::uint64_t& sum) const
  {
    sum += of(std::size_t(i)) > of(std::size_t(i) + 1);
  }
};
/// Items that are not where they lie in the whole sequence, of which each rank has runs.
struct count_misplaced {
  items of;
  extent run;
  int rank, ranks;
  KOKKOS_FUNCTION void operator()(extent i, std::uint64_t& sum) const
  {
    sum += of(std::size_t(i)) != u32((i / run * ranks + rank) * run + i % run);
  }
};
struct is_even {
  KOKKOS_FUNCTION bool operator()(u32 x) const { return x % 2 == 0; }
};
struct low_byte {
  KOKKOS_FUNCTION extent operator()(u32 x) const { return x & 255; }
};

using range = Kokkos::RangePolicy<space, Kokkos::IndexType<extent>>;

items made(space const& exec, extent n, random_bits const& of)
{
  items const view(Kokkos::view_alloc(exec, Kokkos::WithoutInitializing, "items"), std::size_t(n));
  Kokkos::parallel_for("make", range(exec, 0, n), write_items{view, of});
  exec.fence("made");
  return view;
}
template <class F>
std::uint64_t sum_of(space const& exec, extent n, F const& f)
{
  std::uint64_t sum = 0;
  Kokkos::parallel_reduce("look", range(exec, 0, n), f, sum);
  return sum;
}

struct options {
  std::vector<int> sizes{20, 24};
  std::string payloads = "automatic", calls, results;
  std::size_t keep     = std::size_t(64) << 20;  ///< bytes of workspaces that stay between calls
  double seconds       = .2;                     ///< for a call, of one size
};

class race {
public:
  race(over::transport& all, options const& o, perf::record* store)
      : all_(all)
      , asked_(o)
      , store_(store)
  {}

  bool wanted(std::string const& call) const
  {
    return asked_.calls.empty() || (',' + asked_.calls + ',').find(',' + call + ',') != std::string::npos;
  }

  /// A call over ranks beside the local one, if there is one, on n items of each rank.
  void run(std::string const& call, extent n, std::function<void()> const& over_ranks,
           std::function<void()> const& local = {})
  {
    if (!wanted(call)) return;
    space const exec;
    std::vector<double> alone, together;
    double spent = 0;
    for (int k = -1; k < 5 || (k < 40 && spent < asked_.seconds); ++k) {
      double const here = timed(exec, over_ranks), there = local ? timed(exec, local) : 0;
      if (k < 0) continue;  // memory is made, code is loaded
      together.push_back(here), alone.push_back(there);
      spent += here + there;
    }
    std::vector<perf::row> rows{row_of(call, n, name(), together)};
    if (local) rows.push_back(row_of(call, n, "onepass", alone));
    if (all_.rank() > 0) return;
    double const mine = rows[0].seconds, other = rows.back().seconds;
    std::printf("%-22s 2^%-5.4g %11.1f us %11.1f us  %5.3f  %+9.1f us  %7.2f G/s\n", call.c_str(), std::log2(double(n)),
                local ? other * 1e6 : 0, mine * 1e6, local ? other / mine : 0, local ? (mine - other) * 1e6 : 0,
                double(n) * all_.size() / mine * 1e-9);
    if (store_) store_->keep(rows);
  }

  void look(std::string const& what, bool right)
  {
    if (right) return;
    wrong_ = true;
    std::printf("rank %d: %s is WRONG\n", all_.rank(), what.c_str());
  }
  bool wrong() const { return wrong_; }

private:
  std::string name() const
  {
    return "onepass." + std::to_string(all_.size()) + "_ranks"
           + (asked_.payloads == "automatic" ? "" : "." + asked_.payloads)
           + (asked_.keep == options{}.keep ? "" : ".kept");
  }

  double timed(space const& exec, std::function<void()> const& call)
  {
    all_.meet();
    auto const start = std::chrono::steady_clock::now();
    call();
    exec.fence("timed");
    std::chrono::duration<double> const here = std::chrono::steady_clock::now() - start;
    auto const mine                          = std::bit_cast<std::uint64_t>(here.count());
    std::vector<std::uint64_t> theirs(static_cast<std::size_t>(all_.size()));
    all_.exchange_words({&mine, 1}, theirs);
    return std::bit_cast<double>(*std::max_element(theirs.begin(), theirs.end()));  // positive, so bits compare
  }

  static perf::row row_of(std::string const& call, extent n, std::string const& contender, std::vector<double> took)
  {
    std::sort(took.begin(), took.end());
    auto const at     = [&](double share) { return took[std::size_t(share * double(took.size() - 1) + .5)]; };
    double const half = at(.5);
    return {call, "u32", n, contender, half, took.front(), (at(.75) - at(.25)) / half, std::int64_t(took.size()), 0, 0};
  }

  over::transport& all_;
  options const& asked_;
  perf::record* store_;
  bool wrong_ = false;
};

/// Whether keys over ranks are sorted, and are those of `before`.
bool is_sorted(over::transport& all, items const& before, items const& after)
{
  space const exec;
  extent const n = extent(after.extent(0));
  struct seen {
    std::uint64_t before, after, descents, least, most;
  };
  auto const ends = Kokkos::create_mirror_view_and_copy(
      Kokkos::HostSpace{}, Kokkos::subview(after, std::make_pair(std::size_t(0), std::size_t(1))));
  auto const last = Kokkos::create_mirror_view_and_copy(
      Kokkos::HostSpace{}, Kokkos::subview(after, std::make_pair(std::size_t(n - 1), std::size_t(n))));
  std::uint64_t const mine[] = {sum_of(exec, extent(before.extent(0)), add_mixed{before}),
                                sum_of(exec, n, add_mixed{after}), sum_of(exec, n - 1, count_descents{after}), ends(0),
                                last(0)};
  std::vector<std::uint64_t> theirs(5 * std::size_t(all.size()));
  all.exchange_words(mine, theirs);
  std::uint64_t sum = 0, faults = 0;
  for (std::size_t r = 0; r < theirs.size(); r += 5) {
    sum += theirs[r] - theirs[r + 1];
    faults += theirs[r + 2] + (r > 0 && theirs[r - 1] > theirs[r + 3]);
  }
  return sum == 0 && faults == 0;
}

void race_all(over::transport& all, race& r, int log)
{
  space const exec;
  onepass::workspace<space> scratch(exec);
  auto const where  = onepass::on(exec).with(scratch);
  int const p       = all.size();
  extent const n    = extent(1) << log;
  extent const from = n * all.rank();
  auto const in = made(exec, n, {from, 32, false}), out = made(exec, n, {0, 32, false});
  Kokkos::View<u32, space::memory_space> const sum("sum"), carry("carry");
  Kokkos::View<extent, space::memory_space> const count("count");
  if (log <= 28) {
    items const bins("bins", 256);
    // Each rank's first items go on with a run of the rank before, and what is behind them lies anywhere.
    auto const runs = made(exec, n, {from + 5, 32, false, 8}), values = made(exec, n, {from, 16, false});
    auto const beside = made(exec, n, {0, 32, false});
    r.run(
        "reduce", n, [&] { over::reduce(all, where, in); }, [&] { onepass::reduce(where, in, sum); });
    r.run(
        "histogram", n, [&] { over::histogram(all, where, in, bins, low_byte{}); },
        [&] { onepass::histogram(where, in, bins, low_byte{}); });
    r.run(
        "select_if.50", n, [&] { over::select_if(all, where, in, out, is_even{}); },
        [&] { onepass::select_if(where, in, out, count, is_even{}); });
    r.run(
        "partition_if.50", n, [&] { over::partition_if(all, where, in, out, beside, is_even{}); },
        [&] { onepass::partition_if(where, in, out, beside, count, is_even{}); });
    r.run(
        "unique.run8", n, [&] { over::unique(all, where, runs, out); },
        [&] { onepass::unique(where, runs, out, count); });
    r.run(
        "run_length_encode.run8", n, [&] { over::run_length_encode(all, where, runs, out, beside); },
        [&] { onepass::run_length_encode(where, runs, out, beside, count); });
    r.run(
        "reduce_by_key.run8", n, [&] { over::reduce_by_key(all, where, runs, values, out, beside); },
        [&] { onepass::reduce_by_key(where, runs, values, out, beside, count); });
    r.run(
        "inclusive_scan_by_key.run8", n, [&] { over::inclusive_scan_by_key(all, where, runs, values, out); },
        [&] { onepass::inclusive_scan_by_key(where, runs, values, out); });
    r.run(
        "exclusive_scan_apart", n, [&] { over::exclusive_scan_apart(all, where, in, out, carry); },
        [&] { onepass::exclusive_scan(where, in, out); });
    r.run(
        "exclusive_scan", n, [&] { over::exclusive_scan(all, where, in, out); },
        [&] { onepass::exclusive_scan(where, in, out); });
    if (r.wanted("exclusive_scan_dealt")) {
      extent const run = over::dealt_run(where, in, out), own = over::dealt_items(all, n * p, run);
      auto const dealt = made(exec, own, {from, 32, false}), scanned = made(exec, own, {0, 32, false});
      r.run(
          "exclusive_scan_dealt", n, [&] { over::exclusive_scan_dealt(all, where, dealt, scanned, run); },
          [&] { onepass::exclusive_scan(where, in, out); });
      Kokkos::deep_copy(dealt, 1u);
      u32 const total = over::exclusive_scan_dealt(all, where, dealt, scanned, run);
      r.look("exclusive_scan_dealt",
             total == u32(n * p) && sum_of(exec, own, count_misplaced{scanned, run, all.rank(), p}) == 0);
    }
    extent const k = 1000;
    items const keys("keys", std::size_t(k));
    Kokkos::View<extent*, space::memory_space> const places("places", std::size_t(k));
    r.run(
        "top_k.1000", n, [&] { over::top_k(all, where, in, k, keys, places); },
        [&] { onepass::top_k(where, in, k, keys, places); });
    // Half of a rank's items go to the next one.
    extent const half = all.rank() == 0 ? n / 2 : all.rank() == p - 1 ? n + n / 2 : n;
    if (r.wanted("repartition") && p > 1) {
      auto const moved = made(exec, half, {0, 32, false});
      r.run("repartition", n, [&] { over::repartition(all, where, in, moved); });
      u32 at = 0;
      Kokkos::deep_copy(at, Kokkos::subview(moved, std::size_t(half - 1)));
      extent const last = all.rank() == p - 1 ? n * p - 1 : n * all.rank() + n / 2 - 1;
      r.look("repartition", at == random_bits{0, 32, false}(last));
    }
    extent const cells = 1 << 16, first = cells * all.rank() / p, own = cells * (all.rank() + 1) / p - first;
    if (r.wanted("sort_by_cell")) {
      auto const cell = made(exec, n, {from, 48, false});
      items const offsets("offsets", std::size_t(own + 1));
      auto const narrow = made(exec, n, {from, 65 - int(std::bit_width(unsigned(own))), false});
      items const own_offsets("offsets", std::size_t(own + 1));
      r.run(
          "sort_by_cell", n, [&] { over::sort_by_cell(all, where, cell, offsets); },
          [&] { onepass::sort_by_cell(where, narrow, own_offsets, out); });
    }
    auto const keys_out = made(exec, n, {0, 32, false});
    r.run(
        "radix_sort_by_key", n, [&] { over::radix_sort_by_key(all, where, in, values, keys_out, beside); },
        [&] { onepass::radix_sort_by_key(where, in, values, keys_out, beside); });
  }
  if (r.wanted("radix_sort")) {
    r.run(
        "radix_sort", n, [&] { over::radix_sort(all, where, in, out); }, [&] { onepass::radix_sort(where, in, out); });
    over::radix_sort(all, where, in, out);
    r.look("radix_sort", is_sorted(all, in, out));
  }
  if (r.wanted("radix_sort.and2")) {  // keys whose bits are set in a quarter of the cases
    Kokkos::parallel_for("make", range(exec, 0, n), write_items{in, {from, 32, true}});
    r.run(
        "radix_sort.and2", n, [&] { over::radix_sort(all, where, in, out); },
        [&] { onepass::radix_sort(where, in, out); });
    over::radix_sort(all, where, in, out);
    r.look("radix_sort.and2", is_sorted(all, in, out));
  }
}

options read(int argc, char** argv)
{
  options o;
  for (int a = 1; a + 1 < argc; a += 2) {
    std::string const name = argv[a], value = argv[a + 1];
    if (name == "--payloads") o.payloads = value;
    if (name == "--calls") o.calls = value;
    if (name == "--results") o.results = value;
    if (name == "--keep") o.keep = std::stoull(value) << 20;
    if (name == "--seconds") o.seconds = std::stod(value);
    if (name != "--sizes") continue;
    o.sizes.clear();
    std::istringstream list(value);
    for (std::string size; std::getline(list, size, ',');) o.sizes.push_back(std::stoi(size));
  }
  return o;
}

over::payloads way_of(std::string const& name)
{
  for (auto const way :
       {over::payloads::peers, over::payloads::nccl, over::payloads::on_device, over::payloads::pinned})
    if (name == over::name_of(way)) return way;
  return over::payloads::automatic;
}

}  // namespace

int main(int argc, char** argv)
{
  MPI_Init(&argc, &argv);
  bool wrong = false;
  {
    Kokkos::ScopeGuard const kokkos(argc, argv);
    auto const o = read(argc, argv);
    onepass::keep_workspaces(o.keep);
    over::mpi all(MPI_COMM_WORLD, way_of(o.payloads));
    std::optional<perf::record> store;
    if (all.rank() == 0 && !o.results.empty()) store.emplace(o.results, "ranks", perf::stamp);
    race r(all, o, store ? &*store : nullptr);
    if (all.rank() == 0)
      std::printf("%d ranks, %s\n%-28s %14s %14s  share      more     of all\n", all.size(), all.name().c_str(),
                  "call, items a rank", "local", "over ranks");
    for (int const log : o.sizes) race_all(all, r, log);
    wrong = r.wrong();
  }
  MPI_Finalize();
  return wrong;
}
