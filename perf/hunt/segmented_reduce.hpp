// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "rivals.hpp"
#include "segments.hpp"

#include <onepass/segmented.hpp>

#ifdef KOKKOS_ENABLE_CUDA
#include <cub/device/device_segmented_reduce.cuh>
#endif

namespace perf::hunt {

/// One thread per segment.
template <class T, class Op>
struct reduce_segment {
  device_items<T> in;
  device_items<u32> offsets;
  device_items<T> sums;
  T start;
  Op op;

  KOKKOS_FUNCTION void operator()(std::int64_t s) const
  {
    T sum = start;
    for (auto i = offsets(s); i < offsets(s + 1); ++i) sum = op(sum, in(i));
    sums(s) = sum;
  }
};

template <class T, class Op>
void make_segmented_reduce(trial& t, std::int64_t n, segments const& all, std::int64_t begin, Op op)
{
  auto const items  = items_made<T>(n, [](std::int64_t i) { return summand<T>(mixed(std::uint64_t(i))); });
  auto const bounds = all.offsets(n);
  auto const number = std::int64_t(bounds.size()) - 1;
  auto const start  = start_of<T>(op);
  std::vector<T> wanted;
  for (std::size_t s = 0; s + 1 < bounds.size(); ++s)
    wanted.push_back(std::accumulate(items.begin() + bounds[s], items.begin() + bounds[s + 1], start, op));
  auto const in      = t.input(items, begin);
  auto const offsets = t.input(bounds);
  auto const sums    = t.output(wanted, number);

  enter_onepass(t, [=](auto const& place) {
    if constexpr (onepass::has_identity<Op, T>) onepass::segmented_reduce(place, in, offsets, sums, op);
    else onepass::segmented_reduce(place, in, offsets, sums, op, start);
  });
  reduce_segment<T, Op> const body{in, offsets, sums, start, op};
  enter_thread_a_segment(t, bounds, body);
#ifdef KOKKOS_ENABLE_CUDA
  auto const theirs = rivals_operator<T>(op);
  enter_cub(t, [=](void* storage, std::size_t& bytes, cudaStream_t stream) {
    cub::DeviceSegmentedReduce::Reduce(storage, bytes, in.data(), sums.data(), number, offsets.data(),
                                       offsets.data() + 1, theirs, start, stream);
  });
#else
  t.enter("loop", [=] {
    for (std::int64_t s = 0; s < number; ++s) body(s);
  });
#endif
}

template <class T>
drawn draw_segmented_reduce(dice const& d)
{
  auto const n = d.items();
  segments const all(d);
  auto const op    = d.one_of("operator", operator_names(operators<T>{}));
  auto const begin = d.begin("in");
  return {n, text(op, " ", all.shape(), " in+", begin), std::size_t(n) * sizeof(T) + (1 + sizeof(T) / 2) * all.bytes(n),
          [=](trial& t) {
            with_operator(operators<T>{}, op, [&](auto f) { make_segmented_reduce<T>(t, n, all, begin, f); });
          }};
}

}  // namespace perf::hunt
