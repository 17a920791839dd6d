// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "keys.hpp"
#include "rivals.hpp"

#include <onepass/radix_sort.hpp>

#ifdef KOKKOS_ENABLE_CUDA
#include <cub/device/device_radix_sort.cuh>
#endif

namespace perf::hunt {

/// A stable sort of pairs by std::, which are put together before and taken apart after.
template <class T, class V, class... Policy>
void sort_pairs(std::vector<std::pair<T, V>>& pairs, T const* keys, V const* values, T* keys_out, V* values_out,
                Policy const&... policy)
{
  for (std::size_t i = 0; i < pairs.size(); ++i) pairs[i] = {keys[i], values[i]};
  std::stable_sort(policy..., pairs.begin(), pairs.end(),
                   [](auto const& a, auto const& b) { return a.first < b.first; });
  for (std::size_t i = 0; i < pairs.size(); ++i) keys_out[i] = pairs[i].first, values_out[i] = pairs[i].second;
}

template <class T, class V>
void make_radix_sort_by_key(trial& t, std::int64_t n, keys const& all, std::int64_t begin)
{
  auto const in         = t.input(all.items<T>(n), begin);
  auto const values     = t.input(items_made<V>(n, [](std::int64_t i) { return from_number<V>(std::uint64_t(i)); }));
  auto const out        = t.unchecked_output<T>(n);
  auto const values_out = t.unchecked_output<V>(n, begin);
  t.check([=] {
    return count_of(n, falls<T>{out.data()}) == 0
           && count_of(n, strays<T, V>{in.data(), out.data(), values_out.data(), n}) == 0;
  });

  enter_onepass(t, [=](auto const& place) { onepass::radix_sort_by_key(place, in, values, out, values_out); });
#ifdef KOKKOS_ENABLE_CUDA
  enter_cub(t, [=](void* storage, std::size_t& bytes, cudaStream_t stream) {
    cub::DeviceRadixSort::SortPairs(storage, bytes, in.data(), out.data(), values.data(), values_out.data(), n, 0,
                                    8 * int(sizeof(T)), stream);
  });
#else
  auto const pairs = std::make_shared<std::vector<std::pair<T, V>>>(std::size_t(n));
  enter_std(t, [=](auto const&... policy) {
    sort_pairs(*pairs, in.data(), values.data(), out.data(), values_out.data(), policy...);
  });
#endif
}

/// The type is that of the keys.
template <class T>
drawn draw_radix_sort_by_key(dice const& d)
{
  auto const n = d.items();
  keys const all(d);
  auto const bytes = d.one_of<std::int64_t>("value bytes", {4, 4, 4, 12, 32});
  auto const begin = d.begin("in");
  return {n, text(all.shape(), " values of ", bytes, " bytes in+", begin),
          5 * std::size_t(n) * (sizeof(T) + std::size_t(bytes)), [=](trial& t) {
            if (bytes == 32) make_radix_sort_by_key<T, u64x4>(t, n, all, begin);
            else if (bytes == 12) make_radix_sort_by_key<T, u32x3>(t, n, all, begin);
            else make_radix_sort_by_key<T, u32>(t, n, all, begin);
          }};
}

}  // namespace perf::hunt
