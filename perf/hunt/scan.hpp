// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "rivals.hpp"

#include <onepass/scan.hpp>

#ifdef KOKKOS_ENABLE_CUDA
#include <cub/device/device_scan.cuh>
#include <thrust/scan.h>
#endif

namespace perf::hunt {

/// The functor of a Kokkos::parallel_scan.
template <class T, bool Inclusive, class Op>
struct kokkos_scan {
  using value_type = T;
  device_items<T> in, out;
  Op op;

  KOKKOS_FUNCTION void operator()(std::int64_t i, T& sum, bool last) const
  {
    if (!Inclusive && last) out(i) = sum;
    sum = op(sum, in(i));
    if (Inclusive && last) out(i) = sum;
  }
  KOKKOS_FUNCTION void init(T& sum) const { sum = Op::template identity<T>(); }
  KOKKOS_FUNCTION void join(T& older, T const& newer) const { older = op(older, newer); }
};

template <bool Inclusive, class T, class Op>
void make_scan(trial& t, std::int64_t n, std::int64_t in_begin, std::int64_t out_begin, Op op)
{
  auto const items = items_made<T>(n, [](std::int64_t i) { return summand<T>(mixed(std::uint64_t(i))); });
  auto const start = start_of<T>(op);
  std::vector<T> wanted(items.size());
  T sum = start;
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (!Inclusive) wanted[i] = sum;
    sum = Inclusive && i == 0 ? items[0] : op(sum, items[i]);
    if (Inclusive) wanted[i] = sum;
  }
  auto const in  = t.input(items, in_begin);
  auto const out = t.output(wanted, n, out_begin);

  enter_onepass(t, [=](auto const& place) {
    if constexpr (Inclusive) onepass::inclusive_scan(place, in, out, op);
    else if constexpr (onepass::has_identity<Op, T>) onepass::exclusive_scan(place, in, out, op);
    else onepass::exclusive_scan(place, in, out, op, start);
  });
  auto const theirs = rivals_operator<T>(op);
  t.enter("kokkos.std", [=] {
    if constexpr (Inclusive) algorithms::inclusive_scan(space(), in, out, theirs);
    else algorithms::exclusive_scan(space(), in, out, start, theirs);
  });
  constexpr bool is_words = sizeof(T) % sizeof(int) == 0;  // other values Kokkos 4.7 adds up wrongly on CUDA
  if constexpr (onepass::has_identity<Op, T> && (on_host || is_words))
    t.enter("kokkos.parallel_scan", [=] {
      Kokkos::parallel_scan("scan", range(0, n), kokkos_scan<T, Inclusive, Op>{in, out, op});
    });
  auto const *first = in.data(), *last = first + n;
  auto* const to = out.data();
#ifdef KOKKOS_ENABLE_CUDA
  enter_cub(t, [=](void* storage, std::size_t& bytes, cudaStream_t stream) {
    if constexpr (Inclusive) cub::DeviceScan::InclusiveScan(storage, bytes, first, to, theirs, int(n), stream);
    else cub::DeviceScan::ExclusiveScan(storage, bytes, first, to, theirs, start, int(n), stream);
  });
  enter_thrust(t, [=](auto const& policy) {
    if constexpr (Inclusive) thrust::inclusive_scan(policy, first, last, to, theirs);
    else thrust::exclusive_scan(policy, first, last, to, start, theirs);
  });
#else
  enter_std(t, [=](auto const&... policy) {
    if constexpr (Inclusive) std::inclusive_scan(policy..., first, last, to, theirs);
    else std::exclusive_scan(policy..., first, last, to, start, theirs);
  });
#endif
}

template <class T>
drawn draw_scan(dice const& d)
{
  auto const n         = d.items();
  bool const inclusive = d.chance("inclusive", 50);
  auto const op        = d.one_of("operator", operator_names(operators<T>{}));
  auto const in = d.begin("in"), out = d.begin("out");
  return {n, text(inclusive ? "inclusive" : "exclusive", " ", op, " in+", in, " out+", out),
          3 * std::size_t(n) * sizeof(T), [=](trial& t) {
            with_operator(operators<T>{}, op, [&](auto f) {
              if (inclusive) make_scan<true, T>(t, n, in, out, f);
              else make_scan<false, T>(t, n, in, out, f);
            });
          }};
}

}  // namespace perf::hunt
