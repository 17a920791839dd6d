// expect: onepass: what a team keeps of an item may be aligned to at most 16 bytes
// SPDX-License-Identifier: Apache-2.0
#include <onepass/select.hpp>

struct alignas(32) wide {
  double x;
};
struct is_positive {
  ONEPASS_FUNCTION bool operator()(wide const& a) const { return a.x > 0; }
};

void refused(Kokkos::View<wide*> in, Kokkos::View<wide*> out, int& count)
{
  onepass::select_if(onepass::portably(Kokkos::DefaultExecutionSpace{}), in, out, count, is_positive{});
}
