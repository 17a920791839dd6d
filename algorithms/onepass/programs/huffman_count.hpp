// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/place.hpp>
#include <onepass/programs/huffman_units.hpp>

namespace onepass::huffman {

/// Counts symbols by teams. A device's team has a counter for each symbol and lane in its memory: lanes side by side count
/// in banks of their own, however alike their symbols are.
template <class Split, class Exec, class Result>
struct count_machine {
  static constexpr bool on_host = Kokkos::SpaceAccessibility<Exec, Kokkos::HostSpace>::accessible;
  static constexpr int  threads = on_host ? 1 : 256, copies = on_host ? 4 : 32, unit = Split::unit;
  static constexpr std::size_t bytes = std::size_t(alphabet) * copies * sizeof(std::uint32_t);

  using policy = Kokkos::TeamPolicy<Exec, Kokkos::LaunchBounds<threads, 4>>;

  unit_memory<Split> memory;
  Result             result;

  ONEPASS_FUNCTION void operator()(typename policy::member_type const& team) const
  {
    auto* const  counters = static_cast<std::uint32_t*>(team.team_scratch(0).get_shmem_aligned(bytes, 16));
    const int    rank = team.team_rank(), mine = on_host ? 0 : rank % copies;
    const extent units = div_up(memory.n, unit), step = extent(team.league_size()) * threads;
    for (int c = rank; c < alphabet * copies; c += threads) counters[c] = 0;
    team.team_barrier();
    extent since = 0;
    for (extent u = extent(team.league_rank()) * threads + rank; u < units; u += step) {
      std::uint32_t items[unit_memory<Split>::item_words], symbols[unit / 4], rest[Split::rest_words + 1];
      const int     present = memory.n - u * unit < unit ? int(memory.n - u * unit) : unit;
      memory.load_items(u * unit, present, items);
      Split::part(items, symbols, rest);
      ONEPASS_UNROLL for (int k = 0; k < unit; ++k)
        if (k < present) {
          const int at = int(symbols[k / 4] >> k % 4 * 8 & 255u) * copies + (on_host ? k % copies : mine);
          if constexpr (on_host) ++counters[at];
          else Kokkos::atomic_inc(counters + at);
        }
      if (++since == extent(1) << 24) since = flush(team, counters);  // before a counter could overflow
    }
    flush(team, counters);
  }

private:
  /// On a device only at the end: no thread has 2^24 units.
  ONEPASS_FUNCTION extent flush(typename policy::member_type const& team, std::uint32_t* counters) const
  {
    team.team_barrier();
    for (int s = team.team_rank(); s < alphabet; s += threads) {
      std::uint64_t sum = 0;
      for (int c = 0; c < copies; ++c) {
        const int k = (c + team.team_rank()) % copies;
        sum += counters[s * copies + k];
        counters[s * copies + k] = 0;
      }
      if (sum) Kokkos::atomic_add(&result(s), sum);
    }
    return 0;
  }
};

template <class Split, class Place, class Result>
void count_symbols_of(Place const& where, unit_memory<Split> memory, Result const& result)
{
  using exec    = typename Place::execution_space;
  using machine = count_machine<Split, exec, Result>;
  memory.packed = reinterpret_cast<std::uintptr_t>(memory.items) % 16 == 0;
  Kokkos::deep_copy(where.space, result, std::uint64_t(0));
  const extent units = div_up(memory.n, Split::unit), resident = where.space.concurrency() / machine::threads;
  const extent teams = div_up(units, machine::threads) < resident ? div_up(units, machine::threads) : resident;
  if (teams == 0) return;
  auto p = typename machine::policy(where.space, int(teams), machine::threads);
  p.set_scratch_size(0, Kokkos::PerTeam(int(machine::bytes + 16)));
  Kokkos::parallel_for(where.label.empty() ? "huffman::count" : where.label, p, machine{memory, result});
}

}  // namespace onepass::huffman
