// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "rivals.hpp"

#include <onepass/reduce.hpp>

#ifdef KOKKOS_ENABLE_CUDA
#include <cub/device/device_reduce.cuh>
#endif

namespace perf::hunt {

/// The functor of a Kokkos::parallel_reduce.
template <class T, class Op>
struct kokkos_reduction {
  using value_type = T;
  device_items<T> in;
  Op op;

  KOKKOS_FUNCTION void operator()(std::int64_t i, T& sum) const { sum = op(sum, in(i)); }
  KOKKOS_FUNCTION void init(T& sum) const { sum = Op::template identity<T>(); }
  KOKKOS_FUNCTION void join(T& older, T const& newer) const { older = op(older, newer); }
};

template <class T, class Op>
void make_reduce(trial& t, std::int64_t n, std::int64_t begin, Op op)
{
  auto const items = items_made<T>(n, [](std::int64_t i) { return summand<T>(mixed(std::uint64_t(i))); });
  auto const start = start_of<T>(op);
  T sum            = start;
  for (auto const& item : items) sum = op(sum, item);
  auto const in  = t.input(items, begin);
  auto const out = t.output(std::vector<T>{sum}, 1);
  value_view<T> const total(out.data());

  enter_onepass(t, [=](auto const& place) {
    if constexpr (onepass::has_identity<Op, T>) onepass::reduce(place, in, total, op);
    else onepass::reduce(place, in, total, op, start);
  });
  if constexpr (onepass::has_identity<Op, T>)
    t.enter("kokkos.parallel_reduce", [=] {
      Kokkos::parallel_reduce("reduce", range(0, n), kokkos_reduction<T, Op>{in, op}, total);
    });
  auto const theirs = rivals_operator<T>(op);
  auto const *first = in.data(), *last = first + n;
#ifdef KOKKOS_ENABLE_CUDA
  enter_cub(t, [=](void* storage, std::size_t& bytes, cudaStream_t stream) {
    cub::DeviceReduce::Reduce(storage, bytes, first, total.data(), int(n), theirs, start, stream);
  });
#else
  enter_std(t, [=](auto const&... policy) { total() = std::reduce(policy..., first, last, start, theirs); });
#endif
}

template <class T>
drawn draw_reduce(dice const& d)
{
  auto const n     = d.items();
  auto const op    = d.one_of("operator", operator_names(operators<T>{}));
  auto const begin = d.begin("in");
  return {n, text(op, " in+", begin), std::size_t(n) * sizeof(T),
          [=](trial& t) { with_operator(operators<T>{}, op, [&](auto f) { make_reduce<T>(t, n, begin, f); }); }};
}

}  // namespace perf::hunt
