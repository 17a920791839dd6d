// SPDX-License-Identifier: Apache-2.0
// Thrust's reduce_by_key on ones, on the stream; it allocates in every call, returns its count and so waits for the
// device.
#include "problem.hpp"

#include <thrust/execution_policy.h>
#include <thrust/iterator/constant_iterator.h>
#include <thrust/reduce.h>

namespace perf {

namespace {

entry const thrust_encode{"thrust", [](race const& r) {
                            return with_type(item_types{}, r.type, [&](auto zero) -> call {
                              using T          = decltype(zero);
                              auto const* in   = static_cast<T const*>(r.in[0]);
                              auto* symbols    = static_cast<T*>(r.out[0]);
                              auto* lengths    = static_cast<std::uint32_t*>(r.out[1]);
                              auto* told       = r.told;
                              auto const n     = r.items;
                              auto const where = thrust::cuda::par_nosync.on(space().cuda_stream());
                              return [=] {
                                thrust::constant_iterator<std::uint32_t> const ones(1);
                                *told =
                                    thrust::reduce_by_key(where, in, in + n, ones, symbols, lengths).first - symbols;
                              };
                            });
                          }};

}  // namespace

}  // namespace perf
