// SPDX-License-Identifier: Apache-2.0
// CUB's device-wide sums, temporary storage allocated before.
#include "../race.hpp"

#include <cub/device/device_scan.cuh>

#include <limits>

namespace perf {

namespace {

/// One of CUB's two calls: the first, without storage, asks how much it takes.
template <class T, class Count>
cudaError_t sum(void* storage, std::size_t& bytes, race const& r, Count n, cudaStream_t stream)
{
  const auto* in  = static_cast<T const*>(r.in);
  auto*       out = static_cast<T*>(r.out);
  return r.primitive == "exclusive_scan" ? cub::DeviceScan::ExclusiveSum(storage, bytes, in, out, n, stream)
                                         : cub::DeviceScan::InclusiveSum(storage, bytes, in, out, n, stream);
}

template <class T, class Count>
call enter(race const& r)
{
  const auto  n      = static_cast<Count>(r.items);
  const auto  stream = space().cuda_stream();
  std::size_t bytes  = 0;
  sum<T>(nullptr, bytes, r, n, stream);
  const Kokkos::View<char*, space> storage("cub", bytes);
  return [=] {
    std::size_t given = bytes;
    sum<T>(storage.data(), given, r, n, stream);
  };
}

const entry cub_sum{"cub", [](race const& r) {
  return with_type(r.type, [&](auto zero) {
    using T = decltype(zero);
    return r.items <= std::numeric_limits<std::int32_t>::max() ? enter<T, std::int32_t>(r) : enter<T, std::int64_t>(r);
  });
}};

}  // namespace

}  // namespace perf
