// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "choices.hpp"
#include "rivals.hpp"

#include <onepass/partition.hpp>

#ifdef KOKKOS_ENABLE_CUDA
#include <thrust/partition.h>
#endif

namespace perf::hunt {

/// CUB's partition reverses the other items, which is another result, so it does not race.
template <class T>
void make_partition(trial& t, std::int64_t n, choices const& chosen, std::int64_t in_begin, std::int64_t out_begin)
{
  auto const items = chosen.items<T>(n);
  std::vector<T> wanted, rest;
  std::partition_copy(items.begin(), items.end(), std::back_inserter(wanted), std::back_inserter(rest), is_wanted<T>());
  auto const in     = t.input(items, in_begin);
  auto const kept   = t.output(wanted, n, out_begin);
  auto const others = t.output(rest, n);
  auto const count  = t.count(std::int64_t(wanted.size()));

  enter_onepass(t,
                [=](auto const& place) { onepass::partition_if(place, in, kept, others, count.here, is_wanted<T>()); });
  t.enter("kokkos.std", [=] {
    count.told() =
        algorithms::partition_copy(space(), in, kept, others, is_wanted<T>()).first - algorithms::begin(kept);
  });
  auto const *first = in.data(), *last = first + n;
  auto *const to = kept.data(), *const to_others = others.data();
#ifdef KOKKOS_ENABLE_CUDA
  enter_thrust(t, [=](auto const& policy) {
    count.told() = thrust::stable_partition_copy(policy, first, last, to, to_others, is_wanted<T>()).first - to;
  });
#else
  enter_std(t, [=](auto const&... policy) {
    count.told() = std::partition_copy(policy..., first, last, to, to_others, is_wanted<T>()).first - to;
  });
#endif
}

template <class T>
drawn draw_partition(dice const& d)
{
  return drawn_for<choices>(d, 4 * sizeof(T), make_partition<T>);
}

}  // namespace perf::hunt
