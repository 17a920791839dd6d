// SPDX-License-Identifier: Apache-2.0
// Rays over a grid of 512 x 512 points look for spheres; most find none, some several. One kernel writes all hits into
// one list, in the order of the rays: teams allocate room in the list while they run (in_situ.hpp). For comparison the
// two usual ways: an atomic counter, which is as fast but gives no order, and counting, scanning, and casting again.
#include <onepass/in_situ.hpp>
#include <onepass/scan.hpp>

#include <chrono>
#include <cstdio>
#include <vector>

using exec_space = Kokkos::DefaultExecutionSpace;
using member     = Kokkos::TeamPolicy<exec_space>::member_type;

constexpr int side = 512, rays = side * side, spheres = 64, rays_of_tile = 128, tiles = rays / rays_of_tile;

struct hit {
  int ray, sphere;
};

/// The spheres that a ray meets, one bit each. All rays look straight down.
KOKKOS_INLINE_FUNCTION std::uint64_t cast(int ray)
{
  int const x = ray % side, y = ray / side;
  std::uint64_t met = 0;
  for (int s = 0; s < spheres; ++s) {
    int const dx = x - s * 131 % side, dy = y - s * s * 37 % side, radius = 3 + s % 24;
    if (dx * dx + dy * dy < radius * radius) met |= std::uint64_t(1) << s;
  }
  return met;
}

KOKKOS_INLINE_FUNCTION int number_of(std::uint64_t met)
{
  int n = 0;
  for (; met; met &= met - 1) ++n;
  return n;
}

/// Writes the hits of one ray, in the order of the spheres, as many as there is room for.
template <class List>
KOKKOS_INLINE_FUNCTION void write(List const& list, onepass::extent at, int ray, std::uint64_t met)
{
  for (int s = 0; s < spheres; ++s)
    if (met >> s & 1) {
      if (at < onepass::extent(list.extent(0))) list(at) = {ray, s};
      ++at;
    }
}

/// One kernel: casts a tile of rays, allocates by claim(), writes.
template <class List, class Tile>
KOKKOS_INLINE_FUNCTION void cast_tile(member const& team, List const& list, onepass::extent tile, Tile const& claim)
{
  auto* const met =
      static_cast<std::uint64_t*>(team.team_scratch(0).get_shmem_aligned(rays_of_tile * sizeof(std::uint64_t), 16));
  int all = 0;
  Kokkos::parallel_reduce(
      Kokkos::TeamThreadRange(team, rays_of_tile),
      [&](int r, int& sum) {
        met[r] = cast(int(tile) * rays_of_tile + r);
        sum += number_of(met[r]);
      },
      all);
  onepass::extent const begin = claim(all);
  Kokkos::parallel_scan(Kokkos::TeamThreadRange(team, rays_of_tile), [&](int r, int& before, bool final) {
    if (final) write(list, begin + before, int(tile) * rays_of_tile + r, met[r]);
    before += number_of(met[r]);
  });
}

/// The shortest of several runs, in microseconds.
template <class Work>
double best_time(Work const& work)
{
  double best = 1e9;
  for (int round = 0; round < 10; ++round) {
    Kokkos::fence();
    auto const start = std::chrono::steady_clock::now();
    work();
    Kokkos::fence();
    best = std::min(best, std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count());
  }
  return best;
}

int main(int argc, char** argv)
{
  using number = Kokkos::View<onepass::extent, exec_space>;
  Kokkos::ScopeGuard const kokkos(argc, argv);
  exec_space const exec;
  onepass::workspace<exec_space> scratch(exec);
  Kokkos::View<hit*, exec_space> list("hits", 1000);
  number total("total");

  auto const policy = [&](std::size_t bytes) {
    return Kokkos::TeamPolicy<exec_space>(exec, tiles, Kokkos::AUTO)
        .set_scratch_size(0, Kokkos::PerTeam(int(bytes + rays_of_tile * sizeof(std::uint64_t) + 32)));
  };
  auto const in_situ = [&] {
    auto const ranges = onepass::make_tile_allocator(onepass::on(exec).with(scratch), tiles, list.extent(0), total);
    auto const to     = list;
    Kokkos::parallel_for(
        "in situ", policy(ranges.scratch_bytes()), KOKKOS_LAMBDA(member const& team) {
          auto const tile = ranges.enter(team);
          cast_tile(team, to, tile.index(), [&](int asked) { return tile.claim(asked).begin; });
        });
  };
  in_situ();
  onepass::extent count = 0;
  Kokkos::deep_copy(count, total);  // if there was too little room: the total is exact, so one more run suffices
  list             = Kokkos::View<hit*, exec_space>("hits", count);
  double const own = best_time(in_situ);

  auto const ordered = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), list);
  number next("next");
  double const atomic = best_time([&] {
    auto const to = list;
    Kokkos::deep_copy(exec, next, 0);
    Kokkos::parallel_for(
        "atomic", policy(0), KOKKOS_LAMBDA(member const& team) {
          cast_tile(team, to, team.league_rank(), [&](int asked) {
            onepass::extent begin = 0;
            Kokkos::single(
                Kokkos::PerTeam(team),
                [&](onepass::extent& b) { b = Kokkos::atomic_fetch_add(next.data(), onepass::extent(asked)); }, begin);
            return begin;
          });
        });
  });
  Kokkos::View<int*, exec_space> counts("counts", rays);
  Kokkos::View<onepass::extent*, exec_space> offsets("offsets", rays);
  double const twice = best_time([&] {
    auto const to = list;
    Kokkos::parallel_for(
        "count", Kokkos::RangePolicy<exec_space>(exec, 0, rays),
        KOKKOS_LAMBDA(int r) { counts(r) = number_of(cast(r)); });
    onepass::exclusive_scan(onepass::on(exec).with(scratch), counts, offsets);
    Kokkos::parallel_for(
        "fill", Kokkos::RangePolicy<exec_space>(exec, 0, rays),
        KOKKOS_LAMBDA(int r) { write(to, offsets(r), r, cast(r)); });
  });

  // The reference: ray by ray, on the host.
  onepass::extent at = 0;
  bool right         = true;
  for (int r = 0; r < rays; ++r)
    for (std::uint64_t met = cast(r); met; met &= met - 1, ++at) {
      int s = 0;
      while (!(met >> s & 1)) ++s;
      right = right && at < count && ordered(at).ray == r && ordered(at).sphere == s;
    }
  onepass::extent any_order = 0;
  Kokkos::deep_copy(any_order, next);
  if (!right || at != count || any_order != count) {
    std::printf("%lld hits, not these %lld in their order\n", static_cast<long long>(count),
                static_cast<long long>(at));
    return 1;
  }
  std::printf(
      "%d rays, %lld hits. In situ %.0f us, an atomic counter (no order) %.0f us, count, scan and cast again %.0f us\n",
      rays, static_cast<long long>(count), own, atomic, twice);
  return 0;
}
