// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "items.hpp"
#include "rivals.hpp"

#include <onepass/partition.hpp>

#ifdef KOKKOS_ENABLE_CUDA
#include <cub/device/device_partition.cuh>
#endif

namespace perf::hunt {

/// The part of an item: its number modulo 3.
template <class T>
struct part_of {
  KOKKOS_FUNCTION int operator()(T const& item) const { return int(u32(to_number(item)) % 3); }
};

template <class T>
struct is_in_part {
  int part;
  KOKKOS_FUNCTION bool operator()(T const& item) const { return part_of<T>()(item) == part; }
};

/// Groups of `together` neighbours are in the same part.
template <class T>
void make_partition_three_way(trial& t, std::int64_t n, std::int64_t together, std::int64_t in_begin,
                              std::int64_t out_begin)
{
  auto const items = items_made<T>(n, [together](std::int64_t i) {
    return from_number<T>(mixed(std::uint64_t(i / together)) % 3 + 3 * (mixed(std::uint64_t(i)) % 80));
  });
  std::vector<T> parts[3];
  for (auto const& item : items) parts[part_of<T>()(item)].push_back(item);
  auto const in = t.input(items, in_begin);
  auto const a = t.output(parts[0], n, out_begin), b = t.output(parts[1], n), c = t.output(parts[2], n);
  device_items<std::int64_t> const counts("counts", 3);

  enter_onepass(t, [=](auto const& place) { onepass::partition_three_way(place, in, a, b, c, counts, part_of<T>()); });
  auto const* first = in.data();
  auto *const to_a = a.data(), *const to_b = b.data(), *const to_c = c.data();
#ifdef KOKKOS_ENABLE_CUDA
  enter_cub(t, [=](void* storage, std::size_t& bytes, cudaStream_t stream) {
    cub::DevicePartition::If(storage, bytes, first, to_a, to_b, to_c, counts.data(), n, is_in_part<T>{0},
                             is_in_part<T>{1}, stream);
  });
#else
  t.enter("loop", [=] {
    auto *at_a = to_a, *at_b = to_b, *at_c = to_c;
    for (std::int64_t i = 0; i < n; ++i) {
      auto const part                                 = part_of<T>()(first[i]);
      *(part == 0 ? at_a : part == 1 ? at_b : at_c)++ = first[i];
    }
    counts(0) = at_a - to_a, counts(1) = at_b - to_b, counts(2) = at_c - to_c;
  });
#endif
}

template <class T>
drawn draw_partition_three_way(dice const& d)
{
  auto const n        = d.items();
  auto const together = d.one_of<std::int64_t>("together", {1, 1, 1, 30, 3000});
  auto const in = d.begin("in"), out = d.begin("out");
  return {n, text("by ", together, " in+", in, " out+", out), 7 * std::size_t(n) * sizeof(T),
          [=](trial& t) { make_partition_three_way<T>(t, n, together, in, out); }};
}

}  // namespace perf::hunt
