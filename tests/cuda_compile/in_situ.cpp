// SPDX-License-Identifier: Apache-2.0
// A user's kernel that allocates.
#include <onepass/in_situ.hpp>

using items  = Kokkos::View<std::uint32_t*, Kokkos::CudaSpace>;
using counts = Kokkos::View<onepass::extent, Kokkos::CudaSpace>;

void allocate(Kokkos::Cuda const& exec, onepass::workspace<Kokkos::Cuda>& scratch, items asked, items out, counts total)
{
  using policy      = Kokkos::TeamPolicy<Kokkos::Cuda>;
  auto const ranges = onepass::make_tile_allocator(onepass::on(exec).with(scratch), onepass::extent(asked.extent(0)),
                                                   onepass::extent(out.extent(0)), total);
  auto p            = policy(exec, int(asked.extent(0)), 128);
  Kokkos::parallel_for(
      "allocate", p.set_scratch_size(0, Kokkos::PerTeam(ranges.scratch_bytes())),
      KOKKOS_LAMBDA(policy::member_type const& team) {
        auto const tile = ranges.enter(team);
        auto const mine = tile.claim(asked(tile.index()));
        Kokkos::parallel_for(Kokkos::TeamThreadRange(team, mine.size),
                             [&](onepass::extent i) { out(mine.begin + i) = std::uint32_t(i); });
      });
}
