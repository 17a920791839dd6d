// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "choices.hpp"
#include "rivals.hpp"

#include <onepass/count.hpp>

#ifdef KOKKOS_ENABLE_CUDA
#include <thrust/count.h>
#endif

namespace perf::hunt {

template <class T>
void make_count_if(trial& t, std::int64_t n, choices const& chosen, std::int64_t begin)
{
  auto const items = chosen.items<T>(n);
  auto const count = t.count(std::count_if(items.begin(), items.end(), is_wanted<T>()));
  auto const in    = t.input(items, begin);

  enter_onepass(t, [=](auto const& place) { onepass::count_if(place, in, count.here, is_wanted<T>()); });
  t.enter("kokkos.std", [=] { count.told() = algorithms::count_if(space(), in, is_wanted<T>()); });
  auto const *first = in.data(), *last = first + n;
#ifdef KOKKOS_ENABLE_CUDA
  enter_thrust(t, [=](auto const& policy) { count.told() = thrust::count_if(policy, first, last, is_wanted<T>()); });
#else
  enter_std(t, [=](auto const&... policy) { count.told() = std::count_if(policy..., first, last, is_wanted<T>()); });
#endif
}

template <class T>
drawn draw_count_if(dice const& d)
{
  auto const n = d.items();
  choices const chosen(d);
  auto const begin = d.begin("in");
  return {n, text(chosen.shape(), " in+", begin), std::size_t(n) * sizeof(T),
          [=](trial& t) { make_count_if<T>(t, n, chosen, begin); }};
}

}  // namespace perf::hunt
