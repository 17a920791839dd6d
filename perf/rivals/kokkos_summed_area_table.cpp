// SPDX-License-Identifier: Apache-2.0
// The classic pipeline in plain Kokkos: sum every row by a team, transpose, sum every row again, transpose back.
#include "../summed_area_table_race.hpp"

namespace perf {

namespace {

template <class In, class Out>
void sum_rows(In const& in, Out const& out)
{
  using sum    = typename Out::value_type;
  using policy = Kokkos::TeamPolicy<space>;
  Kokkos::parallel_for("classic: rows", policy(int(in.extent(0)), Kokkos::AUTO), KOKKOS_LAMBDA(policy::member_type const& team) {
    const auto y = team.league_rank();
    Kokkos::parallel_scan(Kokkos::TeamThreadRange(team, int(in.extent(1))), [&](int x, sum& before, bool last) {
      before += static_cast<sum>(in(y, x));
      if (last) out(y, x) = before;
    });
  });
}

template <class In, class Out>
void transpose(In const& in, Out const& out)
{
  constexpr int side = 32;
  using item         = typename Out::value_type;
  using policy       = Kokkos::TeamPolicy<space>;
  using tile         = Kokkos::View<item[side][side + 1], Kokkos::LayoutRight, space::scratch_memory_space, Kokkos::MemoryUnmanaged>;
  const int  rows = int(in.extent(0)), columns = int(in.extent(1)), across = (columns + side - 1) / side;
  auto tiles = on_host ? policy((rows + side - 1) / side * across, 1) : policy((rows + side - 1) / side * across, 256);
  tiles.set_scratch_size(0, Kokkos::PerTeam(int(tile::shmem_size())));
  Kokkos::parallel_for("classic: transpose", tiles, KOKKOS_LAMBDA(policy::member_type const& team) {
    const tile t(team.team_scratch(0));
    const int  y0 = team.league_rank() / across * side, x0 = team.league_rank() % across * side;
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, side * side), [&](int i) {
      const int y = i / side, x = i % side;
      if (y0 + y < rows && x0 + x < columns) t(y, x) = in(y0 + y, x0 + x);
    });
    team.team_barrier();
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, side * side), [&](int i) {
      const int x = i / side, y = i % side;
      if (y0 + y < rows && x0 + x < columns) out(x0 + x, y0 + y) = t(y, x);
    });
  });
}

const entry classic{"classic", [](race const& r) {
  return with_type(summed_area_table_types{}, r.type, [&](auto zero) -> call {
    using T = decltype(zero);
    const auto in   = image<T>(r);
    const auto high = tall<T>(r);
    const auto out  = table<T>(r), side = table<T>(r, true);
    if (r.primitive == "rows") return [=] { sum_rows(in, out); };
    if (r.primitive == "transpose") return [=] { transpose(high, side); };
    const Kokkos::View<sum_type<T>**, Kokkos::LayoutRight, space> one("one", out.extent(0), out.extent(1)), two("two", side.extent(0), side.extent(1)), three("three", side.extent(0), side.extent(1));
    return [=] {
      sum_rows(in, one);
      transpose(one, two);
      sum_rows(two, three);
      transpose(three, out);
    };
  });
}};

}  // namespace

}  // namespace perf
