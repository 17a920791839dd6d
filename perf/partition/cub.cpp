// SPDX-License-Identifier: Apache-2.0
// cub::DevicePartition in three ways. Its two-way form reverses the rejected items, which is a different result: it is
// not a contender.
#include "harness/cub_call.hpp"
#include "harness/inputs.hpp"
#include "problem.hpp"

#include <cub/device/device_partition.cuh>

namespace perf {

namespace {

template <class T, int Part>
struct lies_in {
  KOKKOS_FUNCTION bool operator()(T const& x) const { return third<T>()(x) == Part; }
};

entry const cub_partition{"cub", [](race const& r) -> call {
                            if (r.primitive != "partition_three_way") return {};
                            return with_type(item_types{}, r.type, [&](auto zero) {
                              using T        = decltype(zero);
                              auto const* in = static_cast<T const*>(r.in[0]);
                              auto const out = r.out;
                              auto* count    = r.counts;
                              auto const n   = r.items;
                              return cub_call([=](void* storage, std::size_t& bytes, cudaStream_t stream) {
                                cub::DevicePartition::If(storage, bytes, in, static_cast<T*>(out[0]),
                                                         static_cast<T*>(out[1]), static_cast<T*>(out[2]), count, n,
                                                         lies_in<T, 0>(), lies_in<T, 1>(), stream);
                              });
                            });
                          }};

}  // namespace

}  // namespace perf
