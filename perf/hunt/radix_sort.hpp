// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "keys.hpp"
#include "rivals.hpp"

#include <onepass/radix_sort.hpp>

#include <Kokkos_Sort.hpp>
#ifdef KOKKOS_ENABLE_CUDA
#include <cub/device/device_radix_sort.cuh>
#include <thrust/copy.h>
#include <thrust/sort.h>
#endif

namespace perf::hunt {

template <class T>
void make_radix_sort(trial& t, std::int64_t n, keys const& all, std::int64_t in_begin, std::int64_t out_begin)
{
  auto const in     = t.input(all.items<T>(n), in_begin);
  auto const out    = t.unchecked_output<T>(n, out_begin);
  auto const before = count_of(n, fingerprint<T>{in.data()});
  t.check([=] { return count_of(n, falls<T>{out.data()}) == 0 && count_of(n, fingerprint<T>{out.data()}) == before; });

  enter_onepass(t, [=](auto const& place) { onepass::radix_sort(place, in, out); });
  // These sort in place: the keys are copied first, which is timed too.
  t.enter("kokkos.sort", [=] {
    Kokkos::deep_copy(space(), out, in);
    Kokkos::sort(space(), out);
  });
  auto const *first = in.data(), *last = first + n;
  auto* const to = out.data();
#ifdef KOKKOS_ENABLE_CUDA
  enter_cub(t, [=](void* storage, std::size_t& bytes, cudaStream_t stream) {
    cub::DeviceRadixSort::SortKeys(storage, bytes, first, to, n, 0, 8 * int(sizeof(T)), stream);
  });
  enter_thrust(t, [=](auto const& policy) {
    thrust::copy(policy, first, last, to);
    thrust::sort(policy, to, to + n);
  });
#else
  enter_std(t, [=](auto const&... policy) {
    std::copy(policy..., first, last, to);
    std::sort(policy..., to, to + n);
  });
#endif
}

template <class T>
drawn draw_radix_sort(dice const& d)
{
  return drawn_for<keys>(d, 5 * sizeof(T), make_radix_sort<T>);
}

}  // namespace perf::hunt
