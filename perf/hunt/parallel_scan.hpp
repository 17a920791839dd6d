// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "choices.hpp"
#include "rivals.hpp"

#include <onepass/parallel_scan.hpp>

namespace perf::hunt {

/// A functor as codes have them: what is wanted is moved together, and a number of each item is added up.
template <class T>
struct move_wanted {
  device_items<T> in, out;
  KOKKOS_FUNCTION void operator()(std::int64_t i, std::int64_t& update, bool is_final) const
  {
    if (!is_wanted<T>()(in(i))) return;
    if (is_final) out(update) = in(i);
    ++update;
  }
};

template <class T>
void make_parallel_scan(trial& t, std::int64_t n, choices const& chosen, std::int64_t in_begin, std::int64_t out_begin)
{
  auto const items  = chosen.items<T>(n);
  auto const wanted = wanted_of(items);
  auto const in     = t.input(items, in_begin);
  auto const out    = t.output(wanted, n, out_begin);
  auto const count  = t.count(std::int64_t(wanted.size()));
  move_wanted<T> const functor{in, out};

  t.enter("onepass", [=] { onepass::parallel_scan("scan", range(0, n), functor, count.here); });
  t.enter("kokkos", [=] { Kokkos::parallel_scan("scan", range(0, n), functor, count.told()); });
#ifndef KOKKOS_ENABLE_CUDA
  t.enter("loop", [=] {
    std::int64_t update = 0;
    for (std::int64_t i = 0; i < n; ++i) functor(i, update, true);
    count.told() = update;
  });
#endif
}

template <class T>
drawn draw_parallel_scan(dice const& d)
{
  return drawn_for<choices>(d, 3 * sizeof(T), make_parallel_scan<T>);
}

}  // namespace perf::hunt
