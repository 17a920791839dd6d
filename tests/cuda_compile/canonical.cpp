// SPDX-License-Identifier: Apache-2.0
// The kernels of canonical floats.
#include <onepass/reduce.hpp>
#include <onepass/reduce_by_key.hpp>
#include <onepass/scan.hpp>
#include <onepass/scan_by_key.hpp>
#include <onepass/segmented.hpp>

template <class T>
using items = Kokkos::View<T*, Kokkos::CudaSpace>;

struct line {
  float scale, shift;
};
struct then {
  KOKKOS_FUNCTION line operator()(line const& first, line const& second) const
  {
    return {first.scale * second.scale, second.scale * first.shift + second.shift};
  }
};

struct halved {
  KOKKOS_FUNCTION float operator()(float x) const { return x / 2; }
};

void scans(Kokkos::Cuda const& exec, items<float> in, items<float> out, items<double> wide, items<line> lines)
{
  auto const everywhere = onepass::canonically(exec);
  onepass::exclusive_scan(everywhere, in, out);
  onepass::inclusive_scan(everywhere, wide, wide);
  onepass::inclusive_scan(everywhere, lines, lines, then{});
  onepass::transform_exclusive_scan(everywhere, in, out, halved{}, onepass::plus{}, 0.0f);
}

void totals(Kokkos::Cuda const& exec, items<float> in, items<double> wide, Kokkos::View<float, Kokkos::CudaSpace> sum,
            Kokkos::View<double, Kokkos::CudaSpace> wide_sum)
{
  onepass::reduce(onepass::canonically(exec), in, sum);
  onepass::reduce(onepass::canonically(exec), wide, wide_sum);
}

void runs(Kokkos::Cuda const& exec, items<std::uint32_t> keys, items<std::uint32_t> offsets, items<float> in,
          items<float> out, Kokkos::View<onepass::extent, Kokkos::CudaSpace> count)
{
  auto const everywhere = onepass::canonically(exec);
  onepass::inclusive_scan_by_key(everywhere, keys, in, out);
  onepass::inclusive_segmented_scan(everywhere, in, offsets, out);
  onepass::reduce_by_key(everywhere, keys, in, keys, out, count);
}
