// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "keys.hpp"
#include "rivals.hpp"

#include <onepass/merge_sort.hpp>

#ifdef KOKKOS_ENABLE_CUDA
#include <cub/device/device_merge_sort.cuh>
#endif

namespace perf::hunt {

/// The order, which none of the contenders can know to be that of the keys' digits.
template <class T>
struct lesser {
  KOKKOS_FUNCTION bool operator()(T const& a, T const& b) const { return a < b; }
};

template <class T>
void make_merge_sort(trial& t, std::int64_t n, keys const& all, std::int64_t in_begin, std::int64_t out_begin)
{
  auto const in     = t.input(all.items<T>(n), in_begin);
  auto const out    = t.unchecked_output<T>(n, out_begin);
  auto const before = count_of(n, fingerprint<T>{in.data()});
  t.check([=] { return count_of(n, falls<T>{out.data()}) == 0 && count_of(n, fingerprint<T>{out.data()}) == before; });

  enter_onepass(t, [=](auto const& place) { onepass::merge_sort(place, in, out, lesser<T>{}); });
  auto const* first = in.data();
  auto* const to    = out.data();
#ifdef KOKKOS_ENABLE_CUDA
  enter_cub(t, [=](void* storage, std::size_t& bytes, cudaStream_t stream) {
    cub::DeviceMergeSort::SortKeysCopy(storage, bytes, first, to, n, lesser<T>{}, stream);
  });
#else
  enter_std(t, [=](auto const&... policy) {
    std::copy(policy..., first, first + n, to);
    std::stable_sort(policy..., to, to + n, lesser<T>{});
  });
#endif
}

template <class T>
drawn draw_merge_sort(dice const& d)
{
  return drawn_for<keys>(d, 5 * sizeof(T), make_merge_sort<T>);
}

}  // namespace perf::hunt
