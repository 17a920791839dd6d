// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "parts.hpp"

#include <onepass/in_situ.hpp>

// Rows for a kernel of the user's own, whose teams claim room for the items that they keep.
namespace tools {

template <class Exec, class T>
struct keep_by_teams {
  using member                                   = typename Kokkos::TeamPolicy<Exec>::member_type;
  static constexpr onepass::extent items_of_team = 1024;

  onepass::tile_allocator<onepass::extent> ranges;
  Kokkos::View<T const*, Exec> in;
  Kokkos::View<T*, Exec> out;
  keep_percent keep;

  KOKKOS_FUNCTION void operator()(member const& team) const
  {
    auto const tile         = ranges.enter(team);
    onepass::extent const n = onepass::extent(in.extent(0)), begin = tile.index() * items_of_team;
    onepass::extent const size = n - begin < items_of_team ? n - begin : items_of_team;
    auto const items           = Kokkos::TeamThreadRange(team, size);
    onepass::extent kept       = 0;
    Kokkos::parallel_reduce(
        items, [&](onepass::extent i, onepass::extent& count) { count += keep(in(begin + i)); }, kept);
    auto const mine = tile.claim(kept);
    Kokkos::parallel_scan(items, [&](onepass::extent i, onepass::extent& before, bool known) {
      bool const wanted = keep(in(begin + i));
      if (known && wanted && before < mine.size) out(mine.begin + before) = in(begin + i);
      before += wanted;
    });
  }
};

template <class T>
void in_situ_rows(session& s)
{
  auto const items = s.items<T>();
  keep_percent const keep{50};
  std::vector<T> kept;
  std::copy_if(items.begin(), items.end(), std::back_inserter(kept), keep);
  auto const call = [=](auto const& place, auto const& in, auto const& out, auto const& total) {
    using exec        = typename std::decay_t<decltype(place)>::execution_space;
    using kernel      = keep_by_teams<exec, T>;
    auto const teams  = onepass::div_up(onepass::extent(in.extent(0)), kernel::items_of_team);
    auto const ranges = onepass::make_tile_allocator(place, teams, onepass::extent(out.extent(0)), total);
    int const threads = std::is_same_v<exec, Kokkos::DefaultHostExecutionSpace> ? 1 : 128;
    Kokkos::TeamPolicy<exec> const policy(place.space, int(teams), threads);
    Kokkos::parallel_for("onepass check",
                         Kokkos::TeamPolicy<exec>(policy).set_scratch_size(0, Kokkos::PerTeam(ranges.scratch_bytes())),
                         kernel{ranges, in, out, keep});
  };
  rows_of(s, {"", "50 %", type_name<T>}, "tile_allocator", inputs(items), parts(kept.size(), part(kept, items)), call,
          all_spaces);
  std::vector<T> const half(kept.begin(), kept.begin() + long(kept.size() / 2));
  rows_of(s, {"", "no room", type_name<T>}, "tile_allocator", inputs(items), parts(kept.size(), part(half, half)), call,
          all_spaces);
}

}  // namespace tools
