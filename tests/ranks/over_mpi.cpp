// SPDX-License-Identifier: Apache-2.0
// The same random calls over the ranks of MPI.
// usage: mpirun -n 4 onepass_rank_cases_mpi [--seed S] [--first N] [--cases N]
#include "cases.hpp"

#include <onepass/ranks/mpi.hpp>

#include <cstdio>
#include <unistd.h>

int main(int argc, char** argv)
{
  MPI_Init(&argc, &argv);
  auto const o             = ranks_test::read(argc, argv);
  unsigned long long wrong = 0;
  {
    Kokkos::ScopeGuard const kokkos(Kokkos::InitializationSettings().set_disable_warnings(true));
    onepass::ranks::mpi all(MPI_COMM_WORLD);
    onepass::workspace<ranks_test::space> scratch(ranks_test::space{});
    for (auto k = o.first; k < o.first + o.cases; ++k) {
      alarm(120);  // ends a program whose ranks wait for each other
      auto const verdict = ranks_test::run_case(all, o.seed, k, scratch);
      if (verdict.empty()) continue;
      ++wrong;
      std::printf("%llu: rank %d of %d: %s\n  again: mpirun -n %d %s --seed %llu --first %llu --cases 1\n", k,
                  all.rank(), all.size(), verdict.c_str(), all.size(), argv[0], o.seed, k);
    }
    all.meet();
    if (all.rank() == 0) std::printf("rank cases: %llu of seed %llu over %s\n", o.cases, o.seed, all.name().c_str());
  }
  MPI_Finalize();
  return wrong > 0;
}
