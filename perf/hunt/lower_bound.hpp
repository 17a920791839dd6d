// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "keys.hpp"
#include "rivals.hpp"

#include <onepass/search.hpp>

#ifdef KOKKOS_ENABLE_CUDA
#include <thrust/binary_search.h>
#endif

namespace perf::hunt {

/// Counts needles whose position is not the first of a key that is not less.
template <class T>
struct misplaced {
  T const *sorted, *needles;
  u32 const* positions;
  std::int64_t n;
  KOKKOS_FUNCTION void operator()(std::int64_t i, std::int64_t& count) const
  {
    std::int64_t const at = positions[i];
    count += at > n || (at > 0 && !(sorted[at - 1] < needles[i])) || (at < n && sorted[at] < needles[i]);
  }
};

template <class T>
void make_lower_bound(trial& t, std::int64_t n, std::int64_t m, keys const& all, keys const& sought, std::int64_t begin)
{
  auto items = all.items<T>(n);
  std::sort(items.begin(), items.end());
  auto const sorted    = t.input(items);
  auto const needles   = t.input(sought.items<T>(m), begin);
  auto const positions = t.unchecked_output<u32>(m, begin);
  t.check([=] { return count_of(m, misplaced<T>{sorted.data(), needles.data(), positions.data(), n}) == 0; });

  enter_onepass(t, [=](auto const& place) { onepass::lower_bound(place, sorted, needles, positions); });
  auto const *first = sorted.data(), *last = first + n, *from = needles.data();
  auto* const to = positions.data();
#ifdef KOKKOS_ENABLE_CUDA
  enter_thrust(t, [=](auto const& policy) { thrust::lower_bound(policy, first, last, from, from + m, to); });
#else
  enter_std(t, [=](auto const&... policy) {
    std::transform(policy..., from, from + m, to,
                   [=](T const& needle) { return u32(std::lower_bound(first, last, needle) - first); });
  });
#endif
}

template <class T>
drawn draw_lower_bound(dice const& d)
{
  auto const n = d.items(), m = d.up_to_power("needles", 28);
  keys const all(d), sought(d.other("needles"));
  auto const begin = d.begin("needles");
  return {n, text(m, " needles, ", sought.shape(), ", among ", all.shape(), " needles+", begin),
          std::size_t(n) * sizeof(T) + std::size_t(m) * (sizeof(T) + 4),
          [=](trial& t) { make_lower_bound<T>(t, n, m, all, sought, begin); }};
}

}  // namespace perf::hunt
