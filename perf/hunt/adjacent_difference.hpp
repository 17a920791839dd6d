// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "rivals.hpp"

#include <onepass/adjacent_difference.hpp>

#ifdef KOKKOS_ENABLE_CUDA
#include <cub/device/device_adjacent_difference.cuh>
#endif

namespace perf::hunt {

template <class T>
void make_adjacent_difference(trial& t, std::int64_t n, std::int64_t in_begin, std::int64_t out_begin)
{
  auto const items = items_made<T>(n, [](std::int64_t i) { return summand<T>(mixed(std::uint64_t(i))); });
  std::vector<T> wanted(items.size());
  std::adjacent_difference(items.begin(), items.end(), wanted.begin());
  auto const in  = t.input(items, in_begin);
  auto const out = t.output(wanted, n, out_begin);

  enter_onepass(t, [=](auto const& place) { onepass::adjacent_difference(place, in, out); });
  t.enter("kokkos.std", [=] { algorithms::adjacent_difference(space(), in, out); });
  auto const* first = in.data();
  auto* const to    = out.data();
#ifdef KOKKOS_ENABLE_CUDA
  enter_cub(t, [=](void* storage, std::size_t& bytes, cudaStream_t stream) {
    cub::DeviceAdjacentDifference::SubtractLeftCopy(storage, bytes, first, to, n, ::cuda::std::minus<>{}, stream);
  });
#else
  enter_std(t, [=](auto const&... policy) { std::adjacent_difference(policy..., first, first + n, to); });
#endif
}

template <class T>
drawn draw_adjacent_difference(dice const& d)
{
  auto const n  = d.items();
  auto const in = d.begin("in"), out = d.begin("out");
  return {n, text("in+", in, " out+", out), 3 * std::size_t(n) * sizeof(T),
          [=](trial& t) { make_adjacent_difference<T>(t, n, in, out); }};
}

}  // namespace perf::hunt
