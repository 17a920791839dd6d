// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/execution/place.hpp>
#include <onepass/huffman/programs/units.hpp>

namespace onepass::huffman {

/// Adds to the counts of symbols, by teams. A device's team has a counter for each symbol and lane in its memory: lanes
/// side by side count in banks of their own, however alike their symbols are. A host's thread has four for each symbol.
template <class Split, class Exec, class Result>
struct count_machine {
  static constexpr int threads = on_host<Exec> ? 1 : 256, copies = on_host<Exec> ? 4 : 32, unit = Split::unit;
  static constexpr int step          = on_host<Exec> ? 1024 : unit;  ///< items that a thread takes at a time
  static constexpr std::size_t bytes = std::size_t(alphabet) * copies * sizeof(std::uint32_t);

  using policy = Kokkos::TeamPolicy<Exec, Kokkos::LaunchBounds<threads, 4>>;

  unit_memory<Split> memory;
  Result result;

  ONEPASS_FUNCTION void operator()(typename policy::member_type const& team) const
  {
    auto* const counters = static_cast<std::uint32_t*>(team.team_scratch(0).get_shmem_aligned(std::size_t(bytes), 16));
    int const rank       = team.team_rank();
    extent const steps = div_up(memory.n, step), stride = extent(team.league_size()) * threads;
    for (int c = rank; c < alphabet * copies; c += threads) counters[c] = 0;
    team.team_barrier();
    extent since = 0;
    for (extent s = extent(team.league_rank()) * threads + rank; s < steps; s += stride) {
      extent const first = s * step;
      int const present  = memory.n - first < step ? int(memory.n - first) : step;
      KOKKOS_IF_ON_HOST((count_on_host(first, present, counters);))
      KOKKOS_IF_ON_DEVICE((count_unit(first, present, counters + rank % copies);))
      if (++since == extent(1) << 20) since = flush(team, counters);  // before a counter of a host could overflow
    }
    flush(team, counters);
  }

private:
  ONEPASS_FUNCTION void count_unit(extent first, int present, std::uint32_t* counters) const
  {
    std::uint32_t items[unit_memory<Split>::item_words], symbols[unit / 4], rest[Split::rest_words + 1];
    memory.load_items(first, present, items);
    Split::part(items, symbols, rest);
    ONEPASS_UNROLL for (int k = 0; k < unit; ++k) if (k < present)
        Kokkos::atomic_inc(counters + int(symbols[k / 4] >> k % 4 * 8 & 255u) * copies);
  }
  void count_on_host(extent first, int present, std::uint32_t* counters) const
  {
    alignas(64) std::uint8_t symbols[step], elsewhere[2][2 * step];
    Split::part_row(symbols, {elsewhere[0], elsewhere[1]}, memory.items + first, present);
    for (int k = 0; k < present; ++k) ++counters[k % 4 * alphabet + symbols[k]];
  }

  /// On a device only at the end: no thread has 2^20 units.
  ONEPASS_FUNCTION extent flush(typename policy::member_type const& team, std::uint32_t* counters) const
  {
    team.team_barrier();
    for (int s = team.team_rank(); s < alphabet; s += threads) {
      std::uint64_t sum = 0;
      for (int c = 0; c < copies; ++c) {
        int const at = on_host<Exec> ? c * alphabet + s : s * copies + (c + team.team_rank()) % copies;
        sum += counters[at];
        counters[at] = 0;
      }
      if (sum) Kokkos::atomic_add(&result(s), sum);
    }
    return 0;
  }
};

template <class Result>
struct clear_counts {
  Result result;
  ONEPASS_FUNCTION void operator()(extent s) const { result(s) = 0; }
};

template <class Split, class Place, class Result>
void add_counts(Place const& where, unit_memory<Split> memory, Result const& result)
{
  using exec         = typename Place::execution_space;
  using machine      = count_machine<Split, exec, Result>;
  memory.packed      = reinterpret_cast<std::uintptr_t>(memory.items) % 16 == 0;
  extent const steps = div_up(memory.n, machine::step), resident = where.space.concurrency() / machine::threads;
  extent const wanted = div_up(steps, machine::threads), teams = wanted < resident ? wanted : resident;
  if (teams == 0) return;
  auto p = typename machine::policy(where.space, int(teams), machine::threads);
  p.set_scratch_size(0, Kokkos::PerTeam(int(machine::bytes + 16)));
  Kokkos::parallel_for(where.or_named("huffman::count").label, p, machine{memory, result});
}

}  // namespace onepass::huffman
