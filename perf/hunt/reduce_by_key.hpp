// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "harness/loops.hpp"
#include "rivals.hpp"
#include "runs.hpp"

#include <onepass/reduce_by_key.hpp>

#ifdef KOKKOS_ENABLE_CUDA
#include <cub/device/device_reduce.cuh>
#include <thrust/reduce.h>
#endif

namespace perf::hunt {

/// The type is that of the values; keys are u32.
template <class T, class Op>
void make_reduce_by_key(trial& t, std::int64_t n, runs const& all, std::int64_t in_begin, std::int64_t out_begin, Op op)
{
  auto const all_keys   = all.items<u32>(n);
  auto const all_values = items_made<T>(n, [](std::int64_t i) { return summand<T>(mixed(std::uint64_t(i))); });
  std::vector<u32> wanted_heads(all_keys.size());
  std::vector<T> wanted(all_keys.size());
  auto const found = reduce_by_loop(all_keys.data(), all_values.data(), n, wanted_heads.data(), wanted.data(), op);
  wanted_heads.resize(std::size_t(found)), wanted.resize(std::size_t(found));
  auto const keys   = t.input(all_keys);
  auto const values = t.input(all_values, in_begin);
  auto const heads  = t.output(wanted_heads, n);
  auto const sums   = t.output(wanted, n, out_begin);
  auto const count  = t.count(found);

  enter_onepass(t,
                [=](auto const& place) { onepass::reduce_by_key(place, keys, values, heads, sums, count.here, op); });
#ifdef KOKKOS_ENABLE_CUDA
  auto const theirs = rivals_operator<T>(op);
  enter_cub(t, [=](void* storage, std::size_t& bytes, cudaStream_t stream) {
    cub::DeviceReduce::ReduceByKey(storage, bytes, keys.data(), heads.data(), values.data(), sums.data(),
                                   count.here.data(), theirs, int(n), stream);
  });
  enter_thrust(t, [=](auto const& policy) {
    auto const ends = thrust::reduce_by_key(policy, keys.data(), keys.data() + n, values.data(), heads.data(),
                                            sums.data(), ::cuda::std::equal_to<>(), theirs);
    count.told()    = ends.first - heads.data();
  });
#else
  t.enter("loop", [=] { count.told() = reduce_by_loop(keys.data(), values.data(), n, heads.data(), sums.data(), op); });
#endif
}

template <class T>
drawn draw_reduce_by_key(dice const& d)
{
  auto const n = d.items();
  runs const all(d);
  auto const op = d.one_of("operator", operator_names(operators<T>{}));
  auto const in = d.begin("in"), out = d.begin("out");
  return {n, text(op, " ", all.shape(), " in+", in, " out+", out), std::size_t(n) * (3 * sizeof(T) + 12),
          [=](trial& t) {
            with_operator(operators<T>{}, op, [&](auto f) { make_reduce_by_key<T>(t, n, all, in, out, f); });
          }};
}

}  // namespace perf::hunt
