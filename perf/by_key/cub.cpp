// SPDX-License-Identifier: Apache-2.0
// CUB's reduction by key and scan by key. They count in 32 bits.
#include "harness/cub_call.hpp"
#include "problem.hpp"

#include <cub/device/device_reduce.cuh>
#include <cub/device/device_scan.cuh>

#include <limits>

namespace perf {

namespace {

entry const cub_by_key{
    "cub", [](race const& r) -> call {
      if (r.items > std::numeric_limits<std::int32_t>::max()) return {};
      return with_type(item_types{}, r.type, [&](auto zero) {
        using T            = decltype(zero);
        auto const* keys   = static_cast<T const*>(r.in[0]);
        auto const* values = static_cast<float const*>(r.in[1]);
        auto* heads        = static_cast<T*>(r.out[0]);
        auto const out     = r.out;
        auto* count        = r.counts;
        auto const n       = static_cast<std::int32_t>(r.items);
        if (r.stem() == "reduce_by_key")
          return cub_call([=](void* storage, std::size_t& bytes, cudaStream_t stream) {
            cub::DeviceReduce::ReduceByKey(storage, bytes, keys, heads, values, static_cast<float*>(out[1]), count,
                                           ::cuda::std::plus<>(), n, stream);
          });
        return cub_call([=](void* storage, std::size_t& bytes, cudaStream_t stream) {
          cub::DeviceScan::ExclusiveSumByKey(storage, bytes, keys, values, static_cast<float*>(out[0]), n,
                                             ::cuda::std::equal_to<>(), stream);
        });
      });
    }};

}  // namespace

}  // namespace perf
