// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/in_situ.hpp>
#include <onepass/programs/huffman_encode.hpp>

namespace onepass::huffman {

/// Encoding in one kernel: a team measures some tiles, learns by look-back where they go, and writes them. It reads its
/// items a second time, but while they are still near.
template <class Split, class Exec, class Tuning>
struct chained_encoder {
  static constexpr bool on_host = Kokkos::SpaceAccessibility<Exec, Kokkos::HostSpace>::accessible;
  static constexpr int  tiles_per_team = on_host || std::is_same_v<Tuning, tiny_tuning> ? 1 : 8;
  static constexpr int  threads = on_host ? 1 : tiles_per_team * tile_lanes;

  using policy = Kokkos::TeamPolicy<Exec, Kokkos::LaunchBounds<threads, threads < 256 ? 1 : 4>>;
  using chain  = tile_chain<std::uint32_t>;

  encode_parts<Split> parts;
  encode_target       to;
  chain               sizes;  ///< units of four words

  struct memory {
    std::uint32_t table[alphabet];
    std::uint32_t slot[tiles_per_team][sealed_words];  ///< lengths of the strings, then the header
    std::uint32_t units[tiles_per_team];
  };

  static constexpr std::size_t scratch_bytes() { return chain::scratch_bytes() + sizeof(memory) + 32; }

  template <class Team>
  ONEPASS_FUNCTION void operator()(Team const& team) const
  {
    const auto   group = sizes.enter(team);
    auto&        m     = *static_cast<memory*>(team.team_scratch(0).get_shmem_aligned(sizeof(memory), 16));
    const extent first = group.index() * tiles_per_team, tiles = parts.tiles();
    const int    rank  = team.team_rank();
    for (int s = rank; s < alphabet; s += threads) m.table[s] = parts.codes[s];
    team.team_barrier();
    each_lane(rank, first, tiles, [&](int t, int lane) {
      reinterpret_cast<raw<std::uint16_t>*>(m.slot[t])[lane].word = std::uint16_t(parts.measure(first + t, lane, m.table));
    });
    team.team_barrier();
    if (rank < tiles_per_team) m.units[rank] = first + rank < tiles ? seal(m.slot[rank]) : 0;
    team.team_barrier();

    std::uint32_t all = 0;
    ONEPASS_UNROLL for (int t = 0; t < tiles_per_team; ++t) all += m.units[t];
    const std::uint32_t before = group.look_back(all, plus{}, std::uint32_t(0));
    each_lane(rank, first, tiles, [&](int t, int lane) {
      std::uint32_t begin = before;
      for (int k = 0; k < t; ++k) begin += m.units[k];
      const std::uint32_t end = begin + m.units[t];
      if (lane == 0) to.index[first + t] = begin;
      if (end <= to.room) parts.write(first + t, lane, m.table, {m.slot[t]}, to.coded + std::size_t(begin) * 4, (end - begin) * 4);
    });
    if (rank == 0 && group.is_last()) to.index[tiles] = before + all;
  }

private:
  /// f(tile of the team, lane) for the lanes of this thread.
  template <class F>
  ONEPASS_FUNCTION static void each_lane(int rank, extent first, extent tiles, F const& f)
  {
    if constexpr (on_host) {
      for (int lane = 0; lane < tile_lanes && first < tiles; ++lane) f(0, lane);
    } else if (first + rank / tile_lanes < tiles) f(rank / tile_lanes, rank % tile_lanes);
  }
};

/// The place has a workspace.
template <class Split, class Place>
void encode_chained(Place const& where, encode_parts<Split> const& parts, encode_target const& to)
{
  using machine      = chained_encoder<Split, typename Place::execution_space, typename Place::tuning>;
  const extent teams = parts.tiles() > 0 ? div_up(parts.tiles(), machine::tiles_per_team) : 1;
  auto         p     = typename machine::policy(where.space, int(teams), machine::threads);
  p.set_scratch_size(0, Kokkos::PerTeam(int(machine::scratch_bytes())));
  Kokkos::parallel_for(where.label, p, machine{parts, to, make_tile_chain<std::uint32_t>(where, teams)});
}

}  // namespace onepass::huffman
