// SPDX-License-Identifier: Apache-2.0
// Thrust's copy_if and unique_copy on the stream; they allocate in every call, return their count and so wait for the
// device.
#include "harness/inputs.hpp"
#include "problem.hpp"

#include <thrust/copy.h>
#include <thrust/execution_policy.h>
#include <thrust/unique.h>

namespace perf {

namespace {

entry const thrust_select{"thrust", [](race const& r) {
                            return with_type(item_types{}, r.type, [&](auto zero) -> call {
                              using T          = decltype(zero);
                              auto const* in   = static_cast<T const*>(r.in[0]);
                              auto* out        = static_cast<T*>(r.out[0]);
                              auto* told       = r.told;
                              auto const n     = r.items;
                              auto const where = thrust::cuda::par_nosync.on(space().cuda_stream());
                              if (r.stem() == "unique")
                                return [=] { *told = thrust::unique_copy(where, in, in + n, out) - out; };
                              return [=, keep = keeping<T>(r.variant())] {
                                *told = thrust::copy_if(where, in, in + n, out, keep) - out;
                              };
                            });
                          }};

}  // namespace

}  // namespace perf
