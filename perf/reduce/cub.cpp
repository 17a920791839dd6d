// SPDX-License-Identifier: Apache-2.0
// cub::DeviceReduce.
#include "harness/cub_call.hpp"
#include "problem.hpp"

#include <cub/device/device_reduce.cuh>

namespace perf {

namespace {

entry const cub_reduce{"cub", [](race const& r) {
                         return with_type(item_types{}, r.type, [&](auto zero) {
                           using T        = decltype(zero);
                           auto const* in = static_cast<T const*>(r.in[0]);
                           auto* total    = static_cast<T*>(r.out[0]);
                           auto const n   = r.items;
                           return cub_call([=](void* storage, std::size_t& bytes, cudaStream_t stream) {
                             cub::DeviceReduce::Sum(storage, bytes, in, total, n, stream);
                           });
                         });
                       }};

}  // namespace

}  // namespace perf
