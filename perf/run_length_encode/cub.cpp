// SPDX-License-Identifier: Apache-2.0
// cub::DeviceRunLengthEncode, which counts in 32 bits.
#include "harness/cub_call.hpp"
#include "problem.hpp"

#include <cub/device/device_run_length_encode.cuh>

#include <limits>

namespace perf {

namespace {

entry const cub_encode{"cub", [](race const& r) -> call {
                         if (r.items > std::numeric_limits<std::int32_t>::max()) return {};
                         return with_type(item_types{}, r.type, [&](auto zero) {
                           using T        = decltype(zero);
                           auto const* in = static_cast<T const*>(r.in[0]);
                           auto* symbols  = static_cast<T*>(r.out[0]);
                           auto* lengths  = static_cast<std::uint32_t*>(r.out[1]);
                           auto* count    = r.counts;
                           auto const n   = static_cast<std::int32_t>(r.items);
                           return cub_call([=](void* storage, std::size_t& bytes, cudaStream_t stream) {
                             cub::DeviceRunLengthEncode::Encode(storage, bytes, in, symbols, lengths, count, n, stream);
                           });
                         });
                       }};

}  // namespace

}  // namespace perf
