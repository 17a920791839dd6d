// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "places.hpp"
#include "rivals.hpp"

#include <onepass/scatter.hpp>

#ifdef KOKKOS_ENABLE_CUDA
#include <thrust/gather.h>
#endif

namespace perf::hunt {

template <class T>
struct read_one {
  device_items<T> in, out;
  device_items<u32> indices;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const { out(i) = in(indices(i)); }
};

template <class T>
void make_gather(trial& t, std::int64_t n, places const& from, std::int64_t in_begin, std::int64_t out_begin)
{
  auto const items =
      items_made<T>(from.number(n), [](std::int64_t i) { return from_number<T>(mixed(std::uint64_t(i))); });
  auto const at = from.items(n);
  std::vector<T> wanted;
  for (auto const i : at) wanted.push_back(items[i]);
  auto const in      = t.input(items, in_begin);
  auto const indices = t.input(at);
  auto const out     = t.output(wanted, n, out_begin);

  enter_onepass(t, [=](auto const& place) { onepass::gather(place, in, indices, out); });
  t.enter("kokkos", [=] { Kokkos::parallel_for("gather", range(0, n), read_one<T>{in, out, indices}); });
#ifdef KOKKOS_ENABLE_CUDA
  enter_thrust(t, [=](auto const& policy) {
    thrust::gather(policy, indices.data(), indices.data() + n, in.data(), out.data());
  });
#else
  enter_std(t, [=](auto const&... policy) {
    std::transform(policy..., indices.data(), indices.data() + n, out.data(),
                   [all = in.data()](u32 i) { return all[i]; });
  });
#endif
}

template <class T>
drawn draw_gather(dice const& d)
{
  auto const n = d.items();
  places const from(d);
  auto const in = d.begin("in"), out = d.begin("out");
  return {n, text(from.shape(), " in+", in, " out+", out), std::size_t(n) * (3 * sizeof(T) + 8),
          [=](trial& t) { make_gather<T>(t, n, from, in, out); }};
}

}  // namespace perf::hunt
