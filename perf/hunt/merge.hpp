// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "keys.hpp"
#include "rivals.hpp"

#include <onepass/merge.hpp>

#ifdef KOKKOS_ENABLE_CUDA
#include <cub/device/device_merge.cuh>
#endif

namespace perf::hunt {

/// The first `as` of n keys and the others, each sorted.
template <class T>
void make_merge(trial& t, std::int64_t n, std::int64_t as, keys const& all, std::int64_t in_begin,
                std::int64_t out_begin)
{
  auto items        = all.items<T>(n);
  auto const middle = items.begin() + as;
  std::sort(items.begin(), middle), std::sort(middle, items.end());
  auto const in     = t.input(items, in_begin);
  auto const out    = t.unchecked_output<T>(n, out_begin);
  auto const before = count_of(n, fingerprint<T>{in.data()});
  t.check([=] { return count_of(n, falls<T>{out.data()}) == 0 && count_of(n, fingerprint<T>{out.data()}) == before; });

  auto const a = Kokkos::subview(in, std::pair<std::int64_t, std::int64_t>(0, as)),
             b = Kokkos::subview(in, std::pair<std::int64_t, std::int64_t>(as, n));
  enter_onepass(t, [=](auto const& place) { onepass::merge(place, a, b, out); });
  auto const *first = in.data(), *second = first + as, *last = first + n;
  auto* const to = out.data();
#ifdef KOKKOS_ENABLE_CUDA
  enter_cub(t, [=](void* storage, std::size_t& bytes, cudaStream_t stream) {
    cub::DeviceMerge::MergeKeys(storage, bytes, first, as, second, last - second, to, ::cuda::std::less<>{}, stream);
  });
#else
  enter_std(t, [=](auto const&... policy) { std::merge(policy..., first, second, second, last, to); });
#endif
}

template <class T>
drawn draw_merge(dice const& d)
{
  auto const n  = d.items();
  auto const as = d.chance("halves", 50) ? n / 2 : d.below("first", n + 1);
  keys const all(d);
  auto const in = d.begin("in"), out = d.begin("out");
  return {n, text(as, " of them first, ", all.shape(), " in+", in, " out+", out), 2 * std::size_t(n) * sizeof(T),
          [=](trial& t) { make_merge<T>(t, n, as, all, in, out); }};
}

}  // namespace perf::hunt
