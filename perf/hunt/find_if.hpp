// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "choices.hpp"
#include "rivals.hpp"

#include <onepass/find.hpp>

#ifdef KOKKOS_ENABLE_CUDA
#include <thrust/find.h>
#endif

namespace perf::hunt {

/// From `where` on, every item is wanted.
template <class T>
void make_find_if(trial& t, std::int64_t n, std::int64_t where, std::int64_t begin)
{
  auto const in       = t.input(items_made<T>(n,
                                        [where](std::int64_t i) {
                                          bool const wanted = i >= where;
                                          if constexpr (std::is_floating_point_v<T>) return T(wanted);
                                          else return from_number<T>((mixed(std::uint64_t(i)) & ~1ull) | wanted);
                                        }),
                                begin);
  auto const position = t.count(where);

  enter_onepass(t, [=](auto const& place) { onepass::find_if(place, in, position.here, is_wanted<T>()); });
  t.enter("kokkos.std",
          [=] { position.told() = algorithms::find_if(space(), in, is_wanted<T>()) - algorithms::begin(in); });
  auto const *first = in.data(), *last = first + n;
#ifdef KOKKOS_ENABLE_CUDA
  enter_thrust(
      t, [=](auto const& policy) { position.told() = thrust::find_if(policy, first, last, is_wanted<T>()) - first; });
#else
  enter_std(t, [=](auto const&... policy) {
    position.told() = std::find_if(policy..., first, last, is_wanted<T>()) - first;
  });
#endif
}

template <class T>
drawn draw_find_if(dice const& d)
{
  auto const n     = d.items();
  auto const where = d.chance("none", 25) ? n : std::min(n, d.up_to_power("where", 30) - 1);
  auto const begin = d.begin("in");
  return {n, text("at ", where, " in+", begin), std::size_t(n) * sizeof(T),
          [=](trial& t) { make_find_if<T>(t, n, where, begin); }};
}

}  // namespace perf::hunt
