// SPDX-License-Identifier: Apache-2.0
// cub::DeviceSelect.
#include "harness/cub_call.hpp"
#include "harness/inputs.hpp"
#include "problem.hpp"

#include <cub/device/device_select.cuh>

namespace perf {

namespace {

entry const cub_select{
    "cub", [](race const& r) {
      return with_type(item_types{}, r.type, [&](auto zero) {
        using T        = decltype(zero);
        auto const* in = static_cast<T const*>(r.in[0]);
        auto* out      = static_cast<T*>(r.out[0]);
        auto* count    = r.counts;
        auto const n   = r.items;
        if (r.stem() == "unique")
          return cub_call([=](void* storage, std::size_t& bytes, cudaStream_t stream) {
            cub::DeviceSelect::Unique(storage, bytes, in, out, count, n, stream);
          });
        return cub_call([=, keep = keeping<T>(r.variant())](void* storage, std::size_t& bytes, cudaStream_t stream) {
          cub::DeviceSelect::If(storage, bytes, in, out, count, n, keep, stream);
        });
      });
    }};

}  // namespace

}  // namespace perf
