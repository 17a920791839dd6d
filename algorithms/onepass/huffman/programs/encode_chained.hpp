// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/huffman/programs/encode.hpp>
#include <onepass/in_situ.hpp>

namespace onepass::huffman {

/// Encoding in one kernel: a team measures some tiles, learns by look-back where they go, and writes them, by way of
/// its memory where they fit. It reads its items a second time, but while they are still near.
template <class Split, class Exec, class Tuning>
struct chained_encoder {
  static constexpr int tiles_per_team = on_host<Exec> || std::is_same_v<Tuning, tiny_tuning> ? 1 : 8;
  static constexpr int threads        = on_host<Exec> ? 1 : tiles_per_team * tile_lanes;

  using policy = Kokkos::TeamPolicy < Exec, Kokkos::LaunchBounds<threads, threads<256 ? 1 : 4>>;
  using chain  = tile_chain<std::uint32_t>;

  encode_parts<Split> parts;
  encode_target to;
  chain sizes;         ///< units of four words
  std::uint32_t room;  ///< of a tile in the team's memory, in such units

  struct memory {
    std::uint32_t table[alphabet];
    std::uint32_t slot[tiles_per_team][sealed_words];  ///< lengths of the strings, then the header
    std::uint32_t units[tiles_per_team];
  };

  std::size_t scratch_bytes() const { return chain::scratch_bytes() + sizeof(memory) + stage_bytes() + 64; }

  template <class Team>
  ONEPASS_FUNCTION void operator()(Team const& team) const
  {
    auto const group   = sizes.enter(team);
    auto& m            = *static_cast<memory*>(team.team_scratch(0).get_shmem_aligned(sizeof(memory), 16));
    extent const first = group.index() * tiles_per_team, tiles = parts.tiles();
    int const rank = team.team_rank();
    for (int s = rank; s < alphabet; s += threads) m.table[s] = parts.codes[s];
    team.team_barrier();
    each_lane(rank, first, tiles, [&](int t, int lane) {
      reinterpret_cast<raw<std::uint16_t>*>(m.slot[t])[lane].word =
          std::uint16_t(parts.measure(first + t, lane, m.table));
    });
    team.team_barrier();
    if (rank < tiles_per_team) m.units[rank] = first + rank < tiles ? seal(m.slot[rank]) : 0;
    team.team_barrier();

    auto* const stages = static_cast<pack*>(team.team_scratch(0).get_shmem_aligned(stage_bytes(), 16));
    for (std::uint32_t p = std::uint32_t(rank); p < tiles_per_team * room; p += threads) stages[p] = {};
    std::uint32_t all = 0;
    ONEPASS_UNROLL for (int t = 0; t < tiles_per_team; ++t) all += m.units[t];
    std::uint32_t const before = group.look_back(all, plus{}, std::uint32_t(0));
    team.team_barrier();  // the first team waits for nobody
    each_lane(rank, first, tiles, [&](int t, int lane) {
      std::uint32_t const begin = before + units_before(m, t), units = m.units[t];
      if (lane == 0) to.index[first + t] = begin;
      if (units <= room) parts.write_to_stage(first + t, lane, m.table, {m.slot[t]}, &stages[t * room].word[0]);
      else if (begin + units <= to.room)
        parts.write(first + t, lane, m.table, {m.slot[t]}, to.coded + std::size_t(begin) * 4, units * 4);
    });
    team.team_barrier();
    each_lane(rank, first, tiles, [&](int t, int lane) {
      std::uint32_t const begin = before + units_before(m, t), units = m.units[t];
      if (units <= room && begin + units <= to.room)
        for (std::uint32_t p = std::uint32_t(lane); p < units; p += tile_lanes)
          reinterpret_cast<pack*>(to.coded)[begin + p] = stages[t * room + p];
    });
    if (rank == 0 && group.is_last()) to.index[tiles] = before + all;
  }

private:
  ONEPASS_FUNCTION std::size_t stage_bytes() const { return std::size_t(tiles_per_team) * room * sizeof(pack); }

  ONEPASS_FUNCTION static std::uint32_t units_before(memory const& m, int tile)
  {
    std::uint32_t units = 0;
    for (int t = 0; t < tile; ++t) units += m.units[t];
    return units;
  }

  /// f(tile of the team, lane) for the lanes of this thread.
  template <class F>
  ONEPASS_FUNCTION static void each_lane(int rank, extent first, extent tiles, F const& f)
  {
    if constexpr (on_host<Exec>) {
      for (int lane = 0; lane < tile_lanes && first < tiles; ++lane) f(0, lane);
    } else if (first + rank / tile_lanes < tiles) f(rank / tile_lanes, rank % tile_lanes);
  }
};

/// The place has a workspace.
template <class Split, class Place>
void encode_chained(Place const& where, encode_parts<Split> const& parts, encode_target const& to)
{
  using machine      = chained_encoder<Split, typename Place::execution_space, typename Place::tuning>;
  extent const teams = parts.tiles() > 0 ? div_up(parts.tiles(), machine::tiles_per_team) : 1;
  auto const room    = std::uint32_t(parts.layout.per_lane * 5 / 4);  // five bits a symbol
  machine const encoder{parts, to, make_tile_chain<std::uint32_t>(where, teams), room};
  auto p = typename machine::policy(where.space, int(teams), machine::threads);
  p.set_scratch_size(0, Kokkos::PerTeam(int(encoder.scratch_bytes())));
  Kokkos::parallel_for(where.label, p, encoder);
}

}  // namespace onepass::huffman
