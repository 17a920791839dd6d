// SPDX-License-Identifier: Apache-2.0
// cub::DeviceHistogram.
#include "harness/cub_call.hpp"
#include "problem.hpp"

#include <cub/device/device_histogram.cuh>

namespace perf {

namespace {

entry const cub_histogram{"cub", [](race const& r) {
                            return with_type(item_types{}, r.type, [&](auto zero) {
                              using T         = decltype(zero);
                              using level     = std::conditional_t<std::is_integral_v<T>, int, T>;
                              auto const* in  = static_cast<T const*>(r.in[0]);
                              auto* counts    = counts_of(r).data();
                              auto const n    = r.items;
                              auto const bins = histogram_bins(r);
                              auto const end  = sizeof(T) == 1 ? level(bins) : level(histogram_end<T>(r));
                              return cub_call([=](void* storage, std::size_t& bytes, cudaStream_t stream) {
                                cub::DeviceHistogram::HistogramEven(storage, bytes, in, counts, bins + 1, level(0), end,
                                                                    n, stream);
                              });
                            });
                          }};

}  // namespace

}  // namespace perf
