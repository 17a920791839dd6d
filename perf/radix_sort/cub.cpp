// SPDX-License-Identifier: Apache-2.0
// CUB's device-wide radix sorts, temporary storage allocated before.
#include "problem.hpp"

#include <cub/device/device_radix_sort.cuh>

namespace perf {

namespace {

/// One of CUB's two calls: the first, without storage, returns the size it needs.
template <class T>
cudaError_t sort(void* storage, std::size_t& bytes, race const& r, cudaStream_t stream)
{
  auto const* in = static_cast<T const*>(r.in[0]);
  auto* out      = static_cast<T*>(r.out[0]);
  int const end  = 8 * int(sizeof(T));
  if (r.primitive == "radix_sort")
    return cub::DeviceRadixSort::SortKeys(storage, bytes, in, out, r.items, 0, end, stream);
  return cub::DeviceRadixSort::SortPairs(storage, bytes, in, out, values_in(r).data(), values_out(r).data(), r.items, 0,
                                         end, stream);
}

entry const cub_sort{"cub", [](race const& r) {
                       return with_type(item_types{}, r.type, [&](auto zero) -> call {
                         using T           = decltype(zero);
                         auto const stream = space().cuda_stream();
                         std::size_t bytes = 0;
                         sort<T>(nullptr, bytes, r, stream);
                         Kokkos::View<char*, space> const storage("cub", bytes);
                         return [=] {
                           std::size_t given = bytes;
                           sort<T>(storage.data(), given, r, stream);
                         };
                       });
                     }};

}  // namespace

}  // namespace perf
