// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "rivals.hpp"
#include "segments.hpp"

#include <onepass/segmented.hpp>

namespace perf::hunt {

/// One thread per segment.
template <class T, class Op>
struct scan_segment {
  device_items<T> in;
  device_items<u32> offsets;
  device_items<T> out;
  Op op;

  KOKKOS_FUNCTION void operator()(std::int64_t s) const
  {
    auto const begin = offsets(s), end = offsets(s + 1);
    if (begin == end) return;
    T sum      = in(begin);
    out(begin) = sum;
    for (auto i = begin + 1; i < end; ++i) out(i) = sum = op(sum, in(i));
  }
};

/// CUB and Thrust have none by offsets.
template <class T, class Op>
void make_segmented_scan(trial& t, std::int64_t n, segments const& all, std::int64_t in_begin, std::int64_t out_begin,
                         Op op)
{
  auto const items  = items_made<T>(n, [](std::int64_t i) { return summand<T>(mixed(std::uint64_t(i))); });
  auto const bounds = all.offsets(n);
  std::vector<T> wanted(items.size());
  for (std::size_t s = 0; s + 1 < bounds.size(); ++s)
    std::partial_sum(items.begin() + bounds[s], items.begin() + bounds[s + 1], wanted.begin() + bounds[s], op);
  auto const in      = t.input(items, in_begin);
  auto const offsets = t.input(bounds);
  auto const out     = t.output(wanted, n, out_begin);

  enter_onepass(t, [=](auto const& place) { onepass::inclusive_segmented_scan(place, in, offsets, out, op); });
  scan_segment<T, Op> const body{in, offsets, out, op};
  enter_thread_a_segment(t, bounds, body);
#ifndef KOKKOS_ENABLE_CUDA
  t.enter("loop", [=, number = std::int64_t(bounds.size()) - 1] {
    for (std::int64_t s = 0; s < number; ++s) body(s);
  });
#endif
}

template <class T>
drawn draw_segmented_scan(dice const& d)
{
  auto const n = d.items();
  segments const all(d);
  auto const op = d.one_of("operator", operator_names(operators<T>{}));
  auto const in = d.begin("in"), out = d.begin("out");
  return {n, text(op, " ", all.shape(), " in+", in, " out+", out), std::size_t(n) * 3 * sizeof(T) + all.bytes(n),
          [=](trial& t) {
            with_operator(operators<T>{}, op, [&](auto f) { make_segmented_scan<T>(t, n, all, in, out, f); });
          }};
}

}  // namespace perf::hunt
