// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "harness/loops.hpp"
#include "rivals.hpp"
#include "runs.hpp"

#include <onepass/scan_by_key.hpp>

#ifdef KOKKOS_ENABLE_CUDA
#include <cub/device/device_scan.cuh>
#endif

namespace perf::hunt {

/// The type is that of the values; keys are u32. Exclusive where the operator has a neutral value, else inclusive.
template <class T, class Op>
void make_scan_by_key(trial& t, std::int64_t n, runs const& all, std::int64_t in_begin, std::int64_t out_begin, Op op)
{
  constexpr bool inclusive = !onepass::has_identity<Op, T>;
  auto const all_keys      = all.items<u32>(n);
  auto const all_values    = items_made<T>(n, [](std::int64_t i) { return summand<T>(mixed(std::uint64_t(i))); });
  auto const start         = start_of<T>(op);
  std::vector<T> wanted(all_keys.size());
  scan_by_loop<inclusive>(all_keys.data(), all_values.data(), n, wanted.data(), start, op);
  auto const keys   = t.input(all_keys);
  auto const values = t.input(all_values, in_begin);
  auto const out    = t.output(wanted, n, out_begin);

  enter_onepass(t, [=](auto const& place) {
    if constexpr (inclusive) onepass::inclusive_scan_by_key(place, keys, values, out, op);
    else onepass::exclusive_scan_by_key(place, keys, values, out, op);
  });
#ifdef KOKKOS_ENABLE_CUDA
  auto const theirs = rivals_operator<T>(op);
  enter_cub(t, [=](void* storage, std::size_t& bytes, cudaStream_t stream) {
    if constexpr (inclusive)
      cub::DeviceScan::InclusiveScanByKey(storage, bytes, keys.data(), values.data(), out.data(), theirs, int(n),
                                          ::cuda::std::equal_to<>(), stream);
    else
      cub::DeviceScan::ExclusiveScanByKey(storage, bytes, keys.data(), values.data(), out.data(), theirs, start, int(n),
                                          ::cuda::std::equal_to<>(), stream);
  });
#else
  t.enter("loop", [=] { scan_by_loop<inclusive>(keys.data(), values.data(), n, out.data(), start, op); });
#endif
}

template <class T>
drawn draw_scan_by_key(dice const& d)
{
  auto const n = d.items();
  runs const all(d);
  auto const op = d.one_of("operator", operator_names(operators<T>{}));
  auto const in = d.begin("in"), out = d.begin("out");
  return {n, text(op, " ", all.shape(), " in+", in, " out+", out), std::size_t(n) * (3 * sizeof(T) + 4), [=](trial& t) {
            with_operator(operators<T>{}, op, [&](auto f) { make_scan_by_key<T>(t, n, all, in, out, f); });
          }};
}

}  // namespace perf::hunt
