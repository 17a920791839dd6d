// SPDX-License-Identifier: Apache-2.0
// Thrust's stable_partition_copy on the stream, which runs CUB's kernel; it allocates in every call, returns its count
// and so waits for the device.
#include "harness/inputs.hpp"
#include "problem.hpp"

#include <thrust/execution_policy.h>
#include <thrust/partition.h>

namespace perf {

namespace {

entry const thrust_partition{"thrust", [](race const& r) -> call {
                               if (r.stem() != "partition_if") return {};
                               return with_type(item_types{}, r.type, [&](auto zero) -> call {
                                 using T        = decltype(zero);
                                 auto const* in = static_cast<T const*>(r.in[0]);
                                 auto *kept = static_cast<T*>(r.out[0]), *others = static_cast<T*>(r.out[1]);
                                 auto* told       = r.told;
                                 auto const n     = r.items;
                                 auto const where = thrust::cuda::par_nosync.on(space().cuda_stream());
                                 return [=, keep = keeping<T>(r.variant())] {
                                   *told = thrust::stable_partition_copy(where, in, in + n, kept, others, keep).first
                                           - kept;
                                 };
                               });
                             }};

}  // namespace

}  // namespace perf
