// expect: onepass: the items must be trivially copyable and may have at most 56 bytes
// SPDX-License-Identifier: Apache-2.0
#include <onepass/adjacent_difference.hpp>

struct large {
  double all[8];
};
struct newer {
  ONEPASS_FUNCTION large operator()(large const& x, large const&) const { return x; }
};

void refused(Kokkos::View<large*> in, Kokkos::View<large*> out)
{
  onepass::adjacent_difference(Kokkos::DefaultExecutionSpace{}, in, out, newer{});
}
