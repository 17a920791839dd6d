// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/execution/place.hpp>

#if defined(_OPENMP)
#include <omp.h>
#endif

namespace onepass::backends::host {

/// Whether the calling thread runs a kernel already, and can not begin another: Kokkos would wait for the first.
inline bool inside_kernel()
{
#if defined(_OPENMP)
  return omp_in_parallel() && omp_get_active_level() >= omp_get_max_active_levels();
#else
  return false;
#endif
}

/// How many threads of the space a call has.
template <class Exec>
extent threads_of(Exec const& space)
{
  return inside_kernel() ? 1 : extent(space.concurrency());
}

/// Calls worker(0) ... worker(threads - 1), each by a thread.
template <class Exec, class Worker>
void on_threads(std::string const& label, Exec const& space, extent threads, Worker const& worker)
{
  if (inside_kernel()) worker(0);
  else
    Kokkos::parallel_for(label, Kokkos::RangePolicy<Exec, Kokkos::Schedule<Kokkos::Static>>(space, 0, int(threads)),
                         worker);
}

}  // namespace onepass::backends::host
