// expect: onepass: accumulators of segments may be aligned to at most 16 bytes
// SPDX-License-Identifier: Apache-2.0
#include <onepass/segmented.hpp>

struct alignas(32) wide {
  double x;
};
struct add_wide {
  ONEPASS_FUNCTION wide operator()(wide const& a, wide const& b) const { return {a.x + b.x}; }
  template <class T>
  ONEPASS_FUNCTION static constexpr wide identity()
  {
    return {0};
  }
};

void refused(Kokkos::View<wide*> in, Kokkos::View<int*> offsets, Kokkos::View<wide*> sums)
{
  onepass::segmented_reduce(Kokkos::DefaultExecutionSpace{}, in, offsets, sums, add_wide{}, wide{});
}
