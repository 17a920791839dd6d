// expect: onepass: the items must be trivially copyable and may have at most 64 bytes
// SPDX-License-Identifier: Apache-2.0
#include <onepass/merge.hpp>

struct large {
  double all[9];
  friend ONEPASS_FUNCTION bool operator<(large const& a, large const& b) { return a.all[0] < b.all[0]; }
};

void refused(Kokkos::View<large*> a, Kokkos::View<large*> b, Kokkos::View<large*> out)
{
  onepass::merge(Kokkos::DefaultExecutionSpace{}, a, b, out);
}
