// SPDX-License-Identifier: Apache-2.0
// cub::DeviceReduce over what the predicate says, and cub::DeviceAdjacentDifference. Of the rest, thrust.cpp has what
// stands on CUB.
#include "harness/cub_call.hpp"
#include "problem.hpp"

#include <cub/device/device_adjacent_difference.cuh>
#include <cub/device/device_reduce.cuh>

namespace perf {

namespace {

template <class T>
struct one_if_lower {
  __host__ __device__ std::int64_t operator()(T const& x) const { return lower_half<T>()(x) ? 1 : 0; }
};

struct sum {
  __host__ __device__ std::int64_t operator()(std::int64_t a, std::int64_t b) const { return a + b; }
};

struct difference {
  template <class T>
  __host__ __device__ T operator()(T const& a, T const& b) const
  {
    return static_cast<T>(a - b);
  }
};

entry const cub_queries{"cub", [](race const& r) {
                          return with_type(item_types{}, r.type, [&](auto zero) -> call {
                            using T        = decltype(zero);
                            auto const* in = static_cast<T const*>(r.in[0]);
                            auto* out      = static_cast<T*>(r.out[0]);
                            auto* count    = r.counts;
                            auto const n   = r.items;
                            if (r.stem() == "count_if")
                              return cub_call([=](void* storage, std::size_t& bytes, cudaStream_t stream) {
                                cub::DeviceReduce::TransformReduce(storage, bytes, in, count, n, sum(),
                                                                   one_if_lower<T>(), std::int64_t(0), stream);
                              });
                            if (r.stem() != "adjacent_difference") return {};
                            return cub_call([=](void* storage, std::size_t& bytes, cudaStream_t stream) {
                              cub::DeviceAdjacentDifference::SubtractLeftCopy(storage, bytes, in, out, n, difference(),
                                                                              stream);
                            });
                          });
                        }};

}  // namespace

}  // namespace perf
