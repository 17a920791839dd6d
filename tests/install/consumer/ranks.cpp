// SPDX-License-Identifier: Apache-2.0
#include <onepass/ranks/mpi.hpp>
#include <onepass/ranks/reduce.hpp>
#include <onepass/ranks/threads.hpp>

#include <Kokkos_Core.hpp>

#include <cstdio>
#ifdef ONEPASS_NCCL
#include <nccl.h>  // wherever it was when onepass was built
#endif

int main(int argc, char** argv)
{
  Kokkos::ScopeGuard const kokkos(argc, argv);
  namespace ranks = onepass::ranks;
  long sum        = 0;
  ranks::on_threads(3, [&](ranks::transport& all) {
    auto const mine = ranks::reduce(all, onepass::serially(), onepass::constant<long>{all.rank(), 10});
    if (all.rank() == 0) sum = mine;
  });
  std::printf("%ld over %s\n", sum, ranks::mpi::library().c_str());
  return sum != 30;
}
