// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "choices.hpp"
#include "rivals.hpp"

#include <onepass/select.hpp>

#ifdef KOKKOS_ENABLE_CUDA
#include <cub/device/device_select.cuh>
#include <thrust/copy.h>
#endif

namespace perf::hunt {

template <class T, class Wanted>
void make_select(trial& t, std::int64_t n, choices const& chosen, std::int64_t in_begin, std::int64_t out_begin,
                 Wanted const& is)
{
  auto const items  = chosen.items<T>(n);
  auto const wanted = wanted_of(items);
  auto const in     = t.input(items, in_begin);
  auto const out    = t.output(wanted, n, out_begin);
  auto const count  = t.count(std::int64_t(wanted.size()));

  enter_onepass(t, [=](auto const& place) { onepass::select_if(place, in, out, count.here, is); });
  t.enter("kokkos.std", [=] { count.told() = algorithms::copy_if(space(), in, out, is) - algorithms::begin(out); });
  auto const *first = in.data(), *last = first + n;
  auto* const to = out.data();
#ifdef KOKKOS_ENABLE_CUDA
  enter_cub(t, [=](void* storage, std::size_t& bytes, cudaStream_t stream) {
    cub::DeviceSelect::If(storage, bytes, first, to, count.here.data(), n, is, stream);
  });
  enter_thrust(t, [=](auto const& policy) { count.told() = thrust::copy_if(policy, first, last, to, is) - to; });
#else
  enter_std(t, [=](auto const&... policy) { count.told() = std::copy_if(policy..., first, last, to, is) - to; });
#endif
}

template <class T>
drawn draw_select(dice const& d)
{
  return drawn_for<choices>(d, 3 * sizeof(T), make_select<T, is_wanted<T>>, is_wanted<T>());
}

}  // namespace perf::hunt
