// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "rivals.hpp"
#include "runs.hpp"

#include <onepass/unique.hpp>

#ifdef KOKKOS_ENABLE_CUDA
#include <cub/device/device_select.cuh>
#include <thrust/unique.h>
#endif

namespace perf::hunt {

template <class T>
void make_unique(trial& t, std::int64_t n, runs const& all, std::int64_t in_begin, std::int64_t out_begin)
{
  auto const items = all.items<T>(n);
  std::vector<T> wanted;
  std::unique_copy(items.begin(), items.end(), std::back_inserter(wanted));
  auto const in    = t.input(items, in_begin);
  auto const out   = t.output(wanted, n, out_begin);
  auto const count = t.count(std::int64_t(wanted.size()));

  enter_onepass(t, [=](auto const& place) { onepass::unique(place, in, out, count.here); });
  t.enter("kokkos.std", [=] { count.told() = algorithms::unique_copy(space(), in, out) - algorithms::begin(out); });
  auto const *first = in.data(), *last = first + n;
  auto* const to = out.data();
#ifdef KOKKOS_ENABLE_CUDA
  enter_cub(t, [=](void* storage, std::size_t& bytes, cudaStream_t stream) {
    cub::DeviceSelect::Unique(storage, bytes, first, to, count.here.data(), n, stream);
  });
  enter_thrust(t, [=](auto const& policy) { count.told() = thrust::unique_copy(policy, first, last, to) - to; });
#else
  enter_std(t, [=](auto const&... policy) { count.told() = std::unique_copy(policy..., first, last, to) - to; });
#endif
}

template <class T>
drawn draw_unique(dice const& d)
{
  return drawn_for<runs>(d, 3 * sizeof(T), make_unique<T>);
}

}  // namespace perf::hunt
