// SPDX-License-Identifier: Apache-2.0
// Thrust's merge and merge_by_key on the stream; they allocate in every call.
#include "problem.hpp"

#include <thrust/execution_policy.h>
#include <thrust/merge.h>

namespace perf {

namespace {

entry const thrust_merge{"thrust", [](race const& r) {
                           return with_type(item_types{}, r.type, [&](auto zero) -> call {
                             using T = decltype(zero);
                             halves<T> const in(r, 0);
                             auto* out        = static_cast<T*>(r.out[0]);
                             auto const where = thrust::cuda::par_nosync.on(space().cuda_stream());
                             if (r.stem() == "merge")
                               return [=] { thrust::merge(where, in.a, in.a + in.as, in.b, in.b + in.bs, out); };
                             halves<std::uint32_t> const beside(r, 1);
                             auto* values = static_cast<std::uint32_t*>(r.out[1]);
                             return [=] {
                               thrust::merge_by_key(where, in.a, in.a + in.as, in.b, in.b + in.bs, beside.a, beside.b,
                                                    out, values);
                             };
                           });
                         }};

}  // namespace

}  // namespace perf
