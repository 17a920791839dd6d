// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "keys.hpp"
#include "rivals.hpp"
#include "segments.hpp"

#include <onepass/segmented_sort.hpp>

#ifdef KOKKOS_ENABLE_CUDA
#include <cub/device/device_segmented_sort.cuh>
#endif

namespace perf::hunt {

/// std::sort of each segment, by the host's threads.
template <class T>
void sort_segments(T const* in, T* out, u32 const* offsets, std::int64_t number)
{
  using threads = Kokkos::DefaultHostExecutionSpace;
  using policy  = Kokkos::RangePolicy<threads, Kokkos::IndexType<std::int64_t>, Kokkos::Schedule<Kokkos::Dynamic>>;
  Kokkos::parallel_for("sort", policy(0, number), [=](std::int64_t s) {
    std::copy(in + offsets[s], in + offsets[s + 1], out + offsets[s]);
    std::sort(out + offsets[s], out + offsets[s + 1]);
  });
  threads().fence("hunt: segments are sorted");
}

template <class T>
void make_segmented_sort(trial& t, std::int64_t n, keys const& all_keys, segments const& all, std::int64_t begin)
{
  auto const items  = all_keys.items<T>(n);
  auto const bounds = all.offsets(n);
  auto const number = std::int64_t(bounds.size()) - 1;
  std::vector<T> wanted(items.size());
  sort_segments(items.data(), wanted.data(), bounds.data(), number);
  auto const in      = t.input(items, begin);
  auto const offsets = t.input(bounds);
  auto const out     = t.output(wanted, n, begin);

  enter_onepass(t, [=](auto const& place) { onepass::segmented_sort(place, in, out, offsets); });
#ifdef KOKKOS_ENABLE_CUDA
  enter_cub(t, [=](void* storage, std::size_t& bytes, cudaStream_t stream) {
    cub::DeviceSegmentedSort::SortKeys(storage, bytes, in.data(), out.data(), n, number, offsets.data(),
                                       offsets.data() + 1, stream);
  });
#else
  t.enter("std by kokkos", [=] { sort_segments(in.data(), out.data(), offsets.data(), number); });
#endif
}

template <class T>
drawn draw_segmented_sort(dice const& d)
{
  auto const n = d.items();
  keys const all_keys(d);
  segments const all(d);
  auto const begin = d.begin("in");
  return {n, text(all_keys.shape(), " ", all.shape(), " in+", begin),
          6 * std::size_t(n) * (sizeof(T) + 4) + all.bytes(n),
          [=](trial& t) { make_segmented_sort<T>(t, n, all_keys, all, begin); }};
}

}  // namespace perf::hunt
