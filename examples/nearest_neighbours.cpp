// SPDX-License-Identifier: Apache-2.0
// The eight nearest neighbours of every point, in one kernel: a team for each point selects the points within a radius,
// in its own memory, sorts them by their distance, and writes the first ones (team.hpp). No list of all pairs is made.
#include <onepass/team.hpp>

#include <algorithm>
#include <cstdio>
#include <random>
#include <vector>

using exec_space = Kokkos::DefaultExecutionSpace;
using policy     = Kokkos::TeamPolicy<exec_space>;
using scratch    = exec_space::scratch_memory_space;
using unmanaged  = Kokkos::MemoryTraits<Kokkos::Unmanaged>;
template <class T>
using team_view = Kokkos::View<T*, scratch, unmanaged>;

constexpr int points = 2000, nearest = 8, room = 256;
constexpr float radius = .08f;

int main(int argc, char** argv)
{
  Kokkos::ScopeGuard const kokkos(argc, argv);
  exec_space const exec;

  std::mt19937 engine(1);
  std::uniform_int_distribution<int> grid(0, 9999);  // coordinates whose squares add up without rounding
  Kokkos::View<int* [2], exec_space> at("at", points);
  auto const here_at = Kokkos::create_mirror_view(at);
  for (int p = 0; p < points; ++p)
    for (int d = 0; d < 2; ++d) here_at(p, d) = grid(engine);
  Kokkos::deep_copy(at, here_at);
  auto const squared = KOKKOS_LAMBDA(int p, int q)
  {
    int const x = at(p, 0) - at(q, 0), y = at(p, 1) - at(q, 1);
    return x * x + y * y;
  };
  constexpr int reach = int(10000 * radius);

  Kokkos::View<int* [nearest], exec_space> neighbours("neighbours", points);
  Kokkos::View<int*, exec_space> counts("counts", points);
  std::size_t const bytes =
      std::max(onepass::team_scratch_bytes<int>(), onepass::team_sort_scratch_bytes<int, int>(room));
  policy teams(exec, points, Kokkos::AUTO);
  teams.set_scratch_size(0, Kokkos::PerTeam(bytes + 2 * std::size_t(team_view<int>::shmem_size(room))));
  Kokkos::parallel_for(
      "nearest", teams, KOKKOS_LAMBDA(policy::member_type const& team) {
        auto const here = onepass::in_team(team, bytes);
        team_view<int> const who(team.team_scratch(0), room), how_far(team.team_scratch(0), room);
        int const p = team.league_rank();
        int found;
        onepass::select_each(
            here, points, [&](onepass::extent q) { return q != p && squared(p, int(q)) < reach * reach; },
            [&](onepass::extent q, onepass::extent k) {
              if (k >= room) return;
              who(k)     = int(q);
              how_far(k) = squared(p, int(q));
            },
            found);
        Kokkos::pair<int, int> const all(0, Kokkos::min(found, int{room}));
        onepass::radix_sort_by_key(here, Kokkos::subview(how_far, all), Kokkos::subview(who, all));
        Kokkos::parallel_for(Kokkos::TeamThreadRange(team, nearest),
                             [&](int k) { neighbours(p, k) = k < found ? who(k) : -1; });
        Kokkos::single(Kokkos::PerTeam(team), [&] { counts(p) = found; });
      });

  auto const got   = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), neighbours);
  auto const found = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), counts);
  for (int p = 0; p < points; ++p) {
    std::vector<std::pair<int, int>> expected;
    for (int q = 0; q < points; ++q) {
      int const x = here_at(p, 0) - here_at(q, 0), y = here_at(p, 1) - here_at(q, 1);
      if (q != p && x * x + y * y < reach * reach) expected.push_back({x * x + y * y, q});
    }
    std::sort(expected.begin(), expected.end());
    if (found(p) != int(expected.size()) || found(p) > room) {
      std::printf("point %d has %d neighbours, not %zu\n", p, found(p), expected.size());
      return 1;
    }
    for (int k = 0; k < nearest; ++k)
      if (int const q = k < found(p) ? expected[std::size_t(k)].second : -1; got(p, k) != q) {
        std::printf("neighbour %d of point %d is %d, not %d\n", k, p, got(p, k), q);
        return 1;
      }
  }
  std::printf("%d points, the %d nearest of each found among those within %.2f\n", points, nearest, double(radius));
  return 0;
}
