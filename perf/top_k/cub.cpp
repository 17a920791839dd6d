// SPDX-License-Identifier: Apache-2.0
// CUB's sort of all pairs of item and position, of which the first k are copied; temporary storage allocated before.
#include "harness/cub_call.hpp"
#include "problem.hpp"

#include <cub/device/device_radix_sort.cuh>

namespace perf {

namespace {

struct number {
  u32* at;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const { at[i] = u32(i); }
};

entry const cub_sort{
    "cub.sort", [](race const& r) {
      return with_type(item_types{}, r.type, [&](auto zero) -> call {
        using T = decltype(zero);
        Kokkos::View<T*, space> const sorted("cub", std::size_t(r.items));
        Kokkos::View<u32*, space> const from("cub", std::size_t(r.items)), to("cub", std::size_t(r.items));
        auto const range = Kokkos::RangePolicy<space, Kokkos::IndexType<std::int64_t>>(0, r.items);
        Kokkos::parallel_for("number", range, number{from.data()});
        auto const k    = wanted(r);
        auto const in   = input_of<T>(r);
        auto const keys = output_of<T>(r);
        auto const at   = output_of<u32>(r, 1);
        auto const sort = cub_call([=, n = r.items](void* storage, std::size_t& bytes, cudaStream_t stream) {
          cub::DeviceRadixSort::SortPairs(storage, bytes, in.data(), sorted.data(), from.data(), to.data(), n, 0,
                                          8 * int(sizeof(T)), stream);
        });
        return [=] {
          auto const stream = space().cuda_stream();
          sort();
          cudaMemcpyAsync(keys.data(), sorted.data(), std::size_t(k) * sizeof(T), cudaMemcpyDeviceToDevice, stream);
          cudaMemcpyAsync(at.data(), to.data(), std::size_t(k) * sizeof(u32), cudaMemcpyDeviceToDevice, stream);
        };
      });
    }};

}  // namespace

}  // namespace perf
