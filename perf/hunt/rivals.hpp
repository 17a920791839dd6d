// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "harness/machines.hpp"
#include "harness/std_policies.hpp"
#include "items.hpp"
#include "trial.hpp"

#include <Kokkos_StdAlgorithms.hpp>

#include <algorithm>
#include <numeric>
#ifdef KOKKOS_ENABLE_CUDA
#include "harness/cub_call.hpp"

#include <thrust/execution_policy.h>
#endif

// How contenders are added to a case, for all families.
namespace perf::hunt {

namespace algorithms = Kokkos::Experimental;

using range = Kokkos::RangePolicy<space, Kokkos::IndexType<std::int64_t>>;

/// Onepass as its backend chooses, with a workspace or bare.
template <class Queue>
void enter_onepass(trial& t, Queue const& queue)
{
  if (t.bare()) t.enter("onepass", [queue] { queue(onepass::on(space())); });
  else t.enter("onepass", with_workspace(onepass::on(space()), queue));
}

#ifdef KOKKOS_ENABLE_CUDA
/// run(storage, bytes, stream), temporary storage allocated before.
template <class Run>
void enter_cub(trial& t, Run const& run)
{
  t.enter("cub", cub_call(run));
}

/// run(policy): Thrust on the stream. It allocates in every call.
template <class Run>
void enter_thrust(trial& t, Run const& run)
{
  t.enter("thrust", [run] { run(thrust::cuda::par_nosync.on(space().cuda_stream())); });
}
#else
/// run(policy...): std's algorithm on the calling thread and, where there is TBB, on all.
template <class Run>
void enter_std(trial& t, Run const& run)
{
  t.enter("std", [run] { run(); });
#ifdef ONEPASS_HAS_TBB
  t.enter("std.par", [run] { run(std::execution::par); });
#endif
}
#endif

}  // namespace perf::hunt
