// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "choices.hpp"
#include "rivals.hpp"

#include <onepass/select.hpp>

#ifdef KOKKOS_ENABLE_CUDA
#include <cub/device/device_select.cuh>
#include <thrust/copy.h>
#endif

namespace perf::hunt {

template <class T, class Flag>
void make_select_flagged(trial& t, std::int64_t n, choices const& chosen, std::int64_t in_begin, std::int64_t out_begin)
{
  auto const items  = chosen.items<T>(n);
  auto const wanted = wanted_of(items);
  auto const in     = t.input(items, in_begin);
  auto const out    = t.output(wanted, n, out_begin);
  auto const count  = t.count(std::int64_t(wanted.size()));
  device_items<Flag> const flags("flags", std::size_t(n));
  auto const there = Kokkos::create_mirror_view(flags);
  for (std::int64_t i = 0; i < n; ++i) there(i) = is_wanted<T>()(items[std::size_t(i)]);
  Kokkos::deep_copy(flags, there);

  enter_onepass(t, [=](auto const& place) { onepass::select_flagged(place, in, flags, out, count.here); });
  auto const *first = in.data(), *last = first + n;
  auto const* stencil = flags.data();
  auto* const to      = out.data();
#ifdef KOKKOS_ENABLE_CUDA
  enter_cub(t, [=](void* storage, std::size_t& bytes, cudaStream_t stream) {
    cub::DeviceSelect::Flagged(storage, bytes, first, stencil, to, count.here.data(), n, stream);
  });
  enter_thrust(t, [=](auto const& policy) {
    count.told() = thrust::copy_if(policy, first, last, stencil, to, ::cuda::std::identity{}) - to;
  });
#else
  (void)last;
  t.enter("loop", [=] {
    std::int64_t kept = 0;
    for (std::int64_t i = 0; i < n; ++i)
      if (stencil[i]) to[kept++] = first[i];
    count.told() = kept;
  });
#endif
}

template <class T>
drawn draw_select_flagged(dice const& d)
{
  auto const n = d.items();
  choices const chosen(d);
  bool const words = d.chance("flags of words", 25);
  auto const in = d.begin("in"), out = d.begin("out");
  return {n, text(chosen.shape(), words ? " flags u32" : " flags bool", " in+", in, " out+", out),
          std::size_t(n) * (3 * sizeof(T) + (words ? 4 : 1)), [=](trial& t) {
            if (words) make_select_flagged<T, u32>(t, n, chosen, in, out);
            else make_select_flagged<T, bool>(t, n, chosen, in, out);
          }};
}

}  // namespace perf::hunt
