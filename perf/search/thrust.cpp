// SPDX-License-Identifier: Apache-2.0
// Thrust's lower_bound of many needles on the stream.
#include "problem.hpp"

#include <thrust/binary_search.h>
#include <thrust/execution_policy.h>

namespace perf {

namespace {

entry const thrust_search{"thrust", [](race const& r) {
                            return with_type(item_types{}, r.type, [&](auto zero) -> call {
                              using T             = decltype(zero);
                              auto const* first   = static_cast<T const*>(r.in[0]);
                              auto const* needles = static_cast<T const*>(r.in[1]);
                              auto* positions     = static_cast<std::uint32_t*>(r.out[0]);
                              auto const n        = r.items;
                              auto const where    = thrust::cuda::par_nosync.on(space().cuda_stream());
                              return [=] {
                                thrust::lower_bound(where, first, first + n, needles, needles + n, positions);
                              };
                            });
                          }};

}  // namespace

}  // namespace perf
