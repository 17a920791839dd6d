// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "keys.hpp"
#include "rivals.hpp"

#include <onepass/argsort.hpp>

#ifdef KOKKOS_ENABLE_CUDA
#include <cub/device/device_radix_sort.cuh>
#endif

namespace perf::hunt {

/// Reads keys by their positions.
template <class T, class Sorted>
struct gather {
  T const* keys;
  u32 const* positions;
  Sorted sorted;
  std::int64_t n;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const
  {
    if (positions[i] < n) sorted(i) = keys[positions[i]];
  }
};

template <class T>
void make_argsort(trial& t, std::int64_t n, keys const& all, std::int64_t begin)
{
  auto const in     = t.input(all.items<T>(n), begin);
  auto const out    = t.unchecked_output<u32>(n, begin);
  auto const sorted = t.unchecked_output<T>(n);
  t.check([=] {
    Kokkos::parallel_for("gather", range(0, n), gather<T, device_items<T>>{in.data(), out.data(), sorted, n});
    return count_of(n, falls<T>{sorted.data()}) == 0
           && count_of(n, strays<T, u32>{in.data(), sorted.data(), out.data(), n}) == 0;
  });

  enter_onepass(t, [=](auto const& place) { onepass::argsort(place, in, out); });
#ifdef KOKKOS_ENABLE_CUDA
  // CUB sorts positions beside the keys, which are in memory before.
  auto const positions = t.input(items_made<u32>(n, [](std::int64_t i) { return u32(i); }));
  device_items<T> const spare("spare", std::size_t(n));
  enter_cub(t, [=](void* storage, std::size_t& bytes, cudaStream_t stream) {
    cub::DeviceRadixSort::SortPairs(storage, bytes, in.data(), spare.data(), positions.data(), out.data(), n, 0,
                                    8 * int(sizeof(T)), stream);
  });
#else
  enter_std(t, [=](auto const&... policy) {
    std::iota(out.data(), out.data() + n, 0u);
    std::stable_sort(policy..., out.data(), out.data() + n,
                     [from = in.data()](u32 a, u32 b) { return from[a] < from[b]; });
  });
#endif
}

template <class T>
drawn draw_argsort(dice const& d)
{
  auto const n = d.items();
  keys const all(d);
  auto const begin = d.begin("in");
  return {n, text(all.shape(), " in+", begin), 5 * std::size_t(n) * (sizeof(T) + 4),
          [=](trial& t) { make_argsort<T>(t, n, all, begin); }};
}

}  // namespace perf::hunt
