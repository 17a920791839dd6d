// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/extent.hpp>
#include <onepass/portability.hpp>

#include <string>

namespace onepass::ONEPASS_ABI::classic {

// The kernels of classic/compaction.hpp.

/// A bit mask of the lanes below `lane`.
ONEPASS_FUNCTION constexpr std::uint32_t lanes_below(int lane) { return (std::uint32_t(1) << lane) - 1; }

/// A ballot over a warp: bit l is f(l). All vector lanes of a team's thread call it.
template <class Team, class F>
ONEPASS_FUNCTION std::uint32_t ballot([[maybe_unused]] Team const& team, F const& f)
{
  if constexpr (runs_in_warps()) return warp_ballot(f(vector_lane()));
  else {
    std::uint32_t bits = 0;
    Kokkos::parallel_reduce(
        Kokkos::ThreadVectorRange(team, 32), [&](int lane, std::uint32_t& b) { b |= std::uint32_t(f(lane)) << lane; },
        Kokkos::BOr<std::uint32_t>(bits));
    return bits;
  }
}

/// The sum of the totals of all warps before warp `u`, from ballots over the bits of the totals, one "plane" per bit. A
/// total is 0 to 32, so it has log2(32) + 1 bits: with one plane fewer, a full warp would count as 0.
struct bit_planes {
  static constexpr int planes = 6;

  template <class Team>
  ONEPASS_FUNCTION static int before(Team const& team, int const* totals, int warps, int u)
  {
    int sum = 0;
    for (int j = 0; j < planes; ++j) {
      auto const plane = ballot(team, [&](int lane) { return lane < warps && totals[lane] >> j & 1; });
      sum += Kokkos::Experimental::popcount_builtin(plane & lanes_below(u)) << j;
    }
    return sum;
  }
};

namespace detail {

using position = std::uint32_t;

template <class Exec>
using positions = Kokkos::View<position*, typename Exec::memory_space, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;

/// Blocks of warps, one item per lane. Every thread of a block reaches every barrier and ballot, whatever its items.
/// keep(i) tells whether item i is kept; write(position, i) writes it.
template <class Exec, class Keep, class Write>
struct blocks {
  static constexpr int warps = 8, items = 32 * warps;

  struct count {};
  struct place {};

  item_count n;
  Keep keep;
  Write write;
  position* counts;
  position* offsets;

  struct shared {
    std::uint32_t mask[warps];
    int total[warps];
  };

  /// Finds the kept items of every warp.
  template <class Member>
  ONEPASS_FUNCTION shared& look(Member const& team) const
  {
    auto& at           = *static_cast<shared*>(team.team_scratch(0).get_shmem_aligned(sizeof(shared), 16));
    extent const first = extent(team.league_rank()) * items, size = n();
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, warps), [&](int u) {
      auto const mask = ballot(team, [&](int lane) {
        extent const i = first + u * 32 + lane;
        return i < size && keep(i);
      });
      Kokkos::single(Kokkos::PerThread(team), [&] {
        at.mask[u]  = mask;
        at.total[u] = Kokkos::Experimental::popcount_builtin(mask);
      });
    });
    team.team_barrier();
    return at;
  }

  template <class Member>
  ONEPASS_FUNCTION void operator()(count, Member const& team) const
  {
    auto const& at = look(team);
    Kokkos::single(Kokkos::PerTeam(team), [&] {
      int all = 0;
      for (int u = 0; u < warps; ++u) all += at.total[u];
      counts[team.league_rank()] = position(all);
    });
  }
  template <class Member>
  ONEPASS_FUNCTION void operator()(place, Member const& team) const
  {
    auto const& at     = look(team);
    extent const first = extent(team.league_rank()) * items, base = offsets[team.league_rank()];
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, warps), [&](int u) {
      extent const begin = base + bit_planes::before(team, at.total, warps, u);
      Kokkos::parallel_for(Kokkos::ThreadVectorRange(team, 32), [&](int lane) {
        if (at.mask[u] >> lane & 1)
          write(begin + Kokkos::Experimental::popcount_builtin(at.mask[u] & lanes_below(lane)), first + u * 32 + lane);
      });
    });
  }

  template <class Tag>
  void queue(Exec const& exec, std::string const& label) const
  {
    extent const teams = div_up(n.limit, items);
    Kokkos::TeamPolicy<Exec, Tag> policy(exec, int(teams), on_host<Exec> ? 1 : warps, on_host<Exec> ? 1 : 32);
    Kokkos::parallel_for(label, policy.set_scratch_size(0, Kokkos::PerTeam(sizeof(shared) + 32)), *this);
  }
};

template <class In, class Predicate>
struct keep_item {
  In in;
  Predicate predicate;
  ONEPASS_FUNCTION bool operator()(extent i) const { return predicate(in(i)); }
};
template <class In, class Out>
struct write_item_to {
  In in;
  Out out;
  ONEPASS_FUNCTION void operator()(extent place, extent i) const
  {
    if (place < out.size) out(place) = in(i);
  }
};
template <class In>
struct starts_run {
  In in;
  ONEPASS_FUNCTION bool operator()(extent i) const { return i == 0 || !(in(i - 1) == in(i)); }
};
struct write_begin {
  position* begins;
  ONEPASS_FUNCTION void operator()(extent place, extent i) const { begins[place] = position(i); }
};

/// A sequence of flags: 1 for each kept item.
template <class Keep>
struct flags {
  using value_type = position;
  Keep keep;
  extent size;
  ONEPASS_FUNCTION position operator()(extent i) const { return keep(i); }
};

/// Last kernel of the encoders: writes run k from the first positions of runs k and k + 1.
template <class In, class Symbols, class Lengths, class Runs>
struct write_runs {
  In in;
  item_count n;
  position const* begins;
  Symbols symbols;
  Lengths lengths;
  Runs const* runs;
  ONEPASS_FUNCTION void operator()(extent k) const
  {
    extent const all = extent(*runs);
    if (k >= all) return;
    extent const begin = begins[k], end = k + 1 < all ? extent(begins[k + 1]) : n();
    if (k < symbols.size) symbols(k) = in(begin);
    if (k < lengths.size) lengths(k) = static_cast<typename Lengths::value_type>(end - begin);
  }
};

template <class Keep, class Write>
struct scatter {
  Keep keep;
  Write write;
  position const* before;
  ONEPASS_FUNCTION void operator()(extent i) const
  {
    if (keep(i)) write(before[i], i);
  }
};

/// Output k is the kept item with k kept items before it; found by binary search.
template <class Write, class Count>
struct gather {
  extent n;
  Write write;
  position const* before;
  Count const* count;
  ONEPASS_FUNCTION void operator()(extent k) const
  {
    if (k >= extent(*count)) return;
    extent low = 0, high = n;
    while (high - low > 1) {
      extent const middle = low + (high - low) / 2;
      if (extent(before[middle]) <= k) low = middle;
      else high = middle;
    }
    write(k, low);
  }
};

/// The third kernel of the four-kernel encoder: writes the first position of every run.
struct write_begins {
  position const* rank;  ///< the number of runs that have begun, up to and including each item
  position* begins;
  ONEPASS_FUNCTION void operator()(extent i) const
  {
    if (i == 0 || rank[i] != rank[i - 1]) begins[rank[i] - 1] = position(i);
  }
};

template <class Keep>
struct write_mask {
  Keep keep;
  position* mask;
  ONEPASS_FUNCTION void operator()(extent i) const { mask[i] = keep(i); }
};

}  // namespace detail

}  // namespace onepass::ONEPASS_ABI::classic
