// SPDX-License-Identifier: Apache-2.0
// The kernels over segments: sums along the path of items and ends; offsets become heads, then scans.
#include <onepass/segmented.hpp>

template <class T>
using items = Kokkos::View<T*, Kokkos::CudaSpace>;

struct larger {
  template <class T>
  KOKKOS_FUNCTION T operator()(T const& a, T const& b) const
  {
    return a < b ? b : a;
  }
};

void segments(Kokkos::Cuda const& exec, items<std::uint32_t> in, items<std::uint32_t> offsets,
              items<std::uint32_t> totals, items<std::uint32_t> out)
{
  onepass::segmented_reduce(exec, in, offsets, totals);
  onepass::segmented_reduce(exec, in, offsets, totals, larger{}, 0u);
  onepass::inclusive_segmented_scan(exec, in, offsets, out);
}

void bytes(Kokkos::Cuda const& exec, items<std::uint8_t> in, items<std::uint32_t> offsets, items<std::uint8_t> totals)
{
  onepass::segmented_reduce(exec, in, offsets, totals);
}

void rows(Kokkos::Cuda const& exec, Kokkos::View<double**, Kokkos::LayoutRight, Kokkos::CudaSpace> in,
          items<double> totals)
{
  onepass::reduce_rows(exec, in, totals);
}
