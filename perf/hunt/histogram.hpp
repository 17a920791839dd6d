// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "rivals.hpp"

#include <onepass/histogram.hpp>

#ifdef KOKKOS_ENABLE_CUDA
#include <cub/device/device_histogram.cuh>
#endif

namespace perf::hunt {

/// As a Kokkos user would write it.
template <class T>
struct count_atomically {
  device_items<T> in;
  device_items<u32> counts;
  T width;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const { Kokkos::atomic_inc(&counts(std::int64_t(in(i) / width))); }
};

/// Bins of equal width from 0. Items lie in the middle of their bin, so that rounding moves none.
template <class T>
void make_histogram(trial& t, std::int64_t n, std::int64_t bins, T width, std::string const& spread, std::int64_t begin)
{
  auto const bin_of = [=](std::int64_t i) {
    auto const random = mixed(std::uint64_t(i));
    if (spread == "one") return bins / 2;
    if (spread == "uniform") return std::int64_t(random % std::uint64_t(bins));
    return std::int64_t((random >> (random & 31)) % std::uint64_t(bins) >> (random >> 8 & 15));  // skewed
  };
  auto const items = items_made<T>(n, [=](std::int64_t i) { return static_cast<T>(T(bin_of(i)) * width + width / 2); });
  std::vector<u32> wanted(static_cast<std::size_t>(bins));
  for (std::int64_t i = 0; i < n; ++i) ++wanted[std::size_t(bin_of(i))];
  auto const in     = t.input(items, begin);
  auto const counts = t.output(wanted, bins);
  auto const end    = static_cast<T>(T(bins) * width);

  enter_onepass(t, [=](auto const& place) { onepass::histogram_even(place, in, counts, T(0), end); });
  count_atomically<T> const body{in, counts, width};
  t.enter("kokkos.atomic", [=] {
    Kokkos::deep_copy(space(), counts, 0u);
    Kokkos::parallel_for("count", range(0, n), body);
  });
#ifdef KOKKOS_ENABLE_CUDA
  using level = std::conditional_t<std::is_integral_v<T>, std::int64_t, T>;
  enter_cub(t, [=](void* storage, std::size_t& bytes, cudaStream_t stream) {
    cub::DeviceHistogram::HistogramEven(storage, bytes, in.data(), counts.data(), int(bins) + 1, level(0), level(end),
                                        n, stream);
  });
#else
  t.enter("loop", [=] {
    std::fill_n(counts.data(), bins, 0u);
    for (std::int64_t i = 0; i < n; ++i) ++counts(std::int64_t(in(i) / width));
  });
#endif
}

template <class T>
drawn draw_histogram(dice const& d)
{
  auto const n = d.items();
  // The end of the last bin is a T as well.
  constexpr int power = sizeof(T) == 1 ? 7 : sizeof(T) == 2 ? 15 : 20;
  auto const bins     = std::max<std::int64_t>(2, d.up_to_power("bins", power));
  auto const widest   = ((std::int64_t(1) << std::min(std::size_t(24), 8 * sizeof(T))) - 1) / bins;
  auto const width    = std::is_floating_point_v<T> ? d.one_of<T>("float width", {T(1), T(.125), T(1024)})
                                                    : T(1 + d.below("width", widest));
  auto const spread   = d.one_of<std::string>("spread", {"uniform", "uniform", "skewed", "one"});
  auto const begin    = d.begin("in");
  return {n, text("bins ", bins, " ", spread, " width ", +width, " in+", begin),
          std::size_t(n) * sizeof(T) + (std::size_t(64) << 20),
          [=](trial& t) { make_histogram<T>(t, n, bins, width, spread, begin); }};
}

}  // namespace perf::hunt
