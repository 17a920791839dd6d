// SPDX-License-Identifier: Apache-2.0
// Calls over ranks of which one is refused memory: the first time that it asks for some, the second time, and so on.
#include "without_memory.hpp"

#include "cases.hpp"

#include <onepass/ranks/dealt.hpp>
#include <onepass/ranks/histogram.hpp>
#include <onepass/ranks/reduce.hpp>
#include <onepass/ranks/repartition.hpp>
#include <onepass/ranks/runs.hpp>
#include <onepass/ranks/scan.hpp>
#include <onepass/ranks/sort.hpp>
#include <onepass/ranks/sort_by_cell.hpp>
#include <onepass/ranks/threads.hpp>
#include <onepass/ranks/top_k.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdio>
#include <mutex>
#include <new>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace ranks_test {
namespace {

namespace ranks = onepass::ranks;
using host      = Kokkos::DefaultHostExecutionSpace;
using u32       = std::uint32_t;
template <class T>
using items = Kokkos::View<T*, Kokkos::LayoutStride, Kokkos::HostSpace>;

constexpr int number_of_ranks = 3, poor = 1;

/// How many times this thread is given memory before it is refused some, once; negative: always.
thread_local int given = -1;

void refuse(Kokkos::Profiling::SpaceHandle, char const*, void const* memory, std::uint64_t)
{
  if (given < 0 || given-- > 0) return;
  static std::mutex alone;
  // Kokkos has it already, and forgets it; what looks for leaks still finds it here when all has ended.
  static auto& lost = *new std::vector<void const*>;
  std::lock_guard const lock(alone);
  lost.push_back(memory);
  throw std::bad_alloc();
}

/// A rank, with items that have gaps between them, so that calls take memory for copies.
struct member {
  template <class T>
  static items<T> room(extent n)
  {
    return Kokkos::subview(Kokkos::View<T* [2], Kokkos::LayoutRight, Kokkos::HostSpace>("items", std::size_t(n)),
                           Kokkos::ALL, 0);
  }
  auto where() const { return onepass::on(host{}).with(scratch).through<onepass::serial_backend>(); }

  ranks::transport& all;
  onepass::workspace<host>& scratch;
  extent n      = 300 + 100 * all.rank();
  items<u32> in = room<u32>(n), values = room<u32>(n), out = room<u32>(n), more = room<u32>(n);
  items<u32> few = room<u32>(8), many = room<u32>(2000);
  items<float> floats = room<float>(n);
  Kokkos::View<u32, Kokkos::HostSpace> carry{"carry"};
};

items<u32> first(items<u32> const& of, extent n) { return Kokkos::subview(of, std::pair(extent(0), n)); }

struct low_bits {
  KOKKOS_FUNCTION extent operator()(u32 x) const { return extent(x & 7); }
};

struct call {
  char const* name;
  void (*make)(member const&);
};

constexpr call calls[] = {
    {"radix_sort", [](member const& m) { ranks::radix_sort(m.all, m.where(), m.in, m.out); }},
    {"radix_sort_by_key",
     [](member const& m) { ranks::radix_sort_by_key(m.all, m.where(), m.in, m.values, m.out, m.more); }},
    {"argsort", [](member const& m) { ranks::argsort(m.all, m.where(), m.in, m.out); }},
    {"sort_by_cell",
     [](member const& m) {
       auto const moves = ranks::sort_by_cell(m.all, m.where(), m.in, m.few);
       moves.move(m.values, first(m.many, moves.size()));
     }},
    {"top_k", [](member const& m) { ranks::top_k(m.all, m.where(), m.in, 200, m.out, m.more); }},
    {"repartition", [](member const& m) { ranks::repartition(m.all, m.where(), m.in, first(m.many, 400)); }},
    {"histogram", [](member const& m) { ranks::histogram(m.all, m.where(), m.in, m.few, low_bits{}); }},
    {"histogram of many bins", [](member const& m) { ranks::histogram(m.all, m.where(), m.in, m.many, low_bits{}); }},
    {"inclusive_scan", [](member const& m) { ranks::inclusive_scan(m.all, m.where(), m.in, m.out); }},
    {"inclusive_scan, canonically",
     [](member const& m) { ranks::inclusive_scan(m.all, onepass::canonically(m.where()), m.in, m.floats); }},
    {"exclusive_scan_apart",
     [](member const& m) { ranks::exclusive_scan_apart(m.all, m.where(), m.in, m.out, m.carry); }},
    {"exclusive_scan_dealt",
     [](member const& m) {
       auto const mine = first(m.many, ranks::dealt_items(m.all, 1000, 16));
       ranks::exclusive_scan_dealt(m.all, m.where(), mine, mine, 16);
     }},
    {"unique", [](member const& m) { ranks::unique(m.all, m.where(), m.in, m.out); }},
    {"reduce_by_key", [](member const& m) { ranks::reduce_by_key(m.all, m.where(), m.in, m.values, m.out, m.more); }},
};

/// What became of a call while one rank was given memory some times, then refused it, and then given it again.
struct trial_of_a_call {
  bool refuses = false;  ///< whether it asked so often
  bool waits   = false;  ///< whether others were left waiting, or threw another sentence than the rank itself
};

trial_of_a_call made(call const& call, int times)
{
  std::array<std::string, number_of_ranks> said;
  trial_of_a_call found;
  std::atomic<bool> waited = false;
  try {
    ranks::on_threads(number_of_ranks, [&](transport& all) {
      onepass::workspace<host> scratch(host{});
      member const m{all, scratch};
      for (extent i = 0; i < m.n; ++i) m.in(i) = u32(i * 7919 + all.rank()) % 21;
      bool const is_poor = all.rank() == poor;
      if (is_poor) given = times;
      try {
        call.make(m);
      } catch (onepass::precondition_error const& e) {
        said[std::size_t(all.rank())] = e.what();
      } catch (std::runtime_error const&) {
        waited = true;
      } catch (std::bad_alloc const&) {
        found.refuses = true;
        throw;
      }
      if (is_poor) found.refuses = std::exchange(given, -1) < 0;
    });
  } catch (std::bad_alloc const&) {  // memory of the last step, on that rank alone
  }
  found.waits = waited || std::count(said.begin(), said.end(), said[0]) != number_of_ranks;
  return found;
}

}  // namespace

unsigned long long waits_without_memory()
{
  unsigned long long wrong = 0;
  auto const kept          = onepass::detail::workspace_pools::here().most_bytes.load();
  onepass::keep_workspaces(0);  // so that calls ask for memory
  onepass::release_workspaces();
  Kokkos::Tools::Experimental::set_allocate_data_callback(refuse);
  for (auto const& each : calls)
    for (int times = 0;; ++times) {
      auto const found = made(each, times);
      if (found.waits) {
        ++wrong;
        std::printf("%s: a rank is refused memory after %d times, and others wait for it\n", each.name, times);
      }
      if (!found.refuses) break;
    }
  Kokkos::Tools::Experimental::set_allocate_data_callback(nullptr);
  onepass::keep_workspaces(kept);
  return wrong;
}

}  // namespace ranks_test
