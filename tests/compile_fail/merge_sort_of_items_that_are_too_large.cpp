// expect: onepass: what is sorted must be trivially copyable and default constructible
// SPDX-License-Identifier: Apache-2.0
#include <onepass/merge_sort.hpp>

struct large {
  double all[9];
  friend ONEPASS_FUNCTION bool operator<(large const& a, large const& b) { return a.all[0] < b.all[0]; }
};

void refused(Kokkos::View<large*> in, Kokkos::View<large*> out)
{
  onepass::merge_sort(Kokkos::DefaultExecutionSpace{}, in, out);
}
