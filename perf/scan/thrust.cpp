// SPDX-License-Identifier: Apache-2.0
// Thrust's scans on the stream; they allocate in every call.
#include "problem.hpp"

#include <thrust/execution_policy.h>
#include <thrust/scan.h>

namespace perf {

namespace {

entry const thrust_scan{"thrust", [](race const& r) {
                          return with_type(item_types{}, r.type, [&](auto zero) -> call {
                            using T          = decltype(zero);
                            auto const* in   = static_cast<T const*>(r.in[0]);
                            auto* out        = static_cast<T*>(r.out[0]);
                            auto const n     = r.items;
                            auto const where = thrust::cuda::par_nosync.on(space().cuda_stream());
                            if (r.primitive == "exclusive_scan")
                              return [=] { thrust::exclusive_scan(where, in, in + n, out); };
                            return [=] { thrust::inclusive_scan(where, in, in + n, out); };
                          });
                        }};

}  // namespace

}  // namespace perf
