// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "harness/inputs.hpp"
#include "harness/machines.hpp"

#include <onepass/partition.hpp>

namespace perf {

template <class T>
call enter_partition(race const& r, how h)
{
  auto const in = input_of<T>(r);
  auto const a = output_of<T>(r, 0), b = output_of<T>(r, 1), c = output_of<T>(r, 2);
  if (r.primitive == "partition_three_way") {
    Kokkos::View<std::int64_t*, space, Kokkos::MemoryUnmanaged> const counts(r.counts, 3);
    return on_machine(h,
                      [=](auto const& place) { onepass::partition_three_way(place, in, a, b, c, counts, third<T>()); });
  }
  value_view<std::int64_t> const count(r.counts);
  auto const keep = keeping<T>(r.variant());
  if (r.stem() == "partition_into_one")
    return on_machine(h, [=](auto const& place) { onepass::partition_if_into_one(place, in, a, count, keep); });
  return on_machine(h, [=](auto const& place) { onepass::partition_if(place, in, a, b, count, keep); });
}

}  // namespace perf
