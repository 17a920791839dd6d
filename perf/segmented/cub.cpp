// SPDX-License-Identifier: Apache-2.0
// cub::DeviceSegmentedReduce. CUB has no scan of segments by offsets.
#include "harness/cub_call.hpp"
#include "problem.hpp"

#include <cub/device/device_segmented_reduce.cuh>

namespace perf {

namespace {

entry const cub_segmented{"cub", [](race const& r) {
                            return with_type(item_types{}, r.type, [&](auto zero) -> call {
                              using T = decltype(zero);
                              if (r.stem() != "segmented_reduce") return {};
                              auto const* in      = static_cast<T const*>(r.in[0]);
                              auto const* offsets = offsets_of(r).data();
                              auto* const sums    = sums_of<T>(r).data();
                              auto const n        = segments_of_race(r).number();
                              return cub_call([=](void* storage, std::size_t& bytes, cudaStream_t stream) {
                                cub::DeviceSegmentedReduce::Sum(storage, bytes, in, sums, n, offsets, offsets + 1,
                                                                stream);
                              });
                            });
                          }};

}  // namespace

}  // namespace perf
