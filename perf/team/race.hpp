// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "harness/inputs.hpp"
#include "harness/race.hpp"

// Races of rows: <primitive>.of<length>. Numbers of items that are no whole rows are not raced.
namespace perf {

struct rows_of_race {
  std::int64_t number, length;

  explicit rows_of_race(race const& r)
      : number(r.items / r.variant())
      , length(r.variant())
  {}

  bool whole(race const& r) const { return number > 0 && number * length == r.items; }
};

template <class T>
using row_view = Kokkos::View<T**, Kokkos::LayoutRight, space, Kokkos::MemoryUnmanaged>;

template <class T>
row_view<T const> rows_in(race const& r)
{
  rows_of_race const all(r);
  return row_view<T const>(static_cast<T const*>(r.in[0]), std::size_t(all.number), std::size_t(all.length));
}
template <class T>
row_view<T> rows_out(race const& r)
{
  rows_of_race const all(r);
  return row_view<T>(static_cast<T*>(r.out[0]), std::size_t(all.number), std::size_t(all.length));
}

}  // namespace perf
