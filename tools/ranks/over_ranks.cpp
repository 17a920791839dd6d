// SPDX-License-Identifier: Apache-2.0
#include "over_ranks.hpp"

#ifdef ONEPASS_HAS_MPI
#include <onepass/ranks/mpi.hpp>
#endif

namespace tools {

std::string over_ranks()
{
#ifdef ONEPASS_HAS_MPI
  return onepass::ranks::mpi::described();
#else
  return "none, since this build found no MPI";
#endif
}

}  // namespace tools
