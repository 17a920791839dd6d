// SPDX-License-Identifier: Apache-2.0
// Thrust's reduce_by_key and exclusive_scan_by_key on the stream; they allocate in every call, and the first returns
// its count and so waits for the device.
#include "problem.hpp"

#include <thrust/execution_policy.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>

namespace perf {

namespace {

entry const thrust_by_key{
    "thrust", [](race const& r) {
      return with_type(item_types{}, r.type, [&](auto zero) -> call {
        using T            = decltype(zero);
        auto const* keys   = static_cast<T const*>(r.in[0]);
        auto const* values = static_cast<float const*>(r.in[1]);
        auto* heads        = static_cast<T*>(r.out[0]);
        auto const out     = r.out;
        auto* told         = r.told;
        auto const n       = r.items;
        auto const where   = thrust::cuda::par_nosync.on(space().cuda_stream());
        if (r.stem() == "reduce_by_key")
          return [=] {
            *told =
                thrust::reduce_by_key(where, keys, keys + n, values, heads, static_cast<float*>(out[1])).first - heads;
          };
        return [=] { thrust::exclusive_scan_by_key(where, keys, keys + n, values, static_cast<float*>(out[0])); };
      });
    }};

}  // namespace

}  // namespace perf
