// expect: onepass: a result must be a View of rank 0, or a variable, of bool or of an integral type
// SPDX-License-Identifier: Apache-2.0
#include <onepass/find.hpp>

struct any {
  ONEPASS_FUNCTION bool operator()(int) const { return true; }
};

void refused(Kokkos::View<int*> in, Kokkos::View<double> result)
{
  onepass::any_of(Kokkos::DefaultExecutionSpace{}, in, result, any{});
}
