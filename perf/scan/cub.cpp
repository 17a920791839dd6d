// SPDX-License-Identifier: Apache-2.0
// CUB's device-wide sums.
#include "harness/cub_call.hpp"
#include "problem.hpp"

#include <cub/device/device_scan.cuh>

#include <limits>

namespace perf {

namespace {

template <class T, class Count>
call enter(race const& r)
{
  auto const* in = static_cast<T const*>(r.in[0]);
  auto* out      = static_cast<T*>(r.out[0]);
  auto const n   = static_cast<Count>(r.items);
  if (r.primitive == "exclusive_scan")
    return cub_call([=](void* storage, std::size_t& bytes, cudaStream_t stream) {
      cub::DeviceScan::ExclusiveSum(storage, bytes, in, out, n, stream);
    });
  return cub_call([=](void* storage, std::size_t& bytes, cudaStream_t stream) {
    cub::DeviceScan::InclusiveSum(storage, bytes, in, out, n, stream);
  });
}

entry const cub_sum{"cub", [](race const& r) {
                      return with_type(item_types{}, r.type, [&](auto zero) {
                        using T = decltype(zero);
                        return r.items <= std::numeric_limits<std::int32_t>::max() ? enter<T, std::int32_t>(r)
                                                                                   : enter<T, std::int64_t>(r);
                      });
                    }};

}  // namespace

}  // namespace perf
