// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "keys.hpp"
#include "rivals.hpp"

#include <onepass/minmax.hpp>

#ifdef KOKKOS_ENABLE_CUDA
#include <thrust/extrema.h>
#endif

namespace perf::hunt {

/// Of equal keys any counts: std names the last of the largest, others the first.
template <class T>
void make_minmax_element(trial& t, std::int64_t n, keys const& all, bool both, std::int64_t begin)
{
  auto const items             = all.items<T>(n);
  auto const [least, greatest] = std::minmax_element(items.begin(), items.end());
  auto const in                = t.input(items, begin);
  device_items<std::int64_t> const at("positions", 2);
  Kokkos::View<std::int64_t[2], Kokkos::HostSpace> const told("told");
  t.poison_by([=] { Kokkos::deep_copy(at, -1), Kokkos::deep_copy(told, -1); });
  t.check([=, smallest = *least, largest = *greatest] {
    auto const there = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), at);
    auto const is    = [&](int which, T wanted) {
      auto const position = told(which) < 0 ? there(which) : told(which);
      T found{};
      if (position < 0 || position >= n) return false;
      Kokkos::deep_copy(found, Kokkos::subview(in, position));
      return found == wanted;
    };
    return is(0, smallest) && (!both || is(1, largest));
  });

  value_view<std::int64_t> const smallest(at.data()), largest(at.data() + 1);
  enter_onepass(t, [=](auto const& place) {
    if (both) onepass::minmax_element(place, in, smallest, largest);
    else onepass::min_element(place, in, smallest);
  });
  auto const tell = [=](auto const& found, auto const& origin) {
    if constexpr (requires { found.first; }) told(0) = found.first - origin, told(1) = found.second - origin;
    else told(0) = found - origin;
  };
  t.enter("kokkos.std", [=] {
    if (both) tell(algorithms::minmax_element(space(), in), algorithms::begin(in));
    else tell(algorithms::min_element(space(), in), algorithms::begin(in));
  });
  auto const *first = in.data(), *last = first + n;
#ifdef KOKKOS_ENABLE_CUDA
  enter_thrust(t, [=](auto const& policy) {
    if (both) tell(thrust::minmax_element(policy, first, last), first);
    else tell(thrust::min_element(policy, first, last), first);
  });
#else
  enter_std(t, [=](auto const&... policy) {
    if (both) tell(std::minmax_element(policy..., first, last), first);
    else tell(std::min_element(policy..., first, last), first);
  });
#endif
}

template <class T>
drawn draw_minmax_element(dice const& d)
{
  auto const n = d.items();
  keys const all(d);
  bool const both  = d.chance("both", 50);
  auto const begin = d.begin("in");
  return {n, text(both ? "both of " : "smallest of ", all.shape(), " in+", begin), std::size_t(n) * sizeof(T),
          [=](trial& t) { make_minmax_element<T>(t, n, all, both, begin); }};
}

}  // namespace perf::hunt
