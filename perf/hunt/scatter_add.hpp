// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "places.hpp"
#include "rivals.hpp"

#include <onepass/scatter.hpp>

namespace perf::hunt {

template <class T>
struct add_one {
  device_items<T> values, sums;
  device_items<u32> indices;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const { Kokkos::atomic_add(&sums(indices(i)), values(i)); }
};

/// The rivals round floats in whatever order they come; here all sums are whole numbers, so they are right too. Every
/// contender clears the sums first.
template <class T>
void make_scatter_add(trial& t, std::int64_t n, places const& to, std::int64_t in_begin, std::int64_t out_begin)
{
  auto const items = items_made<T>(n, [](std::int64_t i) { return summand<T>(mixed(std::uint64_t(i))); });
  auto const at    = to.items(n);
  std::vector<T> wanted(std::size_t(to.number(n)));
  for (std::size_t i = 0; i < at.size(); ++i) wanted[at[i]] = static_cast<T>(wanted[at[i]] + items[i]);
  auto const values  = t.input(items, in_begin);
  auto const indices = t.input(at);
  auto const sums    = t.output(wanted, to.number(n), out_begin);

  enter_onepass(t, [=](auto const& place) {
    Kokkos::deep_copy(place.space, sums, T{});
    onepass::scatter_add(place, values, indices, sums);
  });
  t.enter("kokkos", [=] {
    Kokkos::deep_copy(space(), sums, T{});
    Kokkos::parallel_for("scatter_add", range(0, n), add_one<T>{values, sums, indices});
  });
#ifndef KOKKOS_ENABLE_CUDA
  t.enter("loop", [=] {
    Kokkos::deep_copy(space(), sums, T{});
    for (std::int64_t i = 0; i < n; ++i) sums(indices(i)) += values(i);
  });
#endif
}

template <class T>
drawn draw_scatter_add(dice const& d)
{
  auto const n = d.items();
  places const to(d);
  auto const in = d.begin("in"), out = d.begin("out");
  return {n, text(to.shape(), " in+", in, " out+", out), std::size_t(n) * (6 * sizeof(T) + 24),
          [=](trial& t) { make_scatter_add<T>(t, n, to, in, out); }};
}

}  // namespace perf::hunt
