// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "keys.hpp"
#include "rivals.hpp"

#include <onepass/top_k.hpp>

#ifdef KOKKOS_ENABLE_CUDA
#include <cub/device/device_radix_sort.cuh>
#endif

namespace perf::hunt {

/// The k smallest keys. CUB, which selects none here, sorts all.
template <class T>
void make_top_k(trial& t, std::int64_t n, std::int64_t k, keys const& all, std::int64_t begin)
{
  auto items    = all.items<T>(n);
  auto const in = t.input(items, begin);
  std::nth_element(items.begin(), items.begin() + (k - 1), items.end());
  items.resize(std::size_t(k));
  std::sort(items.begin(), items.end());
  auto const smallest = t.unchecked_output<T>(n);
  auto const wanted   = t.input(items);
  t.check([=] { return count_of(k, unexpected<T>{smallest.data(), wanted.data()}) == 0; });

  auto const out = Kokkos::subview(smallest, std::pair<std::int64_t, std::int64_t>(0, k));
  enter_onepass(t, [=](auto const& place) { onepass::top_k(place, in, k, out); });
  auto const* first = in.data();
  auto* const to    = smallest.data();
#ifdef KOKKOS_ENABLE_CUDA
  enter_cub(t, [=](void* storage, std::size_t& bytes, cudaStream_t stream) {
    cub::DeviceRadixSort::SortKeys(storage, bytes, first, to, n, 0, 8 * int(sizeof(T)), stream);
  });
#else
  enter_std(t, [=](auto const&... policy) { std::partial_sort_copy(policy..., first, first + n, to, to + k); });
  t.enter("std.nth_element", [=] {
    std::copy(first, first + n, to);
    std::nth_element(to, to + (k - 1), to + n);
    std::sort(to, to + k);
  });
#endif
}

template <class T>
drawn draw_top_k(dice const& d)
{
  auto const n = d.items();
  auto const k = d.chance("a share", 25) ? 1 + d.below("share", n) : std::min(n, d.up_to_power("k", 20));
  keys const all(d);
  auto const begin = d.begin("in");
  return {n, text(k, " of ", all.shape(), " in+", begin), 3 * std::size_t(n) * sizeof(T),
          [=](trial& t) { make_top_k<T>(t, n, k, all, begin); }};
}

}  // namespace perf::hunt
