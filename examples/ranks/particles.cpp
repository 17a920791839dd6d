// SPDX-License-Identifier: Apache-2.0
// Particles over ranks: each rank has a strip of cells and the particles in it. They move; those that leave the box are
// removed; the others go to the ranks that have their cells, in the order of cells; and before the last step all
// ranks get equally many, for work that has nothing to do with cells. Every rank checks what it holds.
// usage: mpirun -n 4 example_ranks_particles
#include <onepass/ranks/mpi.hpp>
#include <onepass/ranks/reduce.hpp>
#include <onepass/ranks/repartition.hpp>
#include <onepass/ranks/select.hpp>
#include <onepass/ranks/sort_by_cell.hpp>

#include <Kokkos_Core.hpp>

#include <cstdio>

namespace over   = onepass::ranks;
using exec_space = Kokkos::DefaultExecutionSpace;
using onepass::extent;

/// What a rank holds: places and speeds in units of 2^-16 of the box, so that nothing is rounded.
struct particle {
  int x, speed;
  unsigned id;
};
using particles = Kokkos::View<particle*, exec_space>;
using cells     = Kokkos::View<int*, exec_space>;

constexpr int box = 1 << 16, cell_count = 1 << 8, particle_count = 100000, steps = 10;

struct place_it {
  particles all;
  extent first;
  KOKKOS_FUNCTION void operator()(int i) const
  {
    unsigned const id = unsigned(first) + unsigned(i);
    all(i)            = {int(id * 2654435761u >> 16), int(id % 8191) - 4095, id};
  }
};
struct move_it {
  particles all;
  KOKKOS_FUNCTION void operator()(int i) const { all(i).x += all(i).speed; }
};
struct stays {
  KOKKOS_FUNCTION bool operator()(particle const& p) const { return 0 <= p.x && p.x < box; }
};
struct find_cell {
  particles all;
  cells to;
  KOKKOS_FUNCTION void operator()(int i) const { to(i) = all(i).x / (box / cell_count); }
};
struct is_elsewhere {
  particles all;
  cells offsets;
  int first, own;
  KOKKOS_FUNCTION void operator()(int c, int& wrong) const
  {
    for (int i = offsets(c); i < offsets(c + 1); ++i)
      wrong += all(i).x / (box / cell_count) != first + c || (i > offsets(c) && all(i - 1).id == all(i).id);
  }
};

/// Whether a particle is still in the box after all steps.
bool survives(unsigned id)
{
  int x = int(id * 2654435761u >> 16);
  for (int step = 0; step < steps; ++step) {
    x += int(id % 8191) - 4095;
    if (x < 0 || x >= box) return false;
  }
  return true;
}
struct take_id {
  particles all;
  Kokkos::View<std::uint64_t*, exec_space> to;
  KOKKOS_FUNCTION void operator()(int i) const { to(i) = all(i).id; }
};

template <class Body>
void each(exec_space const& exec, extent n, Body const& body)
{
  Kokkos::parallel_for(Kokkos::RangePolicy<exec_space>(exec, 0, n), body);
}

bool simulate(over::transport& all)
{
  exec_space const exec;
  onepass::workspace<exec_space> scratch(exec);
  auto const where = onepass::on(exec).with(scratch);
  int const first = cell_count * all.rank() / all.size(), own = cell_count * (all.rank() + 1) / all.size() - first;
  extent const born = extent(particle_count) * all.rank() / all.size();
  particles now("particles", std::size_t(extent(particle_count) * (all.rank() + 1) / all.size() - born));
  each(exec, extent(now.extent(0)), place_it{now, born});
  cells const offsets("offsets", std::size_t(own + 1));
  extent left = 0;
  for (int step = 0; step < steps; ++step) {
    each(exec, extent(now.extent(0)), move_it{now});
    particles const inside("inside", now.extent(0));
    auto const kept = over::select_if(all, where, now, inside, stays{});
    auto const mine = Kokkos::subview(inside, std::pair<extent, extent>(0, kept.count));
    cells const cell("cell", std::size_t(kept.count));
    each(exec, kept.count, find_cell{mine, cell});
    auto const moves = over::sort_by_cell(all, where, cell, offsets);
    now              = particles("particles", std::size_t(moves.size()));
    moves.move(mine, now);
    left = kept.total;
  }
  int wrong = 0;
  Kokkos::parallel_reduce(Kokkos::RangePolicy<exec_space>(exec, 0, own), is_elsewhere{now, offsets, first, own}, wrong);
  particles const even("even", std::size_t(over::even_block(all, extent(now.extent(0))).count));
  over::repartition(all, where, now, even);

  // The same particles as one that follows each of them by itself has.
  Kokkos::View<std::uint64_t*, exec_space> const ids("ids", even.extent(0));
  each(exec, extent(even.extent(0)), take_id{even, ids});
  auto const sum       = over::reduce(all, where, ids);
  std::uint64_t wanted = 0;
  extent count         = 0;
  for (unsigned id = 0; id < unsigned(particle_count); ++id)
    if (survives(id)) wanted += id, ++count;
  return wrong == 0 && left == count && sum == wanted;
}

int main(int argc, char** argv)
{
  MPI_Init(&argc, &argv);
  bool right = false;
  {
    Kokkos::ScopeGuard const kokkos(argc, argv);
    over::mpi all(MPI_COMM_WORLD);
    right = simulate(all);
    if (all.rank() == 0) std::printf("%s over %s\n", right ? "right" : "WRONG", all.name().c_str());
  }
  MPI_Finalize();
  return right ? 0 : 1;
}
