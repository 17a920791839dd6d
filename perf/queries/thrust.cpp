// SPDX-License-Identifier: Apache-2.0
// Thrust's algorithms of these names on the stream; what they find they return, so those calls wait for the device.
#include "problem.hpp"

#include <thrust/adjacent_difference.h>
#include <thrust/count.h>
#include <thrust/execution_policy.h>
#include <thrust/extrema.h>
#include <thrust/find.h>

namespace perf {

namespace {

entry const thrust_queries{"thrust", [](race const& r) {
                             return with_type(item_types{}, r.type, [&](auto zero) -> call {
                               using T          = decltype(zero);
                               auto const* in   = static_cast<T const*>(r.in[0]);
                               auto* out        = static_cast<T*>(r.out[0]);
                               auto* told       = r.told;
                               auto const n     = r.items;
                               auto const where = thrust::cuda::par_nosync.on(space().cuda_stream());
                               if (r.stem() == "count_if")
                                 return [=] { *told = thrust::count_if(where, in, in + n, lower_half<T>()); };
                               if (r.stem() == "find_if")
                                 return [=] { *told = thrust::find_if(where, in, in + n, is_zero()) - in; };
                               if (r.stem() == "min_element")
                                 return [=] { *told = thrust::min_element(where, in, in + n) - in; };
                               if (r.stem() == "minmax_element")
                                 return [=] {
                                   auto const both = thrust::minmax_element(where, in, in + n);
                                   told[0]         = both.first - in;
                                   told[1]         = both.second - in;
                                 };
                               return [=] { thrust::adjacent_difference(where, in, in + n, out); };
                             });
                           }};

}  // namespace

}  // namespace perf
