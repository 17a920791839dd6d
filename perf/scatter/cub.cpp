// SPDX-License-Identifier: Apache-2.0
// CUB's sort by index, sums of equal indices, and their addition to the bins: what repeats elsewhere.
#include "harness/cub_call.hpp"
#include "problem.hpp"

#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_reduce.cuh>

#include <bit>

namespace perf {

namespace {

struct added {
  template <class T>
  KOKKOS_FUNCTION T operator()(T const& a, T const& b) const
  {
    return a + b;
  }
};
template <class T>
struct add_sums {
  Kokkos::View<u32*, space> keys;
  Kokkos::View<T*, space> sums;
  Kokkos::View<std::int64_t*, space> runs;
  output_view<T> bins;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const
  {
    if (i < runs(0)) bins(keys(i)) += sums(i);
  }
};

entry const cub_sort{"cub", [](race const& r) {
                       return with_type(item_types{}, r.type, [&](auto zero) -> call {
                         using T            = decltype(zero);
                         auto const n       = r.items;
                         auto const indices = indices_in(r);
                         auto const values  = input_of<T>(r, 1);
                         Kokkos::View<u32*, space> const sorted("cub", std::size_t(n)), keys("cub", std::size_t(n));
                         Kokkos::View<T*, space> const moved("cub", std::size_t(n)), sums("cub", std::size_t(n));
                         Kokkos::View<std::int64_t*, space> const runs("cub", 1);
                         int const bits  = std::max(1, int(std::bit_width(std::uint64_t(bins_of(r) - 1))));
                         auto const sort = cub_call([=](void* storage, std::size_t& bytes, cudaStream_t stream) {
                           cub::DeviceRadixSort::SortPairs(storage, bytes, indices.data(), sorted.data(), values.data(),
                                                           moved.data(), n, 0, bits, stream);
                         });
                         auto const add  = cub_call([=](void* storage, std::size_t& bytes, cudaStream_t stream) {
                           cub::DeviceReduce::ReduceByKey(storage, bytes, sorted.data(), keys.data(), moved.data(),
                                                           sums.data(), runs.data(), added{}, n, stream);
                         });
                         Kokkos::RangePolicy<space, Kokkos::IndexType<std::int64_t>> const all(0,
                                                                                               std::min(n, bins_of(r)));
                         add_sums<T> const write{keys, sums, runs, bins_out<T>(r)};
                         return [=] {
                           sort();
                           add();
                           Kokkos::parallel_for("write", all, write);
                         };
                       });
                     }};

}  // namespace

}  // namespace perf
