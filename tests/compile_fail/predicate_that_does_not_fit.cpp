// expect: onepass: the predicate must be callable with an item and give a bool
// SPDX-License-Identifier: Apache-2.0
#include <onepass/select.hpp>

struct of_text {
  ONEPASS_FUNCTION bool operator()(char const*) const { return true; }
};

void refused(Kokkos::View<int*> in, Kokkos::View<int*> out, Kokkos::View<int> count)
{
  onepass::select_if(Kokkos::DefaultExecutionSpace{}, in, out, count, of_text{});
}
